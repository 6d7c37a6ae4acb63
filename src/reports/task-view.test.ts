import { expect, test } from 'vitest';
import type { TaskRecord } from '../kernel/task.ts';
import { verdictOf } from '../kernel/verdict.ts';
import { attempt, isoAt, record, run, task } from '../stores/contract/samples.ts';
import { blockedBehind, mergedAt, type SeenTask, taskCommands, taskDetail } from './task-view.ts';

const COMMIT = 'c0ffee'.padEnd(40, '0');
const OPEN = { ...run('tasks-1a2b'), taskFile: 'my tasks.yaml' };
const kept = [{ ...attempt(1), commit: 'd'.repeat(40) }];
const CONFLICT = 'passed, but in conflict with changes made meanwhile: readme.txt';
const conflicting = [1, 2].map((number) => ({
  ...attempt(number),
  commit: 'd'.repeat(40),
  verdict: verdictOf([
    { criterion: 'merge', by: 'merge', outcome: number === 1 ? 'failed' : 'not-run', detail: CONFLICT } as const,
  ]),
}));
const current = { attempt: 2, agent: 'codex', startedAt: isoAt(0), before: 'tree', promptHash: 'x' };
const seen = (task: TaskRecord, more: Partial<SeenTask> = {}): SeenTask => ({
  task: { ...task, run: OPEN.id },
  attempts: kept,
  run: OPEN,
  supervisor: undefined,
  ...more,
});
const gone = { state: 'gone', pid: 41, host: 'here' } as const;
const reason = 'nobody decided "it is pretty"; its work: foreword diff t';

/** Every state of a task that a person sees in another way. */
const STATES: Readonly<Record<string, SeenTask>> = {
  queued: seen(record('t', 'queued'), { attempts: [] }),
  rejected: seen({ ...record('t', 'queued'), rejected: { at: isoAt(0), because: 'wrong\nname' } }),
  undone: seen({ ...record('t', 'queued'), undone: isoAt(0) }),
  running: seen({ ...record('t', 'running'), current }, { supervisor: { ...gone, state: 'alive' } }),
  'running, supervisor gone': seen({ ...record('t', 'running'), current }, { supervisor: gone }),
  'running elsewhere': seen({ ...record('t', 'running'), current }, { supervisor: { ...gone, state: 'unknown' } }),
  'completed by checks': seen({ ...record('t', 'completed'), commit: COMMIT, by: 'checks' }),
  'completed by person': seen({ ...record('t', 'completed'), commit: COMMIT, by: 'person', merged: isoAt(1) }),
  'needs-review': seen({ ...record('t', 'needs-review'), reason }),
  'needs-review, nothing kept': seen({ ...record('t', 'needs-review'), reason }, { attempts: [attempt(1)] }),
  'needs-review, in conflict': seen(
    { ...record('t', 'needs-review'), reason: CONFLICT },
    { attempts: conflicting, run: { ...OPEN, base: { mode: 'head', commit: COMMIT } } },
  ),
  'needs-review, in conflict with uncommitted changes': seen(
    { ...record('t', 'needs-review'), reason: CONFLICT },
    { attempts: conflicting },
  ),
  failed: seen({ ...record('t', 'failed'), reason: 'failed 3 times' }),
  blocked: seen({ ...record('t', 'blocked'), reason: 'no agent is available' }),
};

test('every state: what is shown, and what to do', () => {
  const table = Object.entries(STATES).map(([name, one]) => [name, taskDetail(one), ...taskCommands(one)].join('\n  '));
  expect(table.join('\n')).toMatchInlineSnapshot(`
    "queued
      do t
    rejected
      rejected by a person: wrong name
      foreword run 'my tasks.yaml'
    undone
      undone: a person took its commit back
      foreword run 'my tasks.yaml'
    running
      attempt 2 by codex
    running, supervisor gone
      its supervisor (pid 41) is gone; foreword run goes on with it (attempt 2 by codex)
      foreword run 'my tasks.yaml'
    running elsewhere
      attempt 2 by codex, on here
    completed by checks
      by its checks, not merged
    completed by person
      accepted by a person, merged
    needs-review
      nobody decided "it is pretty"
      foreword diff t
      foreword accept t
      foreword reject t --because TEXT
    needs-review, nothing kept
      nobody decided "it is pretty"
      foreword reject t --because TEXT
      foreword run 'my tasks.yaml'
    needs-review, in conflict
      passed, but in conflict with changes made meanwhile: readme.txt
      foreword diff t
      foreword reject t --because TEXT
    needs-review, in conflict with uncommitted changes
      passed, but in conflict with changes made meanwhile: readme.txt
      foreword diff t
      foreword accept t
      foreword reject t --because TEXT
    failed
      failed 3 times
      foreword diff t
      foreword accept t
      foreword reject t --because TEXT
      foreword run 'my tasks.yaml'
    blocked
      no agent is available
      foreword run 'my tasks.yaml'"
  `);
});

test('a task counts as merged when its run is, also when its own record was not written any more', () => {
  const task: TaskRecord = { ...record('t', 'completed'), commit: COMMIT };
  const merged = { ...OPEN, state: 'merged', merged: { at: isoAt(5), commit: COMMIT, how: 'merge' } } as const;
  expect([mergedAt({ task, run: OPEN }), mergedAt({ task, run: merged })]).toEqual([undefined, isoAt(5)]);
  expect(mergedAt({ task: record('t', 'completed'), run: merged })).toBeUndefined();
});

test('an id from a hostile task file is one word of the command to copy', () => {
  const id = "x'; rm -rf ~ #$(id)";
  const [first] = taskCommands(seen({ ...record(id, 'needs-review') }));
  expect(first).toBe(`foreword diff 'x'\\''; rm -rf ~ #$(id)'`);
});

test('a blocked task is behind another only as long as that is not completed', () => {
  const after = (id: string, of: string): TaskRecord => ({
    ...record(id, 'blocked'),
    task: { ...task(id), depends_on: [of] },
  });
  const tasks = [
    record('bad', 'failed'),
    after('b', 'bad'),
    after('c', 'b'),
    record('ok', 'completed'),
    after('d', 'ok'),
  ];
  expect([...blockedBehind(tasks)]).toEqual(['b', 'c']);
});

test('the command that goes on names the configuration with which the run was started', () => {
  const one = seen(
    { ...record('t', 'running'), current },
    { supervisor: gone, run: { ...OPEN, config: '../my.json' } },
  );
  expect(taskCommands(one)).toEqual(["foreword run 'my tasks.yaml' --config ../my.json"]);
});

test('commands for a task of a shared run are those that machines together take: foreword run refuses it', () => {
  const run = { ...OPEN, remote: 'origin' };
  const commands = (task: TaskRecord, more: Partial<SeenTask> = {}) => taskCommands(seen(task, { run, ...more }));
  expect(commands({ ...record('t', 'running'), current }, { supervisor: gone })).toEqual(['foreword worker']);
  expect(commands({ ...record('t', 'queued'), undone: isoAt(0) })).toEqual(['foreword worker']);
  expect(commands(record('t', 'blocked'))).toEqual(["foreword enqueue 'my tasks.yaml' --remote origin"]);
  expect(commands(record('t', 'failed')).at(-1)).toBe("foreword enqueue 'my tasks.yaml' --remote origin");
  const detail = taskDetail(seen({ ...record('t', 'running'), current }, { run, supervisor: gone }));
  expect(detail).toContain('another worker goes on with it');
});
