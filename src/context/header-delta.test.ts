import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import type { Header } from './header.ts';
import { headerDelta, shownOf } from './header-delta.ts';

const HEADER: Header = {
  repo: { branch: 'main', head: '57507e3', recent_window: '180s' },
  pending: [{ id: 'task-217', age: '2d ago', files: ['src/auth.ts'] }],
  backlog: [{ id: 'fact-001', summary: 'Build src/factorial.py' }],
  hotspots: [{ path: 'scratch/exp.md', age: 'just now' }],
  targets: [],
  policy: ['patch-only'],
  next_work: ['review task-217 (2d ago)', 'pick fact-001: Build src/factorial.py', 'look at scratch/exp.md'],
  mode: 'propose',
};

const how = { maxChars: 1024, render: (part: Partial<Header>) => JSON.stringify(part) };
const change = (part: Partial<Header>) => {
  const { text } = headerDelta({ ...HEADER, ...part }, shownOf(HEADER), how);
  return text === '' ? undefined : JSON.parse(text);
};

test('the first time an agent is told everything, next work first', () => {
  const { text } = headerDelta(HEADER, undefined, how);
  expect(Object.keys(JSON.parse(text))).toEqual([
    'next_work',
    'pending',
    'backlog',
    'hotspots',
    'policy',
    'repo',
    'mode',
  ]);
});

test('an agent is told nothing twice', () => {
  expect(change({})).toBeUndefined();
});

test('ages do not count as change', () => {
  expect(
    change({
      pending: [{ id: 'task-217', age: '3d ago', files: ['src/auth.ts'] }],
      hotspots: [{ path: 'scratch/exp.md', age: '45s ago' }],
      next_work: ['review task-217 (3d ago)', ...HEADER.next_work.slice(1)],
    }),
  ).toBeUndefined();
});

test('an agent is told only the sections that changed', () => {
  expect(change({ repo: { branch: 'main', head: 'abc1234', recent_window: '180s' } })).toEqual({
    repo: { branch: 'main', head: 'abc1234', recent_window: '180s' },
  });
  expect(change({ policy: ['patch-only', 'deny:secrets/**'] })).toEqual({ policy: ['patch-only', 'deny:secrets/**'] });
  expect(change({ unavailable: ['.foreword/tasks.yaml'] })).toEqual({ unavailable: ['.foreword/tasks.yaml'] });
});

test('a list that became empty is shown as empty', () => {
  expect(change({ backlog: [], next_work: ['review task-217 (2d ago)', 'look at scratch/exp.md'] })).toEqual({
    next_work: ['review task-217 (2d ago)', 'look at scratch/exp.md'],
    backlog: [],
  });
});

test('a note that stopped being recent is no news, a new one is, and so is one that is touched again later', () => {
  const without = { ...HEADER, hotspots: [], next_work: HEADER.next_work.slice(0, 2) };
  const gone = headerDelta(without, shownOf(HEADER), how);
  expect(gone.text).toBe('');
  expect(JSON.parse(headerDelta(HEADER, gone.shown, how).text)).toEqual({
    next_work: HEADER.next_work,
    hotspots: HEADER.hotspots,
  });
});

test('finished work alone is not a change, because the lists that became empty show it', () => {
  const before = shownOf({ ...HEADER, pending: [], backlog: [], next_work: ['look at scratch/exp.md'] });
  const now = { ...HEADER, pending: [], backlog: [], hotspots: [], next_work: ['noop'] };
  expect(headerDelta(now, before, how).text).toBe('');
});

test('what has no room is counted, and next work stays', () => {
  const backlog = Array.from({ length: 7 }, (_, index) => ({ id: `t${index}`, summary: 'x'.repeat(100) }));
  const { text } = headerDelta({ ...HEADER, backlog, more: { backlog: 5 } }, undefined, { ...how, maxChars: 600 });
  expect(text.length).toBeLessThanOrEqual(600);
  const part = JSON.parse(text);
  expect(part.next_work).toEqual(HEADER.next_work);
  expect(part.backlog.length).toBeLessThan(7);
  expect(part.more.backlog).toBe(12 - part.backlog.length);
});

test('where not even a line fits the text is empty', () => {
  expect(headerDelta(HEADER, undefined, { ...how, maxChars: 10 }).text).toBe('');
});

test('never longer than the budget, and an agent is told nothing twice', () => {
  const word = fc.string({ maxLength: 40 });
  const header: fc.Arbitrary<Header> = fc.record({
    repo: fc.record({ branch: fc.option(word), head: fc.option(word), recent_window: fc.constant('180s') }),
    pending: fc.array(fc.record({ id: word, age: fc.constant('1h ago'), files: fc.array(word, { maxLength: 4 }) }), {
      maxLength: 7,
    }),
    backlog: fc.array(fc.record({ id: word, summary: fc.string({ maxLength: 120 }) }), { maxLength: 7 }),
    hotspots: fc.array(fc.record({ path: word, age: fc.constant('just now') }), { maxLength: 7 }),
    targets: fc.array(word, { maxLength: 12 }),
    policy: fc.array(word, { maxLength: 7 }),
    next_work: fc.array(word, { minLength: 1, maxLength: 3 }),
    mode: fc.constantFrom('propose', 'review'),
  });
  fc.assert(
    fc.property(header, header, fc.integer({ min: 0, max: 1500 }), (one, other, maxChars) => {
      const first = headerDelta(one, undefined, { ...how, maxChars });
      expect(first.text.length).toBeLessThanOrEqual(maxChars);
      expect(headerDelta(one, first.shown, { ...how, maxChars }).text).toBe('');
      const second = headerDelta(other, first.shown, { ...how, maxChars });
      expect(second.text.length).toBeLessThanOrEqual(maxChars);
    }),
    { numRuns: scaled(1000) },
  );
});
