import { expect, test } from 'vitest';
import { lineCells, liveFrame, paintLine } from './live-frame.ts';
import {
  advanceLive,
  firstState,
  type LiveState,
  withActivity,
  withFinished,
  withUsed,
  withWork,
} from './live-state.ts';

const NOW = Date.parse('2026-11-16T22:00:00Z');
const localTime = (at: number) => new Date(at).toISOString().slice(11, 16);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `task_${index + 1}`);

/** Four run, one of them waits; some are finished. */
function night(count: number): LiveState {
  let state = firstState(ids(count), { now: NOW - 3_723_000, title: 'foreword run' });
  const happen = (event: Parameters<typeof advanceLive>[1], agoS: number) => {
    state = advanceLive(state, event, NOW - agoS * 1000);
  };
  happen({ kind: 'run-opened', run: 'tasks-1a2b', branch: 'foreword/tasks-1a2b', isNew: true, uncommitted: [] }, 3723);
  for (const [index, status] of (['completed', 'failed', 'needs-review', 'blocked'] as const).entries())
    happen({ kind: 'task-finished', task: `task_${index + 1}`, status, attempts: 1 }, 100);
  for (const index of [5, 6, 7, 8]) happen({ kind: 'task-claimed', task: `task_${index}`, owner: 'x' }, 90);
  for (const [index, agent] of [
    [5, 'first'],
    [6, 'second'],
  ] as const)
    happen(
      {
        kind: 'attempt-started',
        task: `task_${index}`,
        attempt: 2,
        agent,
        occasion: 'retry',
        handover: 'none',
        handoverTokens: 0,
        buildMs: 1,
        isHeldOut: false,
      },
      72,
    );
  const until = new Date(NOW + 7_805_000).toISOString();
  happen({ kind: 'breaker-opened', agent: 'third', reason: 'quota', until }, 60);
  happen({ kind: 'run-waiting', reason: 'third: quota', until, task: 'task_7' }, 60);
  state = withWork(state, 'task_5', { line: 'Edit src/routes/health.ts' });
  state = withActivity(state, { task: 'task_6', phase: 'checking' }, NOW - 42_000);
  // The second check of the same attempt.
  state = withActivity(state, { task: 'task_6', phase: 'checking' }, NOW - 2_000);
  return withWork(state, 'task_6', { line: 'unit tests pass' });
}

function drawn(state: LiveState, rows: number, columns: number): readonly string[] {
  return liveFrame(state, { rows, columns, localTime }, NOW).map((line) => paintLine(line, false));
}

test('ten tasks on 24 rows: what runs comes first, then what is next, the next reset and the counts', () => {
  expect(drawn(night(10), 24, 80)).toEqual([
    'foreword run  branch foreword/tasks-1a2b  1:02:03',
    '> task_5  first #2   1:12  Edit src/routes/health.ts',
    '> task_6  second #2  1:12  checking 0:42: unit tests pass',
    '> task_8             1:30  prepares its checkout',
    '~ task_7             1:00  waits for third: quota until 00:10, 2:10:05 left',
    'next: task_9, task_10',
    'needs you: task_2 (failed), task_3 (needs-review)',
    'not available: third (quota) until 00:10, 2:10:05 left',
    'done 1 of 10  failed 1  needs you 1  blocked 1  running 3  waiting 1  queued 2',
  ]);
});

test('a time that has passed is not counted down: the task waits for its turn, and the agent is tried again', () => {
  const later = NOW + 8_000_000;
  const lines = liveFrame(night(10), { rows: 24, columns: 80, localTime }, later).map((line) => paintLine(line, false));
  expect(lines.find((line) => line.startsWith('~ task_7'))).toMatch(/ {2}waits for its turn$/);
  expect(lines.join('\n')).not.toContain('not available');
});

test('when every task waits for its first agent, each says for whom and how long', () => {
  const until = new Date(NOW + 7_805_000).toISOString();
  let state = firstState(ids(2), { now: NOW - 60_000, title: 'foreword run' });
  for (const task of ids(2)) {
    state = advanceLive(state, { kind: 'task-claimed', task, owner: 'x' }, NOW - 30_000);
    state = advanceLive(state, { kind: 'run-waiting', reason: 'third: quota', until, task }, NOW - 30_000);
  }
  expect(drawn(state, 24, 80).filter((line) => line.startsWith('~'))).toEqual([
    '~ task_1  0:30  waits for third: quota until 00:10, 2:10:05 left',
    '~ task_2  0:30  waits for third: quota until 00:10, 2:10:05 left',
  ]);
  // A narrow terminal has room for the names alone.
  expect(drawn(state, 24, 20).filter((line) => line.startsWith('~'))).toEqual(['~ task_1  0:30', '~ task_2  0:30']);
});

