import { expect, test } from 'vitest';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { RunRecord, RunState } from '../../kernel/run.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import { attempt, record, run } from '../../stores/contract/samples.ts';
import { type Decision, decideRun, decideTask, type RunAct, type TaskAct, type TaskFacts } from './decide.ts';

const COMMIT = 'c'.repeat(40);
const AT = '2026-01-01T12:00:00.000Z';

/** Every state of a task that makes a difference. */
const STATES: Readonly<Record<string, TaskRecord>> = {
  queued: record('t', 'queued'),
  'queued, rejected': { ...record('t', 'queued'), rejected: { at: AT, because: 'no' } },
  running: record('t', 'running'),
  'completed by checks': { ...record('t', 'completed'), commit: COMMIT, by: 'checks' },
  'completed by person': { ...record('t', 'completed'), commit: COMMIT, by: 'person' },
  'completed, merged': { ...record('t', 'completed'), commit: COMMIT, by: 'checks', merged: AT },
  'completed, no commit': record('t', 'completed'),
  failed: record('t', 'failed'),
  blocked: record('t', 'blocked'),
  'needs-review': record('t', 'needs-review'),
};

const KEPT: Readonly<Record<string, readonly AttemptRecord[]>> = {
  kept: [attempt(1), { ...attempt(2), commit: 'd'.repeat(40) }],
  '-': [attempt(1)],
};

const RUN_STATES = ['open', 'merged', 'left', 'none'] as const;

function runOf(state: RunState): RunRecord {
  return { ...run('r'), state, ...(state === 'merged' ? { merged: { at: AT, commit: COMMIT, how: 'merge' } } : {}) };
}

const COMMANDS: Readonly<Record<string, (facts: TaskFacts) => Decision<TaskAct | RunAct> | undefined>> = {
  diff: (facts) => decideTask({ name: 'diff' }, facts),
  accept: (facts) => decideTask({ name: 'accept' }, facts),
  reject: (facts) => decideTask({ name: 'reject', because: 'wrong name' }, facts),
  undo: (facts) => decideTask({ name: 'undo' }, facts),
  merge: ({ run: of, tasks }) => of && decideRun({ name: 'merge', isSquash: false }, of, tasks),
  run: (facts) => decideTask({ name: 'run' }, facts),
  clean: (facts) => decideTask({ name: 'clean' }, facts),
};

function factsOf(state: string, kept: string, runState: (typeof RUN_STATES)[number]): TaskFacts {
  const isNone = runState === 'none';
  const task: TaskRecord = { ...(STATES[state] ?? record('t', 'queued')), ...(isNone ? {} : { run: 'r' }) };
  return { task, attempts: KEPT[kept] ?? [], run: isNone ? undefined : runOf(runState), tasks: [task] };
}

function shown(decision: Decision<TaskAct | RunAct> | undefined): string {
  if (decision?.kind !== 'allowed') return '·';
  const { act } = decision;
  switch (act.kind) {
    case 'run':
      return act.as;
    case 'clean':
      return act.attempts;
    case 'show':
      return 'attempt' in act ? 'attempt' : 'commit';
    default:
      return act.kind;
  }
}

const every = Object.keys(STATES).flatMap((state) =>
  Object.keys(KEPT).flatMap((kept) => RUN_STATES.map((of) => ({ state, kept, of, facts: factsOf(state, kept, of) }))),
);

