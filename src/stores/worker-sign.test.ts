import { expect, test } from 'vitest';
import { readWorkerSign } from './worker-sign.ts';

const AT = '2026-11-18T00:00:00.000Z';
const NONE = { jobs: 0, claims: 0, completed: 0, takeovers: 0, spooled: 0, dropped: 0 };
const SIGN = {
  id: 'w',
  host: 'h',
  pid: 7,
  version: '1.0.0',
  agents: ['first'],
  concurrency: 2,
  state: 'draining',
  startedAt: AT,
  seenAt: AT,
  tasks: ['a'],
  counts: { jobs: 9, claims: 8, completed: 7, takeovers: 6, spooled: 5, dropped: 4 },
  lagMs: 12,
  queue: { waiting: 3, active: 2, delayed: 1 },
};

test('a sign is read as it was written', () => {
  expect(readWorkerSign(SIGN)).toEqual(SIGN);
});

test('a sign of another version has what it lacks as nothing', () => {
  expect(readWorkerSign({ id: 'w', seenAt: AT, counts: { claims: 2 }, more: 1 })).toEqual({
    ...{ id: 'w', host: '', pid: 0, version: '', agents: [], concurrency: 0, state: 'open', tasks: [] },
    ...{ startedAt: AT, seenAt: AT, counts: { ...NONE, claims: 2 } },
  });
});

test.each([
  ['null', null],
  ['a text', 'w'],
  ['a list', [SIGN]],
  ['without an id', { ...SIGN, id: undefined }],
  ['with an empty id', { ...SIGN, id: '' }],
  ['without a time', { ...SIGN, seenAt: 'yesterday' }],
])('%s is no sign', (_, value) => {
  expect(readWorkerSign(value)).toBeUndefined();
});

test('what is of another kind is nothing', () => {
  const counts = { claims: '7', completed: -1, takeovers: Number.NaN, spooled: null, dropped: {} };
  const hostile = { ...SIGN, counts, agents: 'first', tasks: ['a', 7, null], pid: '1', queue: 'long', lagMs: [] };
  expect(readWorkerSign(hostile)).toEqual({
    ...{ ...SIGN, counts: NONE, agents: [], tasks: ['a'], pid: 0, lagMs: 0 },
    queue: { waiting: 0, active: 0, delayed: 0 },
  });
});
