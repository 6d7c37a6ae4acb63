// Puts the tasks of a file into the store before a run. Nothing is written when anything is wrong with them.

import { type Fault, ForewordError } from '../../kernel/errors.ts';
import { mapStrings } from '../../kernel/map-strings.ts';
import type { RunRecord } from '../../kernel/run.ts';
import { isSameValue } from '../../kernel/same-value.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { Task, TaskRecord } from '../../kernel/task.ts';
import { decideTask, type TaskFacts } from '../review/decide.ts';

interface EnlistRequest {
  readonly stores: Stores;
  readonly now: number;
  readonly redact: (text: string) => string;
  /** Completed tasks and those that need review are done once more, and changed ones taken as they are now. */
  readonly isAgain: boolean;
  /** The run in which they are worked on. */
  readonly run: string;
  /** Other machines find the tasks by their run. */
  readonly isShared?: boolean | undefined;
}

/** A task that was completed in a run whose branch nobody merged; this run does not have its work. */
export interface DoneAgain {
  readonly task: string;
  readonly run: string;
}

/** Throws `bad-input` when a task with a known id has changed. */
export async function refuseChanged(
  tasks: readonly Task[],
  request: Pick<EnlistRequest, 'stores' | 'redact' | 'isAgain'>,
): Promise<void> {
  if (request.isAgain) return;
  const known = await recordsById(request.stores);
  const faults = tasks.flatMap((task) => changedSince(task, known.get(task.task_id), request.redact));
  if (faults.length === 0) return;
  throw new ForewordError('bad-input', `${faults.length} task(s) changed since they were first run.`, {
    hint: 'Give a changed task a new id, or use --again to run it as it is now.',
    faults,
  });
}

/** New tasks are queued; failed and blocked ones are queued again, and their limits are counted from zero. A blocked one goes on
 *  where it was, a failed one begins at the end of the branch. Completed ones stay as they are, and so does work that waits for review, which a person decides on (decide.ts). A running task is left to its owner. */
export async function enlistTasks(tasks: readonly Task[], request: EnlistRequest): Promise<readonly DoneAgain[]> {
  const known = await recordsById(request.stores);
  const runs = new Map((await request.stores.runs.list()).map(({ value }) => [value.id, value]));
  const doneAgain: DoneAgain[] = [];
  for (const task of tasks) {
    const record = known.get(task.task_id);
    const isNew = await enlist(task, { record, run: runs.get(record?.run ?? ''), request });
    if (isNew && !request.isAgain && record?.status === 'completed' && record.run !== undefined)
      doneAgain.push({ task: task.task_id, run: record.run });
  }
  return doneAgain;
}

async function recordsById(stores: Stores): Promise<ReadonlyMap<string, TaskRecord>> {
  return new Map((await stores.tasks.list()).map((record) => [record.task_id, record]));
}

/** Whether it was put into the queue. */
async function enlist(
  task: Task,
  {
    record,
    run,
    request,
  }: { readonly record: TaskRecord | undefined; readonly run: RunRecord | undefined; readonly request: EnlistRequest },
): Promise<boolean> {
  const { stores, now } = request;
  const updated_at = new Date(now).toISOString();
  const shared = request.isShared === true ? { run: request.run } : {};
  const fresh: TaskRecord = {
    task_id: task.task_id,
    status: 'queued',
    intent: task.intent,
    task,
    updated_at,
    ...shared,
  };
  if (record === undefined) return stores.tasks.add(fresh);
  // Left by another run: workers look for a task in the run that it names.
  const isOther = request.isShared === true && record.status === 'queued' && record.run !== request.run;
  if (record.status === 'running' || (record.status === 'queued' && record.task !== undefined && !isOther))
    return false;
  const attempts = await stores.attempts.list(task.task_id);
  const isWanted = request.isAgain || record.status === 'queued';
  if (!isWanted && !isDoneAgain({ task: record, attempts, run, tasks: [] })) return false;
  const countedFrom = attempts.length;
  const isSameRun = !request.isAgain && record.run === request.run;
  if (isSameRun && record.status === 'blocked') {
    const { reason: _, result: _r, completed_at: _c, current: _u, ...rest } = record;
    await stores.tasks.amend({ ...rest, ...fresh, countedFrom }, now);
    return true;
  }
  // Another try at the end of the branch: what the agents left may be why they failed, and the branch may have a person's fix. In
  // the same run their errors still are in the hand-over.
  const isRetried = isSameRun && record.status === 'failed';
  if (!isRetried) await stores.attempts.clear(task.task_id);
  await stores.tasks.amend({ ...fresh, countedFrom, ...(isRetried ? { run: request.run } : {}) }, now);
  return true;
}

function isDoneAgain(facts: TaskFacts): boolean {
  const decision = decideTask({ name: 'run' }, facts);
  return decision.kind === 'allowed' && decision.act.kind === 'run' && decision.act.as === 'again';
}

/** What differs, by field; the stored task is redacted, so the file's is too before they are compared. */
function changedSince(task: Task, record: TaskRecord | undefined, redact: (text: string) => string): readonly Fault[] {
  if (record?.task === undefined) return [];
  const [before, now]: readonly [Task, Task] = [record.task, mapStrings(task, redact)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])] as (keyof Task)[];
  const differ = names.filter((name) => name !== 'task_id' && !isSameValue(before[name], now[name]));
  if (differ.length === 0) return [];
  return [
    {
      where: task.task_id,
      path: differ.join(', '),
      message: `changed since this task was first run (it is ${record.status} now).`,
    },
  ];
}