test('the matrix: every state of a task, with and without kept work, in every state of its run, by every command', () => {
  const names = Object.keys(COMMANDS);
  const line = (first: string, cells: readonly string[]) =>
    `${first.padEnd(36)}${cells.map((cell) => cell.padEnd(13)).join('')}`.trimEnd();
  const rows = new Map<string, string>();
  for (const { state, kept, of, facts } of every) {
    const cells = names.map((name) => shown(COMMANDS[name]?.(facts)));
    const key = [state.padEnd(22), kept, cells.join()].join();
    const before = rows.get(key)?.split('|')[0];
    rows.set(
      key,
      `${before === undefined ? `${state.padEnd(22)}${kept.padEnd(6)}${of}` : `${before} ${of}`}|${cells.join()}`,
    );
  }
  const table = [...rows.values()].map((row) => {
    const [first = '', cells = ''] = row.split('|');
    return `${first.padEnd(56)}${cells
      .split(',')
      .map((cell) => cell.padEnd(13))
      .join('')}`.trimEnd();
  });
  expect(
    `\n${[line('', []).padEnd(56) + names.map((name) => name.padEnd(13)).join(''), ...table].join('\n')}\n`,
  ).toMatchInlineSnapshot(`
    "
                                                            diff         accept       reject       undo         merge        run          clean        
    queued                kept  open merged left none       attempt      ·            ·            ·            ·            next         keep
    queued                -     open merged left none       ·            ·            ·            ·            ·            next         keep
    queued, rejected      kept  open merged left none       attempt      ·            ·            ·            ·            next         keep
    queued, rejected      -     open merged left none       ·            ·            ·            ·            ·            next         keep
    running               kept  open merged left none       attempt      ·            ·            ·            ·            elsewhere    keep
    running               -     open merged left none       ·            ·            ·            ·            ·            elsewhere    keep
    completed by checks   kept  open                        commit       ·            ·            undo         merge        skip         old
    completed by checks   kept  merged                      commit       ·            ·            print-revert ·            skip         old
    completed by checks   kept  left                        commit       ·            ·            undo         merge        again        old
    completed by checks   kept  none                        commit       ·            ·            ·            ·            skip         old
    completed by checks   -     open                        commit       ·            ·            undo         merge        skip         old
    completed by checks   -     merged                      commit       ·            ·            print-revert ·            skip         old
    completed by checks   -     left                        commit       ·            ·            undo         merge        again        old
    completed by checks   -     none                        commit       ·            ·            ·            ·            skip         old
    completed by person   kept  open                        commit       ·            ·            undo         merge        skip         old
    completed by person   kept  merged                      commit       ·            ·            print-revert ·            skip         old
    completed by person   kept  left                        commit       ·            ·            undo         merge        again        old
    completed by person   kept  none                        commit       ·            ·            ·            ·            skip         old
    completed by person   -     open                        commit       ·            ·            undo         merge        skip         old
    completed by person   -     merged                      commit       ·            ·            print-revert ·            skip         old
    completed by person   -     left                        commit       ·            ·            undo         merge        again        old
    completed by person   -     none                        commit       ·            ·            ·            ·            skip         old
    completed, merged     kept  open merged left none       commit       ·            ·            print-revert ·            skip         old
    completed, merged     -     open merged left none       commit       ·            ·            print-revert ·            skip         old
    completed, no commit  kept  open merged none            attempt      ·            ·            ·            ·            skip         old
    completed, no commit  kept  left                        attempt      ·            ·            ·            ·            again        old
    completed, no commit  -     open merged none            ·            ·            ·            ·            ·            skip         old
    completed, no commit  -     left                        ·            ·            ·            ·            ·            again        old
    failed                kept  open merged left            attempt      accept       reject       ·            ·            again        old
    failed                kept  none                        attempt      ·            reject       ·            ·            again        old
    failed                -     open merged left none       ·            ·            reject       ·            ·            again        old
    blocked               kept  open merged left none       attempt      ·            ·            ·            ·            again        old
    blocked               -     open merged left none       ·            ·            ·            ·            ·            again        old
    needs-review          kept  open merged left            attempt      accept       reject       ·            ·            skip         keep
    needs-review          kept  none                        attempt      ·            reject       ·            ·            again        keep
    needs-review          -     open merged left none       ·            ·            reject       ·            ·            again        keep
    "
  `);
});

