// Whether the work of a file can be taken into a store. Two states of one task cannot be joined: attempts are numbered without gaps,
// and the record of a task goes with its attempts. So a task of an open run must be new here, or the same. Importing a file twice,
// or once more after a crash, finds the same. Pure.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { TaskRecord } from '../../kernel/task.ts';

export interface StateOfTask {
  readonly record: TaskRecord;
  readonly attempts: readonly Pick<AttemptRecord, 'attemptNumber'>[];
}

/** As a phrase; `undefined` when there is none. `here` is what the store has, `brought` what the file has. */
export function workConflict(here: StateOfTask, brought: StateOfTask): string | undefined {
  const { task_id: id } = brought.record;
  const [mine, theirs] = [here.attempts.length, brought.attempts.length];
  const isSame = here.record.updated_at === brought.record.updated_at && here.record.run === brought.record.run;
  if (isSame && mine <= theirs) return undefined;
  if (mine !== theirs) return `task ${id} has ${mine} attempt(s) here and ${theirs} in the file`;
  return `task ${id} changed here or there: it is ${here.record.status} here and ${brought.record.status} in the file`;
}
