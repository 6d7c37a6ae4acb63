// Puts the tasks of a file into the store before a run. Nothing is written when anything is wrong with them.

import { type Fault, ForewordError } from '../../kernel/errors.ts';
import { mapStrings } from '../../kernel/map-strings.ts';
import { isSameValue } from '../../kernel/same-value.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { Task, TaskRecord } from '../../kernel/task.ts';

interface EnlistRequest {
  readonly stores: Stores;
  readonly now: number;
  readonly redact: (text: string) => string;
  /** Completed tasks are done once more, and changed ones taken as they are now. */
  readonly isAgain: boolean;
}

/** New tasks are queued; failed, blocked and unreviewed ones are queued again, and their limits are counted from zero;
 *  completed ones stay as they are, unless `isAgain`. A running task is left to its owner. Throws `bad-input` when a task
 *  with a known id has changed. */
export async function enlistTasks(tasks: readonly Task[], request: EnlistRequest): Promise<void> {
  const known = new Map((await request.stores.tasks.list()).map((record) => [record.task_id, record]));
  const faults = request.isAgain
    ? []
    : tasks.flatMap((task) => changedSince(task, known.get(task.task_id), request.redact));
  if (faults.length > 0) {
    throw new ForewordError('bad-input', `${faults.length} task(s) changed since they were first run.`, {
      hint: 'Give a changed task a new id, or use --again to run it as it is now.',
      faults,
    });
  }
  for (const task of tasks) await enlist(task, known.get(task.task_id), request);
}

async function enlist(task: Task, record: TaskRecord | undefined, request: EnlistRequest): Promise<void> {
  const updated_at = new Date(request.now).toISOString();
  const fresh: TaskRecord = { task_id: task.task_id, status: 'queued', intent: task.intent, task, updated_at };
  if (record === undefined) {
    await request.stores.tasks.add(fresh);
    return;
  }
  const isOver =
    ['failed', 'blocked', 'needs-review'].includes(record.status) || (record.status === 'completed' && request.isAgain);
  if (!isOver && !(record.status === 'queued' && record.task === undefined)) return;
  const attempts = await request.stores.attempts.list(task.task_id);
  await request.stores.tasks.amend({ ...fresh, countedFrom: attempts.length }, request.now);
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
