import { describe, expect, test } from 'vitest';
import { announcedIn, type LimitRule, type UsageRule, usageIn, withPrice } from './usage-rules.ts';

const RULE: UsageRule = {
  when: {},
  is: 'part',
  input: ['u.in', 'u.read', 'u.written'],
  cached: ['u.read'],
  output: ['u.out'],
  costUsd: ['cost'],
};

describe('usage', () => {
  test('paths add up, and those that are missing count as nothing', () => {
    const value = { u: { in: 100, read: 40, out: 7 }, cost: 0.25 };
    expect(usageIn(RULE, value)).toEqual({ input: 140, cached: 40, output: 7, costUsd: 0.25, costBy: 'agent' });
  });

  test('a path with a minus is taken off', () => {
    const rule = { ...RULE, output: ['total', '-u.in'] };
    expect(usageIn(rule, { u: { in: 100 }, total: 130 })).toEqual({ input: 100, output: 30 });
  });

  test('numbers of several models add up', () => {
    const rule = { ...RULE, input: ['models.*.in'], output: ['models.*.out'] };
    expect(usageIn(rule, { models: { a: { in: 1, out: 2 }, b: { in: 10, out: 20 } } })).toEqual({
      input: 11,
      output: 22,
    });
  });

  test.each([-1, Number.NaN, 1e308, Number.POSITIVE_INFINITY, '12', 1.5, null, true, [5], {}, 2 ** 60])(
    '%j is no count of tokens: unknown, not 0',
    (hostile) => {
      expect(usageIn(RULE, { u: { in: hostile, out: 3 } })).toEqual({ output: 3 });
      expect(usageIn(RULE, { u: { in: hostile } })).toBeUndefined();
    },
  );

  test.each([-1, Number.NaN, 1e308, '0.5', null, 0])('%j is no cost', (hostile) => {
    expect(usageIn(RULE, { u: { in: 1, out: 3 }, cost: hostile })).toEqual({ input: 1, output: 3 });
  });

  test('more from the cache than in all leaves the cached part unknown', () => {
    expect(usageIn({ ...RULE, input: ['u.in'] }, { u: { in: 5, read: 6, out: 1 } })).toEqual({ input: 5, output: 1 });
  });
});

describe('a price', () => {
  test('counts cached tokens at their own price', () => {
    const price = { input: 2, cached: 0.5, output: 10 };
    const usage = { input: 1_000_000, cached: 400_000, output: 100_000 };
    expect(withPrice(usage, price)).toEqual({ ...usage, costUsd: 0.6 * 2 + 0.4 * 0.5 + 0.1 * 10, costBy: 'price' });
  });

  test('does not replace a cost that the agent named, and makes none of half the counts', () => {
    const price = { input: 2, output: 10 };
    expect(withPrice({ input: 5, output: 5, costUsd: 3, costBy: 'agent' }, price)).toMatchObject({ costUsd: 3 });
    expect(withPrice({ input: 5 }, price)).toEqual({ input: 5 });
  });
});

describe('an announced limit', () => {
  const rule: LimitRule = { when: { type: 'limits' }, windows: 'w.*', used: 'used', resetsAt: 'at', full: 100 };
  const windows = (w: object) => announcedIn(rule, { type: 'limits', w });

  test('is that of the fullest window', () => {
    expect(windows({ day: { used: 96.5, at: 1_794_876_104 }, week: { used: 40, at: 1_794_962_504 } })).toEqual({
      percent: 96.5,
      resetAt: 1_794_876_104_000,
    });
  });

  test('without a time that can be read has none', () => {
    expect(windows({ day: { used: 96, at: 'soon' } })).toEqual({ percent: 96 });
    expect(windows({ day: { used: 96, at: -5 } })).toEqual({ percent: 96 });
  });

  test.each([-1, Number.NaN, 1e9, '96', null])('of %j is none', (used) => {
    expect(windows({ day: { used, at: 1_794_876_104 } })).toBeUndefined();
  });
});