test('every refusal says why and what to do', () => {
  const all = new Set<string>();
  for (const { facts } of every) {
    for (const command of Object.values(COMMANDS)) {
      const decision = command(facts);
      if (decision?.kind === 'refused') all.add(`${decision.because} → ${decision.hint}`);
    }
  }
  expect(`\n${[...all].sort().join('\n')}\n`).toMatchInlineSnapshot(`
    "
    Run r has nothing to merge: no task is completed in it and not merged yet. → Not completed: t (blocked).
    Run r has nothing to merge: no task is completed in it and not merged yet. → Not completed: t (failed).
    Run r has nothing to merge: no task is completed in it and not merged yet. → Not completed: t (needs-review).
    Run r has nothing to merge: no task is completed in it and not merged yet. → Not completed: t (queued).
    Run r has nothing to merge: no task is completed in it and not merged yet. → foreword status shows what there is.
    Run r is still at work on t (running). → Wait until it ends: foreword status shows it. If it was cut off, foreword run goes on with it.
    Run r was merged already (2026-01-01T12:00:00.000Z). → Run the task file again: it begins another run.
    Task t has no commit of its own. → It was completed by a version that made none; use git.
    Task t has no work that was kept. → foreword run does it again.
    Task t has no work to show: it is blocked. → foreword history t lists its attempts.
    Task t has no work to show: it is completed. → foreword history t lists its attempts.
    Task t has no work to show: it is failed. → foreword history t lists its attempts.
    Task t has no work to show: it is needs-review. → foreword history t lists its attempts.
    Task t has no work to show: it is queued. → foreword history t lists its attempts.
    Task t has no work to show: it is running. → foreword history t lists its attempts.
    Task t is being worked on. → Wait until it ends: foreword status shows it. If it was cut off, foreword run goes on with it.
    Task t is blocked: no agent could work on it. → foreword run tries it again.
    Task t is completed already. → foreword diff t shows its work.
    Task t is completed. → foreword undo t prints the command that takes its change back.
    Task t is completed. → foreword undo t takes its commit back and puts the task back in the queue.
    Task t is not completed: it is blocked. → Nothing of it is on a branch.
    Task t is not completed: it is failed. → foreword reject t --because TEXT sends its work back.
    Task t is not completed: it is needs-review. → foreword reject t --because TEXT sends its work back.
    Task t is not completed: it is queued. → Nothing of it is on a branch.
    Task t is not completed: it is running. → Nothing of it is on a branch.
    Task t waits for an agent: there is nothing to accept. → foreword run works on it.
    Task t waits for an agent: there is nothing to reject. → foreword run works on it.
    Task t was sent back already (2026-01-01T12:00:00.000Z). → foreword run works on it.
    The run of task t is not known here. → Its commit is cccccccccccccccccccccccccccccccccccccccc, if the branch is here.
    The run of task t is not known here. → foreword run does it again.
    "
  `);
});

test('accept takes the last attempt that was kept since the task was begun, and names what it overrules', () => {
  const facts = factsOf('needs-review', 'kept', 'open');
  expect(decideTask({ name: 'accept' }, facts)).toEqual({
    kind: 'allowed',
    act: {
      kind: 'accept',
      run: facts.run,
      attempt: facts.attempts[1],
      commit: 'd'.repeat(40),
      overruled: ['expected 1 to be 2'],
    },
  });
  const begunAgain = { ...facts, task: { ...facts.task, countedFrom: 2 } };
  expect(decideTask({ name: 'accept' }, begunAgain)).toMatchObject({ because: 'Task t has no work that was kept.' });
});

test('a failed task is accepted only if one of its attempts changed something, be it not the last', () => {
  const facts = factsOf('failed', 'kept', 'open');
  const nothing = { ...facts, attempts: [{ ...attempt(1), commit: COMMIT, files_updated: [] }] };
  expect(decideTask({ name: 'accept' }, nothing)).toEqual({
    kind: 'refused',
    because: 'No attempt at task t changed a file.',
    hint: 'foreword run does it again.',
  });
  const retried = { ...attempt(2), commit: COMMIT, files_updated: [] };
  const earlier = { ...facts, attempts: [{ ...attempt(1), commit: COMMIT }, retried] };
  expect(decideTask({ name: 'accept' }, earlier)).toMatchObject({ kind: 'allowed', act: { attempt: retried } });
});

