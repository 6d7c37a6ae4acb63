// What a person sees of a task: why it is as it is, and the commands that go on with it. `status`, the end of a run and the
// dashboard show the same. Which commands are possible is decided in runs/review/decide.ts.

import type { AttemptRecord } from '../kernel/attempt.ts';
import type { RunRecord } from '../kernel/run.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { shellWord } from '../kernel/shell-word.ts';
import type { TaskRecord } from '../kernel/task.ts';
import { approvedBy } from '../kernel/verdict.ts';
import { decideTask, type TaskCommand } from '../runs/review/decide.ts';
import { isStuckInConflict } from '../runs/task-machine.ts';

/** The process that has claimed a running task. */
export interface Supervisor {
  readonly state: 'alive' | 'gone' | 'unknown';
  readonly pid: number;
  readonly host: string;
}

export interface SeenTask {
  readonly task: TaskRecord;
  readonly attempts: readonly AttemptRecord[];
  /** The run that the task names; `undefined` when it names none or that is gone. */
  readonly run: RunRecord | undefined;
  /** Of a running task. */
  readonly supervisor: Supervisor | undefined;
}

const MAX_REASON = 400;
/** As git shortens them. */
const SHORT = 7;

/** One line: the reason, the result, or what goes on now. */
export function taskDetail(seen: SeenTask): string {
  const { task } = seen;
  switch (task.status) {
    case 'running':
      return runningText(seen);
    case 'completed':
      return completedText(seen);
    case 'queued':
      return taskReason(task) ?? oneLine(task.intent, MAX_REASON);
    case 'failed':
    case 'blocked':
    case 'needs-review':
      return taskReason(task) ?? oneLine(task.intent, MAX_REASON);
  }
}

/** Why it is not completed, or in the queue again; without the command for it, which `taskCommands` has. */
export function taskReason(task: TaskRecord): string | undefined {
  const { status, rejected, undone, reason } = task;
  if (status === 'queued' && rejected !== undefined)
    return oneLine(`rejected by a person: ${rejected.because}`, MAX_REASON);
  if (status === 'queued' && undone !== undefined) return 'undone: a person took its commit back';
  const look = `; its work: foreword diff ${shellWord(task.task_id)}`;
  return reason === undefined
    ? undefined
    : oneLine(reason.endsWith(look) ? reason.slice(0, -look.length) : reason, MAX_REASON);
}

/** Blocked tasks behind another that is not completed: the command for that one comes first. */
export function blockedBehind(tasks: readonly TaskRecord[]): ReadonlySet<string> {
  const open = new Set(tasks.filter(({ status }) => status !== 'completed').map(({ task_id }) => task_id));
  const behind = tasks.filter(
    ({ status, task }) => status === 'blocked' && task?.depends_on.some((id) => open.has(id)) === true,
  );
  return new Set(behind.map(({ task_id }) => task_id));
}

/** ISO time at which the person got its commit; `undefined` when they have not. */
export function mergedAt({ task, run }: Pick<SeenTask, 'task' | 'run'>): string | undefined {
  if (task.commit === undefined) return undefined;
  return task.merged ?? (run?.state === 'merged' ? run.merged?.at : undefined);
}

/** The commands to choose from, in the order in which a person needs them; none when there is nothing to do. */
export function taskCommands(seen: SeenTask): readonly string[] {
  const { task, run, supervisor } = seen;
  switch (task.status) {
    case 'completed':
      return [];
    case 'running':
      return supervisor?.state === 'gone' ? [workCommand(run)] : [];
    case 'queued':
      return task.rejected === undefined && task.undone === undefined ? [] : [workCommand(run)];
    case 'blocked':
      return [runCommand(run)];
    case 'failed':
    case 'needs-review':
      return reviewCommands(seen);
  }
}

/** Works on what is in the queue already. */
function workCommand(run: SeenTask['run']): string {
  return run?.remote === undefined ? runCommand(run) : 'foreword worker';
}

/** Goes on with the run's task file, and tries again what ended. One that machines share is enqueued again: `foreword run` refuses it. */
export function runCommand(run: Pick<RunRecord, 'taskFile' | 'config' | 'remote'> | undefined): string {
  if (run === undefined) return 'foreword run TASKS';
  const config = run.config === undefined ? '' : ` --config ${shellWord(run.config)}`;
  const what = run.taskFile.startsWith('--do ') ? '--do TEXT' : shellWord(run.taskFile);
  if (run.remote !== undefined) return `foreword enqueue ${what} --remote ${shellWord(run.remote)}${config}`;
  return `foreword run ${what}${config}`;
}

export function shortCommit(commit: string): string {
  return commit.slice(0, SHORT);
}

function reviewCommands({ task, attempts, run }: SeenTask): readonly string[] {
  const id = shellWord(task.task_id);
  const decided = (command: TaskCommand) => decideTask(command, { task, attempts, run, tasks: [task] });
  const isAllowed = (command: TaskCommand) => decided(command).kind === 'allowed';
  const next = decided({ name: 'run' });
  const isAgain = next.kind === 'allowed' && next.act.kind === 'run' && next.act.as === 'again';
  // Work on changes that were not committed can be accepted once they are.
  const last = attempts.at(-1);
  const isRefusedByGit = last !== undefined && isStuckInConflict(last) && run?.base.snapshot === undefined;
  return [
    ...(isAllowed({ name: 'diff' }) ? [`foreword diff ${id}`] : []),
    ...(isAllowed({ name: 'accept' }) && !isRefusedByGit ? [`foreword accept ${id}`] : []),
    ...(isAllowed({ name: 'reject', because: 'TEXT' }) ? [`foreword reject ${id} --because TEXT`] : []),
    ...(isAgain ? [runCommand(run)] : []),
  ];
}

/** The whole command is among those for the person. */
function runningText({ task: { current }, run, supervisor }: SeenTask): string {
  const passed = current?.verdict?.outcome === 'passed' ? ', checks passed' : '';
  const attempt = current === undefined ? 'no attempt yet' : `attempt ${current.attempt} by ${current.agent}${passed}`;
  if (supervisor?.state === 'gone')
    return `its supervisor (pid ${supervisor.pid}) is gone; ${run?.remote === undefined ? 'foreword run' : 'another worker'} goes on with it (${attempt})`;
  return supervisor?.state === 'unknown' ? `${attempt}, on ${oneLine(supervisor.host, 60)}` : attempt;
}

function completedText(seen: SeenTask): string {
  const { task } = seen;
  if (task.commit === undefined) return oneLine(task.result ?? task.intent, MAX_REASON);
  const reviewer = approvedBy(seen.attempts.at(-1)?.verdict);
  const review = reviewer === undefined ? '' : ` and the review of ${oneLine(reviewer, 60)}`;
  const by = task.by === 'person' ? 'accepted by a person' : `by its checks${review}`;
  const at = mergedAt(seen);
  const empty = hasNoChange(seen) ? ', changed no file' : '';
  return `${by}${empty}, ${at === undefined ? 'not merged' : 'merged'}`;
}

/** It passed, and no attempt changed a file: its checks passed on what was there before. */
export function hasNoChange({ task, attempts }: Pick<SeenTask, 'task' | 'attempts'>): boolean {
  const counted = attempts.filter(({ attemptNumber }) => attemptNumber > (task.countedFrom ?? 0));
  const isEmpty = ({ files_created, files_updated, files_deleted }: AttemptRecord) =>
    files_created.length + files_updated.length + files_deleted.length === 0;
  return task.status === 'completed' && counted.length > 0 && counted.every(isEmpty);
}
