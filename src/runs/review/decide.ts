// What a person may do with the work of a task, decided from the stored records alone. accept.ts, undo.ts and the others beside
// this file act on it; nothing is asked of git here, so what only git knows (a conflict, a branch that somebody moved, a commit
// that is gone) is found by them.
//
// A task is in one of six statuses. Completed ones differ by where their commit is:
//
// queued         Waits for an agent. Can be entered from needs-review and failed by `reject`, and from completed by `undo`.
//                What earlier attempts left can be looked at; there is nothing to decide.
// running        An agent works on it. A person waits: nothing but looking is possible until it ends.
// completed      Its commit is on the run's branch: by its checks, or by a person's word (`accept`, from needs-review or failed).
//                `undo` takes the commit back.
//   merged       Its commit, or the change that it makes, is in the person's branch. That is theirs: `undo` prints the command
//                that takes it back and runs nothing.
//   no commit    Completed by a version without commits, or known by import only: there is nothing to take back.
// needs-review   A person must decide: `accept` or `reject`. With work that was kept, `run` leaves it alone, since another attempt
//                would cost money and could lose what is there; without such work there is nothing to decide, and `run` does it again.
// failed         Its checks say no. A person may overrule them (`accept`) if an attempt changed something, or send it back
//                with a better reason (`reject`).
// blocked        No agent could work, so nothing was judged. Only `run` goes on with it.
//
// "Kept" is the last attempt since the task was last begun whose work is a commit in our repository. Attempts of older
// versions and imported ones have none.
//
// A run is in one of three states. None is never an end for the work of a task:
//
// open           Its task file goes on in it. Entered when it begins.
// merged         The person has all its commits. Entered by `merge`. Left when `accept` adds a commit to its branch: then it is `left`.
// left           Its branch has commits that are not merged, and no task goes on in it (`--new` began another run, its record was
//                imported alone, or something was accepted after its merge). It can be merged. Tasks completed in it are done again
//                by `run`.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import { nameSome } from '../../kernel/name-some.ts';
import type { RunRecord } from '../../kernel/run.ts';
import type { TaskRecord } from '../../kernel/task.ts';

export type TaskCommand =
  | { readonly name: 'diff'; readonly attempt?: number }
  | { readonly name: 'accept' }
  | { readonly name: 'reject'; readonly because: string }
  | { readonly name: 'undo' }
  | { readonly name: 'run' }
  | { readonly name: 'clean' };

export type WholeRunCommand = { readonly name: 'diff' } | { readonly name: 'merge'; readonly isSquash: boolean };

export interface TaskFacts {
  readonly task: TaskRecord;
  /** Every attempt ever made, by number. */
  readonly attempts: readonly AttemptRecord[];
  /** The run that the task names; `undefined` when it names none or that is gone. */
  readonly run: RunRecord | undefined;
  /** All tasks of the store, for those that depend on this one. */
  readonly tasks: readonly TaskRecord[];
}

export type Decision<Act> =
  | { readonly kind: 'allowed'; readonly act: Act }
  /** One sentence each: why not, and what to do instead. */
  | { readonly kind: 'refused'; readonly because: string; readonly hint: string };

export type TaskAct =
  | ShowAct
  | AcceptAct
  | { readonly kind: 'reject'; readonly because: string }
  | UndoAct
  /** Merged already: what the person can run themselves. */
  | { readonly kind: 'print-revert'; readonly command: string; readonly dependents: readonly string[] }
  /** `next`: it is done; `again`: it is done once more; `skip`: nothing is done; `elsewhere`: somebody works on it. */
  | { readonly kind: 'run'; readonly as: 'next' | 'again' | 'skip' | 'elsewhere' }
  /** `old`: its attempts are removed when they are older than the limit. */
  | { readonly kind: 'clean'; readonly attempts: 'keep' | 'old' };

