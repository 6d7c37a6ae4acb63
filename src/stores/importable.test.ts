import { expect, test } from 'vitest';
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
