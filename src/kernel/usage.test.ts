import { expect, test } from 'vitest';
import { addUsage, usageText } from './usage.ts';

test('a sum adds what is known, and counts what is not', () => {
  const all = [{ input: 1000, cached: 400, output: 20, costUsd: 0.25 }, undefined, { input: 5, output: 1 }];
  expect(addUsage(all)).toEqual({
    input: 1005,
    cached: 400,
    output: 21,
    costUsd: 0.25,
    runs: 3,
    withoutTokens: 1,
    withoutCost: 2,
  });
});

test('a sum of nothing known has no number that could be read as 0', () => {
  expect(addUsage([undefined, {}])).toEqual({ runs: 2, withoutTokens: 2, withoutCost: 2 });
});

test.each([
  [undefined, 'unknown'],
  [{}, 'tokens unknown, cost unknown'],
  [{ input: 12_345, cached: 8000, output: 678, costUsd: 0.1234 }, '12,345 tokens in (8,000 cached), 678 out, $0.12'],
  [{ input: 5, cached: 0, output: 1, costUsd: 0.0042 }, '5 tokens in, 1 out, $0.0042'],
  [{ input: 5, output: 1, costUsd: 0.0000421 }, '5 tokens in, 1 out, $0.000042'],
  [{ output: 1 }, 'unknown tokens in, 1 out, cost unknown'],
  [
    addUsage([{ input: 5, output: 1, costUsd: 2 }, { input: 1, output: 1 }, undefined]),
    '6 tokens in, 2 out (unknown for 1 of 3 agent runs), $2.00 (unknown for 2 of 3 agent runs)',
  ],
])('%j reads as %s', (usage, text) => {
  expect(usageText(usage)).toBe(text);
});