/** What `commit` changed, compared with its parent. */
export interface ShowAct {
  readonly kind: 'show';
  readonly commit: string;
  /** Absent when it is the commit on the run's branch. */
  readonly attempt?: number;
}

export interface AcceptAct {
  readonly kind: 'accept';
  readonly run: RunRecord;
  readonly attempt: AttemptRecord;
  /** The attempt's commit. Its parent is where the task began. */
  readonly commit: string;
  /** What the person overrules. */
  readonly overruled: readonly string[];
}

export interface UndoAct {
  readonly kind: 'undo';
  readonly run: RunRecord;
  readonly commit: string;
  /** Tasks that depend on it, directly or not, and are completed or running: they may need it. */
  readonly dependents: readonly string[];
}

export type RunAct =
  | { readonly kind: 'show'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'merge';
      readonly run: RunRecord;
      readonly isSquash: boolean;
      /** Tasks of the run whose commits come with it. */
      readonly tasks: readonly TaskRecord[];
      /** Tasks of the run that are not completed, and so not in it. */
      readonly without: readonly TaskRecord[];
    };

/** Records do not say whether the process that works on it is alive. */
const wait = (run: TaskFacts['run']) =>
  `Wait until it ends: foreword status shows it. If it was cut off, ${whoWorks(run)} goes on with it.`;

/** Who does what is in the queue; one that machines share is refused by `foreword run`. */
const whoWorks = (run: TaskFacts['run']) => (run?.remote === undefined ? 'foreword run' : 'a worker');
const whoTriesAgain = (run: TaskFacts['run']) => (run?.remote === undefined ? 'foreword run' : 'foreword enqueue');

export function decideTask(command: TaskCommand, facts: TaskFacts): Decision<TaskAct> {
  switch (command.name) {
    case 'diff':
      return decideDiff(command.attempt, facts);
    case 'accept':
      return decideAccept(facts);
    case 'reject':
      return decideReject(command.because, facts);
    case 'undo':
      return decideUndo(facts);
    case 'run':
      return { kind: 'allowed', act: { kind: 'run', as: howToRun(facts) } };
    case 'clean':
      return { kind: 'allowed', act: { kind: 'clean', attempts: mayLoseAttempts(facts.task) ? 'old' : 'keep' } };
  }
}

/** `tasks` are all tasks of the store. */
export function decideRun(command: WholeRunCommand, run: RunRecord, tasks: readonly TaskRecord[]): Decision<RunAct> {
  const own = tasks.filter((task) => task.run === run.id);
  const isEmpty = run.tip === run.base.commit;
  if (command.name === 'diff') {
    if (isEmpty) return refused(`Run ${run.id} has no completed task yet.`, 'foreword status shows its tasks.');
    return { kind: 'allowed', act: { kind: 'show', from: run.base.commit, to: run.tip } };
  }
  if (run.state === 'merged') {
    const { at = '', how = 'merge' } = run.merged ?? {};
    const verb = how === 'files' ? 'written into the folder' : 'merged';
    return refused(`Run ${run.id} was ${verb} already (${at}).`, 'Run the task file again: it begins another run.');
  }
  const running = own.filter((task) => task.status === 'running');
  if (running.length > 0) {
    return refused(`Run ${run.id} is still at work on ${names(running)}.`, wait(run));
  }
  const done = own.filter(
    (task) => task.status === 'completed' && task.commit !== undefined && !isMerged({ task, run }),
  );
  const without = own.filter((task) => task.status !== 'completed');
  if (isEmpty || done.length === 0) {
    const hint = without.length === 0 ? 'foreword status shows what there is.' : `Not completed: ${names(without)}.`;
    return refused(`Run ${run.id} has nothing to merge: no task is completed in it and not merged yet.`, hint);
  }
  return { kind: 'allowed', act: { kind: 'merge', run, isSquash: command.isSquash, tasks: done, without } };
}

