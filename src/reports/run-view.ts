// What a person sees of a run: its branch, how many commits are on it for them, and the commands that take them over.

import type { RunRecord } from '../kernel/run.ts';
import type { TaskRecord, TaskStatus } from '../kernel/task.ts';
import { chooseRun } from '../runs/review/choose-run.ts';
import { decideRun } from '../runs/review/decide.ts';
import { mergedAt, shortCommit } from './task-view.ts';

export interface RunView
  extends Pick<RunRecord, 'id' | 'state' | 'taskFile' | 'base' | 'tip' | 'startedAt' | 'merged'> {
  readonly branch: string;
  /** Commits of completed tasks that are not merged. */
  readonly commits: number;
  readonly statuses: Readonly<Partial<Record<TaskStatus, number>>>;
  /** Show and merge them; empty while a task runs, and when there is nothing to merge. */
  readonly commands: readonly string[];
}

/** Of all runs, in the order of the store. `tasks` are all tasks of the store. */
export function runViews(runs: readonly RunRecord[], tasks: readonly TaskRecord[]): readonly RunView[] {
  const meant = chooseRun(runs, undefined);
  return runs.map((run) => {
    const own = tasks.filter((task) => task.run === run.id);
    const statuses: Partial<Record<TaskStatus, number>> = {};
    for (const { status } of own) statuses[status] = (statuses[status] ?? 0) + 1;
    const commits = own.filter(
      (task) => task.status === 'completed' && task.commit !== undefined && mergedAt({ task, run }) === undefined,
    ).length;
    const canMerge = decideRun({ name: 'merge', isSquash: false }, run, tasks).kind === 'allowed';
    // Without a name both commands mean the newest run that is not merged.
    const [named, shown] = run === meant ? ['', ''] : [` ${run.id}`, ` --run ${run.id}`];
    const { id, state, taskFile, base, tip, startedAt, merged } = run;
    return {
      ...{ id, state, taskFile, base, tip, startedAt, ...(merged === undefined ? {} : { merged }) },
      branch: `foreword/${id}`,
      commits,
      statuses,
      commands: canMerge ? [`foreword diff${shown}`, `foreword merge${named}`] : [],
    };
  });
}

/** Those whose work is not all with the person: open ones, and others with commits that are not merged. */
export function openRuns<T extends Pick<RunView, 'state' | 'commits'>>(views: readonly T[]): readonly T[] {
  return views.filter(({ state, commits }) => state === 'open' || (state === 'left' && commits > 0));
}

/** `Branch foreword/tasks-1a2b, from main at 1a2b3c4: 3 commits, not merged yet`. */
export function runLine({ branch, base, commits, state }: RunView): string {
  const from = base.branch === undefined ? shortCommit(base.commit) : `${base.branch} at ${shortCommit(base.commit)}`;
  const working = base.mode === 'working' ? ' with uncommitted files' : '';
  const begun = base.commit === '' ? '' : `, from ${from}${working}`;
  const none = state === 'merged' ? 'no commits left to merge' : 'no commits yet';
  const count = commits === 0 ? none : `${commits === 1 ? '1 commit' : `${commits} commits`}, not merged yet`;
  return `Branch ${branch}${begun}: ${count}${state === 'left' ? ' (left: another run of its task file, or a merge elsewhere; nothing goes on in it)' : ''}`;
}