test('reject needs a reason', () => {
  const facts = factsOf('needs-review', 'kept', 'open');
  expect(decideTask({ name: 'reject', because: ' \n' }, facts)).toMatchObject({
    because: 'Task t cannot be rejected without a reason.',
  });
});

test('undo names the tasks that depend on it, directly or not, and are done or under way', () => {
  const facts = factsOf('completed by checks', 'kept', 'open');
  const after = (id: string, status: TaskRecord['status'], on: string): TaskRecord => {
    const whole = record(id, status);
    return { ...whole, ...(whole.task === undefined ? {} : { task: { ...whole.task, depends_on: [on] } }) };
  };
  const tasks = [
    after('c', 'completed', 'b'),
    facts.task,
    after('b', 'queued', 't'),
    after('d', 'running', 'c'),
    record('x', 'completed'),
  ];
  expect(decideTask({ name: 'undo' }, { ...facts, tasks })).toMatchObject({ act: { dependents: ['c', 'd'] } });
});

test('what was merged is taken back by the person', () => {
  const facts = factsOf('completed, merged', 'kept', 'merged');
  expect(decideTask({ name: 'undo' }, facts)).toMatchObject({ act: { command: `git revert ${COMMIT}` } });
  const written = { ...runOf('merged'), merged: { at: AT, commit: COMMIT, how: 'files' } as const };
  expect(decideTask({ name: 'undo' }, { ...facts, run: written })).toMatchObject({
    act: { command: 'foreword diff t | patch -p1 -R' },
  });
});

test('an imported task has its commit elsewhere', () => {
  const facts = factsOf('completed by checks', '-', 'left');
  const decision = decideTask({ name: 'undo' }, { ...facts, task: { ...facts.task, imported: true } });
  expect(decision).toMatchObject({ because: 'The run of task t is not known here.' });
});

test('an imported task of a run that goes on can be undone', () => {
  const facts = factsOf('completed by checks', '-', 'open');
  const decision = decideTask({ name: 'undo' }, { ...facts, task: { ...facts.task, imported: true } });
  expect(decision).toMatchObject({ kind: 'allowed', act: { kind: 'undo' } });
});

test('a diff of an attempt that is not there, or was not kept, says so', () => {
  const facts = factsOf('failed', 'kept', 'open');
  expect(decideTask({ name: 'diff', attempt: 2 }, facts)).toMatchObject({
    act: { commit: 'd'.repeat(40), attempt: 2 },
  });
  expect(decideTask({ name: 'diff', attempt: 1 }, facts)).toMatchObject({
    because: 'The work of attempt 1 of task t was not kept.',
  });
  expect(decideTask({ name: 'diff', attempt: 9 }, facts)).toMatchObject({ hint: 'It has attempts 1 to 2.' });
});

test('a merge names what comes with it and what does not', () => {
  const mine = (task: TaskRecord): TaskRecord => ({ ...task, run: 'r' });
  const done = mine({ ...record('a', 'completed'), commit: COMMIT });
  const open = mine(record('b', 'needs-review'));
  const decision = decideRun({ name: 'merge', isSquash: true }, run('r'), [done, open, record('x', 'failed')]);
  expect(decision).toEqual({
    kind: 'allowed',
    act: { kind: 'merge', run: run('r'), isSquash: true, tasks: [done], without: [open] },
  });
  const empty = { ...run('r'), tip: run('r').base.commit };
  expect(decideRun({ name: 'merge', isSquash: true }, empty, [done, open])).toMatchObject({ kind: 'refused' });
  expect(decideRun({ name: 'diff' }, empty, [])).toMatchObject({ kind: 'refused' });
  expect(decideRun({ name: 'diff' }, run('r'), [])).toMatchObject({
    act: { from: 'a'.repeat(40), to: 'b'.repeat(40) },
  });
});