function decideDiff(wanted: number | undefined, { task, attempts }: TaskFacts): Decision<TaskAct> {
  const { task_id: id, commit } = task;
  if (wanted !== undefined) {
    const found = attempts.find(({ attemptNumber }) => attemptNumber === wanted);
    if (found === undefined) return refused(`Task ${id} has no attempt ${wanted}.`, `${attemptsOf(attempts)}.`);
    if (found.commit !== undefined) return show(found.commit, wanted);
    return refused(
      `The work of attempt ${wanted} of task ${id} was not kept.`,
      `foreword history ${id} shows its record.`,
    );
  }
  if (task.status === 'completed' && commit !== undefined) return show(commit);
  const last = attempts.findLast((attempt) => attempt.commit !== undefined);
  if (last?.commit !== undefined) return show(last.commit, last.attemptNumber);
  return refused(`Task ${id} has no work to show: it is ${task.status}.`, `foreword history ${id} lists its attempts.`);
}

function decideAccept(facts: TaskFacts): Decision<TaskAct> {
  const { task, run } = facts;
  const id = task.task_id;
  switch (task.status) {
    case 'queued':
      return refused(`Task ${id} waits for an agent: there is nothing to accept.`, `${whoWorks(run)} works on it.`);
    case 'running':
      return refused(`Task ${id} is being worked on.`, wait(run));
    case 'completed':
      return refused(`Task ${id} is completed already.`, `foreword diff ${id} shows its work.`);
    case 'blocked':
      return refused(`Task ${id} is blocked: no agent could work on it.`, `${whoTriesAgain(run)} tries it again.`);
    case 'failed':
    case 'needs-review': {
      const attempt = keptAttempt(facts);
      const again = `${whoTriesAgain(run)} does it again.`;
      if (attempt?.commit === undefined) return refused(`Task ${id} has no work that was kept.`, again);
      if (run === undefined) return refused(`The run of task ${id} is not known here.`, again);
      if (task.status === 'failed' && !countedAttempts(facts).some(hasChanges))
        return refused(`No attempt at task ${id} changed a file.`, again);
      const act = {
        kind: 'accept',
        run,
        attempt,
        commit: attempt.commit,
        overruled: attempt.validationErrors,
      } as const;
      return { kind: 'allowed', act };
    }
  }
}

function decideReject(because: string, { task, run }: TaskFacts): Decision<TaskAct> {
  const id = task.task_id;
  switch (task.status) {
    case 'queued':
      return task.rejected === undefined
        ? refused(`Task ${id} waits for an agent: there is nothing to reject.`, `${whoWorks(run)} works on it.`)
        : refused(`Task ${id} was sent back already (${task.rejected.at}).`, `${whoWorks(run)} works on it.`);
    case 'running':
      return refused(`Task ${id} is being worked on.`, wait(run));
    case 'completed':
      return refused(
        `Task ${id} is completed.`,
        isMerged({ task, run })
          ? `foreword undo ${id} prints the command that takes its change back.`
          : `foreword undo ${id} takes its commit back and puts the task back in the queue.`,
      );
    case 'blocked':
      return refused(`Task ${id} is blocked: no agent could work on it.`, `${whoTriesAgain(run)} tries it again.`);
    case 'failed':
    case 'needs-review':
      if (because.trim() === '')
        return refused(
          `Task ${id} cannot be rejected without a reason.`,
          `Say what is wrong, for the next attempt: foreword reject ${id} --because TEXT`,
        );
      return { kind: 'allowed', act: { kind: 'reject', because: because.trim() } };
  }
}

