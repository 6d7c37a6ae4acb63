import { expect, test } from 'vitest';
import type { KnownWork } from '../kernel/work-file.ts';
import { attempt, delivery, event, NOON, record, run, session } from './contract/samples.ts';
import { importable } from './importable.ts';
import type { TransferLine } from './transfer-line.ts';

const take = (line: unknown) => importable(line as TransferLine, NOON);

test('history comes in with a mark', () => {
  expect(take({ kind: 'task', record: record('a', 'completed') })).toEqual({
    kind: 'task',
    record: { ...record('a', 'completed'), imported: true },
  });
  expect(take({ kind: 'attempt', task: 'a', record: attempt(1) })).toMatchObject({ record: { imported: true } });
  expect(take({ kind: 'event', record: event('e') })).toMatchObject({ record: { imported: true } });
});

test('a task that ran elsewhere is queued, without the run it was in', () => {
  const running = { ...record('a', 'running'), current: { attempt: 1 }, origin: 'tree', baseline: [] };
  const { status: _, ...rest } = record('a', 'running');
  expect(take({ kind: 'task', record: running })).toEqual({
    kind: 'task',
    record: { ...rest, status: 'queued', imported: true },
  });
});

test('an attempt comes without the commit and the log that another state folder has', () => {
  const elsewhere = { ...attempt(1), commit: 'c'.repeat(40), log: '/etc/passwd', stderr: 'late' };
  expect(take({ kind: 'attempt', task: 'a', record: elsewhere })).toEqual({
    kind: 'attempt',
    task: 'a',
    record: { ...attempt(1), stderr: 'late', imported: true },
  });
});

test('a run that was open is not gone on with; a merged one is history', () => {
  expect(take({ kind: 'run', id: 'r', record: run('r') })).toEqual({
    kind: 'run',
    id: 'r',
    record: { ...run('r'), state: 'left' },
  });
  const merged = { ...run('r'), state: 'merged', merged: { at: NOON, commit: 'c', how: 'merge' } };
  expect(take({ kind: 'run', id: 'r', record: merged })).toEqual({ kind: 'run', id: 'r', record: merged });
});

test('a session that did not end is left out; of one that did, places and owner are', () => {
  const ended = {
    ...session('s1'),
    endedAt: '2026-01-01T00:00:00Z',
    owner: 'desk 1 2 3',
    pid: 7,
    agentPid: 8,
    socket: '/tmp/s',
    folder: '/tmp',
    tmux: { socket: '/tmp/t', session: 's1' },
  };
  const { endedAt: _, ...alive } = ended;
  expect(take({ kind: 'session', id: 's1', record: alive })).toBe('sessions that had not ended');
  const { owner: _o, agentPid: _a, socket: _s, folder: _f, tmux: _t, ...rest } = ended;
  expect(take({ kind: 'session', id: 's1', record: ended })).toEqual({
    kind: 'session',
    id: 's1',
    record: { ...rest, pid: 0 },
  });
});

test('a delivery under way is left out', () => {
  expect(take({ kind: 'delivery', id: 'd', record: delivery('d', 'ses_1') })).toBe('deliveries that were under way');
});

test.each([
  ['2099-01-01T00:00:00Z', 'breakers open for longer than 8 days'],
  ['never', 'breakers open for longer than 8 days'],
  [new Date(NOON + 7 * 86_400_000).toISOString(), undefined],
  [new Date(NOON - 1).toISOString(), undefined],
])('a breaker open until %s is left out for: %s', (until, reason) => {
  const line = {
    kind: 'breaker',
    id: 'x',
    record: { agent: 'x', state: 'open', reason: 'quota', openedAt: '2026-01-01T00:00:00Z', until },
  };
  expect(take(line)).toEqual(reason ?? line);
});

test('a breaker on trial belongs to a run elsewhere', () => {
  expect(take({ kind: 'breaker', id: 'x', record: { agent: 'x', state: 'trial' } })).toBe('breakers on trial');
});

const [TIP, TREE, COMMIT] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];
/** The branch of run `r` has the commit of task `done`, and attempt 1 of `a` was kept. */
const work: KnownWork = {
  run: (id) => (id === 'r' ? { tip: TIP, landed: (task) => (task === 'done' ? COMMIT : undefined) } : undefined),
  isAttempt: (task, number, commit) => task === 'a' && number === 1 && commit === COMMIT,
  has: (id) => id.startsWith(TREE),
};
const takeWork = (line: unknown) => importable(line as TransferLine, NOON, work);
const current = { attempt: 2, agent: 'x', startedAt: '2026-01-01T00:00:00Z', before: `${TREE}-1`, promptHash: 'h' };

test('with its commits a run goes on: its task keeps the attempt that was cut off', () => {
  const { status: _, ...rest } = record('a', 'running');
  const running = { ...rest, status: 'running', run: 'r', start: TREE, origin: TREE, current };
  expect(takeWork({ kind: 'task', record: running })).toEqual({
    kind: 'task',
    record: { ...running, status: 'queued', imported: true },
  });
  expect(takeWork({ kind: 'run', id: 'r', record: run('r') })).toEqual({
    kind: 'run',
    id: 'r',
    record: { ...run('r'), tip: TIP },
  });
});

test('a task whose trees did not come along begins again', () => {
  const running = { ...record('a', 'running'), run: 'r', start: TREE, origin: 'd'.repeat(40), current };
  const { status: _, ...rest } = record('a', 'running');
  expect(takeWork({ kind: 'task', record: running })).toEqual({
    kind: 'task',
    record: { ...rest, status: 'queued', run: 'r', imported: true },
  });
});

test('a completed task whose commit is not on the branch is done again', () => {
  const claimed = { ...record('a', 'completed'), run: 'r', commit: COMMIT, by: 'person' };
  const taken = takeWork({ kind: 'task', record: claimed });
  expect(taken).toMatchObject({ record: { status: 'queued', imported: true } });
  for (const field of ['commit', 'by', 'completed_at', 'result', 'task'])
    expect(taken).not.toHaveProperty(`record.${field}`);
  const done = { ...record('done', 'completed'), run: 'r', commit: COMMIT };
  expect(takeWork({ kind: 'task', record: done })).toEqual({ kind: 'task', record: { ...done, imported: true } });
});

test('work that passed elsewhere and is not on the branch is checked here', () => {
  const verdict = { outcome: 'passed', results: [] };
  const passed = { ...record('a', 'running'), run: 'r', start: TREE, current: { ...current, verdict } };
  expect(takeWork({ kind: 'task', record: passed })).not.toHaveProperty('record.current.verdict');
  const on = { ...record('done', 'running'), run: 'r', start: TREE, current: { ...current, verdict } };
  expect(takeWork({ kind: 'task', record: on })).toHaveProperty('record.current.verdict');
});

test('an attempt keeps its commit only if that is what the attempt left', () => {
  const kept = { ...attempt(1), commit: COMMIT, log: '/etc/passwd' };
  expect(takeWork({ kind: 'attempt', task: 'a', record: kept })).toEqual({
    kind: 'attempt',
    task: 'a',
    record: { ...attempt(1), commit: COMMIT, imported: true },
  });
  expect(takeWork({ kind: 'attempt', task: 'b', record: kept })).not.toHaveProperty('record.commit');
});
