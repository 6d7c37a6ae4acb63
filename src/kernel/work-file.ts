// A work file (`foreword export --work`): the records of a store with the commits of its runs, so that a run goes on elsewhere.
// runs/transfer/ takes the commits and finds what of the records they bear out; stores/importable.ts believes no more than that.

import type { AttemptRecord } from './attempt.ts';
import type { RunRecord } from './run.ts';
import type { TaskRecord } from './task.ts';

/** The records that name commits and trees. */
export interface WorkRecords {
  readonly runs: readonly RunRecord[];
  readonly tasks: readonly TaskRecord[];
  readonly attempts: readonly { readonly task: string; readonly record: AttemptRecord }[];
}

/** What the commits that came with the records show. */
export interface KnownWork {
  /** `undefined` for a run whose base or branch did not come with it. */
  run(id: string): KnownRun | undefined;
  /** Whether `commit` is what that attempt left. */
  isAttempt(task: string, attempt: number, commit: string): boolean;
  /** Whether a commit or tree is here. A snapshot has more than the id, behind a dash. */
  has(id: string): boolean;
}

export interface KnownRun {
  /** The end of its branch. */
  readonly tip: string;
  /** The task's commit on the branch, if it was not taken back. */
  landed(task: string): string | undefined;
}