function decideUndo(facts: TaskFacts): Decision<TaskAct> {
  const { task, run, tasks } = facts;
  const { task_id: id, commit } = task;
  if (task.status !== 'completed') {
    const isOpen = task.status === 'needs-review' || task.status === 'failed';
    const hint = isOpen ? `foreword reject ${id} --because TEXT sends its work back.` : 'Nothing of it is on a branch.';
    return refused(`Task ${id} is not completed: it is ${task.status}.`, hint);
  }
  if (commit === undefined) {
    return refused(`Task ${id} has no commit of its own.`, 'It was completed by a version that made none; use git.');
  }
  const dependents = dependentsOf(id, tasks);
  if (isMerged(facts)) {
    const command = run?.merged?.how === 'files' ? `foreword diff ${id} | patch -p1 -R` : `git revert ${commit}`;
    return { kind: 'allowed', act: { kind: 'print-revert', command, dependents } };
  }
  // Of an imported run that goes on, the commits came along.
  if (run === undefined || (task.imported === true && run.state !== 'open')) {
    return refused(`The run of task ${id} is not known here.`, `Its commit is ${commit}, if the branch is here.`);
  }
  return { kind: 'allowed', act: { kind: 'undo', run, commit, dependents } };
}

function howToRun(facts: TaskFacts): 'next' | 'again' | 'skip' | 'elsewhere' {
  const { task, run } = facts;
  switch (task.status) {
    case 'queued':
      return 'next';
    case 'running':
      return 'elsewhere';
    case 'completed':
      return run?.state === 'left' && !isMerged(facts) ? 'again' : 'skip';
    case 'failed':
    case 'blocked':
      return 'again';
    case 'needs-review':
      return run === undefined || keptAttempt(facts) === undefined ? 'again' : 'skip';
  }
}

/** Attempts of a task that somebody still decides on, or that an agent goes on with, are kept. */
function mayLoseAttempts(task: TaskRecord): boolean {
  return task.status === 'completed' || task.status === 'failed' || task.status === 'blocked';
}

/** Whether the person has its commit. */
function isMerged({ task, run }: Pick<TaskFacts, 'task' | 'run'>): boolean {
  return task.merged !== undefined || (run?.state === 'merged' && task.commit !== undefined);
}

function keptAttempt(facts: TaskFacts): AttemptRecord | undefined {
  return countedAttempts(facts).findLast((attempt) => attempt.commit !== undefined);
}

/** Since the task was begun, or begun again. A retry goes on in the state of the one before, so the last may have changed nothing
 *  and hold the work of all. */
function countedAttempts({ task, attempts }: TaskFacts): readonly AttemptRecord[] {
  const from = task.countedFrom ?? 0;
  return attempts.filter(({ attemptNumber }) => attemptNumber > from);
}

function hasChanges(attempt: AttemptRecord): boolean {
  return attempt.files_created.length + attempt.files_updated.length + attempt.files_deleted.length > 0;
}

/** Completed or running, in the order of the store. */
function dependentsOf(id: string, tasks: readonly TaskRecord[]): readonly string[] {
  const found = new Set([id]);
  for (let grown = true; grown; ) {
    const more = tasks.filter(
      ({ task_id, task }) => !found.has(task_id) && task?.depends_on.some((one) => found.has(one)) === true,
    );
    for (const { task_id } of more) found.add(task_id);
    grown = more.length > 0;
  }
  return tasks
    .filter(({ task_id, status }) => task_id !== id && found.has(task_id) && ['completed', 'running'].includes(status))
    .map(({ task_id }) => task_id);
}

function show(commit: string, attempt?: number): Decision<TaskAct> {
  const act: ShowAct = { kind: 'show', commit, ...(attempt === undefined ? {} : { attempt }) };
  return { kind: 'allowed', act };
}

function refused(because: string, hint: string): { readonly kind: 'refused'; because: string; hint: string } {
  return { kind: 'refused', because, hint };
}

function attemptsOf(attempts: readonly AttemptRecord[]): string {
  const last = attempts.at(-1)?.attemptNumber;
  return last === undefined ? 'It has none yet' : `It has attempts 1 to ${last}`;
}

function names(tasks: readonly TaskRecord[]): string {
  return nameSome(tasks.map(({ task_id, status }) => `${task_id} (${status})`));
}