test('200 tasks take no more room, on 24, 40 and 60 rows', () => {
  for (const rows of [24, 40, 60])
    expect(drawn(night(200), rows, 100)).toEqual([
      'foreword run  branch foreword/tasks-1a2b  1:02:03',
      '> task_5  first #2   1:12  Edit src/routes/health.ts',
      '> task_6  second #2  1:12  checking 0:42: unit tests pass',
      '> task_8             1:30  prepares its checkout',
      '~ task_7             1:00  waits for third: quota until 00:10, 2:10:05 left',
      'next: task_9, task_10, task_11, task_12, task_13 and 187 more',
      'needs you: task_2 (failed), task_3 (needs-review)',
      'not available: third (quota) until 00:10, 2:10:05 left',
      'done 1 of 200  failed 1  needs you 1  blocked 1  running 3  waiting 1  queued 192',
    ]);
});

test('a reviewer is named beside the agent whose work it is, an agent without a box as that', () => {
  const boxed = withActivity(night(10), { task: 'task_5', phase: 'working', agent: 'first', box: 'none' }, NOW);
  const reviewed = withActivity(boxed, { task: 'task_6', phase: 'reviewing', agent: 'third' }, NOW - 5_000);
  expect(drawn(withWork(reviewed, 'task_6', { line: 'Reading the diff' }), 24, 80).slice(1, 3)).toEqual([
    '> task_5  first #2 unboxed  1:12',
    '> task_6  second #2         1:12  reviewing 0:05 by third: Reading the diff',
  ]);
});

test('five rows keep a running task, the number of the others, the reset and the counts', () => {
  expect(drawn(night(200), 5, 80)).toEqual([
    '> task_5  first #2  1:12  Edit src/routes/health.ts',
    '  and 3 more running',
    'not available: third (quota) until 00:10, 2:10:05 left',
    'done 1 of 200  failed 1  needs you 1  blocked 1  running 3  waiting 1',
  ]);
  expect(drawn(night(200), 2, 80)).toEqual(['done 1 of 200  failed 1  needs you 1  blocked 1  running 3  waiting 1']);
});

test('20 columns keep the task and its time', () => {
  expect(drawn(night(10), 24, 20)).toEqual([
    'foreword run  br...',
    '> task_5  1:12',
    '> task_6  1:12',
    '> task_8  1:30',
    '~ task_7  1:00',
    'not available: t...',
    'done 1 of 10',
  ]);
});

test('32 running tasks fit any height and width, whatever their agents print', () => {
  let state = firstState(ids(1000), { now: NOW, title: 'foreword run' });
  for (const id of ids(32)) {
    state = advanceLive(state, { kind: 'task-claimed', task: id, owner: 'x' }, NOW);
    state = withWork(state, id, {
      phase: 'working',
      agent: '漢字エージェント',
      attempt: 12,
      line: '\u001b[31m漢字\u001b[2J\r\n\u0301\u0301한국어 👩‍👩‍👧 '.repeat(30),
    });
  }
  for (const rows of [1, 2, 3, 4, 5, 12, 13, 24, 40, 60])
    for (const columns of [1, 2, 5, 20, 29, 30, 40, 56, 80, 120, 200]) {
      const frame = liveFrame(state, { rows, columns, localTime }, NOW);
      expect(frame.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
      for (const line of frame) expect(lineCells(line)).toBeLessThanOrEqual(Math.max(1, columns - 1));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
      expect(frame.map((line) => paintLine(line, false)).join('')).not.toMatch(/[\u0000-\u001f]/);
    }
});

test('a task whose supervisor is gone is shown as that, before all others', () => {
  const state = night(10);
  const gone = {
    ...state,
    tasks: new Map(state.tasks).set('task_8', { status: 'running', since: NOW, goneSupervisor: 7 }),
  } as LiveState;
  expect(drawn(gone, 24, 80)[1]).toBe('! task_8             0:00  its supervisor (pid 7) is gone');
});

test('colour marks what failed, and is never needed to read a line', () => {
  const [counts = []] = liveFrame(night(10), { rows: 1, columns: 80, localTime }, NOW);
  expect(paintLine(counts, true)).toContain('\u001b[31m  failed 1\u001b[0m');
});

test('a task that a stop put back, or that was done before, is counted as that', () => {
  const state = withFinished(firstState(ids(3), { now: NOW, title: 't' }), new Map([['task_2', 'completed']]));
  expect(drawn({ ...state, isStopping: true }, 24, 80)).toEqual([
    't  0:00  stopping; Ctrl-C again exits at once',
    'next: task_1, task_3',
    'done 1 of 3  queued 2',
  ]);
});

test('what the run used is a line of its own, against its caps', () => {
  const usage = { input: 1000, output: 20, costUsd: 0.25 };
  const event = {
    task: 'task_5',
    attempt: 2,
    agent: 'first',
    status: 'failed',
    durationMs: 1,
    filesChanged: 0,
  } as const;
  const state = { ...night(10), caps: { costUsd: 5, attempts: 30 } };
  const spent = [{ agent: 'second', usage }, { agent: 'second' }];
  const after = advanceLive(withUsed(state, [usage], 1), { kind: 'attempt-finished', ...event, usage, spent }, NOW);
  expect(drawn(after, 24, 100).at(-2)).toBe(
    'used: $0.75 of $5.00 (unknown for 1 of 4), 3,060 tokens (unknown for 1 of 4), 2 of 30 attempts',
  );
});
