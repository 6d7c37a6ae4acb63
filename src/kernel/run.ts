// Run: one working-through of a task file. Each completed task is a commit on the run's branch `foreword/<id>`, until a person
// merges it. The work itself is in git (runs/checkouts/); this is the record of where.

export interface RunRecord {
  /** Also the name of the branch behind `foreword/`: the name of the task file and four hex digits. */
  readonly id: string;
  /** Path from the project's root; `--do` and eight hex digits for one task without a file. */
  readonly taskFile: string;
  /** The project, if the task file names one. */
  readonly project?: string;
  /** Path from the project's root of the configuration that a person named with `--config`. */
  readonly config?: string;
  readonly base: RunBase;
  /** The last commit of the branch that foreword knows; the base's commit before the first task is completed. */
  readonly tip: string;
  /** ISO times. */
  readonly startedAt: string;
  readonly updatedAt: string;
  /** `left`: the same task file began another run (`--new`), or the record came by import, without its commits. */
  readonly state: RunState;
  /** Set exactly when the state is `merged`. */
  readonly merged?: MergedRun;
  /** The remote that carries its branch to other machines, as every clone calls it; absent for a run of one machine. */
  readonly remote?: string;
}

export type RunState = 'open' | 'merged' | 'left';

/** Where a run began. `head`: at a commit of the person. `working`: with their uncommitted changes too, which are a snapshot in
 *  our own repository only. */
export interface RunBase {
  readonly mode: RunBaseMode;
  /** Where the branch begins: the person's HEAD, empty when there was no commit; without git the snapshot of the folder. */
  readonly commit: string;
  /** For `working` with git: the commit on top of `commit` at which agents begin. Absent when nothing was uncommitted. */
  readonly snapshot?: string;
  /** The branch that was checked out; absent for a detached HEAD and without git. */
  readonly branch?: string;
}

export type RunBaseMode = 'head' | 'working';

export interface MergedRun {
  /** ISO time. */
  readonly at: string;
  /** The person's HEAD after it; without git the tip whose files were written. */
  readonly commit: string;
  readonly how: 'merge' | 'squash' | 'files';
}
