// Puts the work of a task on the run's branch: first in our repository, where `refs.tip` moves from the commit that the work began
// at, then in the person's. Each step may be done again. A branch that somebody moved on is taken as it is now. Work that began with
// uncommitted changes of the person is put there without them (start-point.ts).

import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedCommit } from '../../system/git/commits.ts';
import {
  baseOf,
  branchName,
  type CheckoutSource,
  commitMessage,
  commitOfTask,
  commitTree,
  hasRepository,
  logOf,
  mergeTrees,
  moveBranchTo,
  readRef,
  updateRef,
} from '../checkouts/index.ts';
import { treeIn } from './observer.ts';
import type { OpenedRun } from './open-run.ts';
import { branchAt, replay, type StartPoint, startAt, treeAt, type UncommittedConflict } from './start-point.ts';
import type { LandedWork } from './workplace.ts';

export interface LandingTask {
  readonly source: CheckoutSource;
  readonly run: OpenedRun;
  readonly task: string;
  /** The commit at which the work began; `null` when there was none. */
  readonly start: string | null;
}

export type Landed =
  | { readonly kind: 'landed'; readonly commit: string }
  /** The branch had moved: the work as a change of where a task would begin now. */
  | { readonly kind: 'merged'; readonly start: StartPoint; readonly tree: string }
  /** The work on the branch's commit `tip`, without the uncommitted changes: it has not passed there yet. */
  | { readonly kind: 'replayed'; readonly tip: string | null; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | UncommittedConflict
  | { readonly kind: 'refused'; readonly reason: string };

/** The other task goes on as soon as its supervisor does; one that was killed waits for the next run. */
const MOST_TRIES = 100;
const LOOK_AGAIN_MS = 50;

export async function landWork(at: LandingTask, work: LandedWork): Promise<Landed> {
  const { own, identity } = at.source;
  const { refs, record } = at.run;
  const begun = await branchAt(at.source, record, at.start);
  for (let tries = 0; ; tries += 1) {
    const done = await findLanded(at);
    const tip = await readRef(own, refs.tip);
    if (done === undefined && tip !== begun) return mergeInto(at, tip, work);
    const found = done ?? (await treeToLand(at, tip, work));
    if ('kind' in found) return found;
    const commit =
      done?.id ??
      (await commitTree(own, {
        tree: found.tree,
        parents: tip === null ? [] : [tip],
        message: commitMessage({ ...work, task: at.task }),
        identity,
        at: new Date(work.at),
      }));
    if (done === undefined && !(await updateRef(own, refs.tip, { from: tip, to: commit }))) continue;
    const parent = done === undefined ? tip : (done.parents[0] ?? null);
    const moved = await moveBranchTo(at.source, branchOf(at.run), { commit, parent });
    // A branch that is checked out is moved later (`publishTip`).
    if (moved.kind === 'published' || moved.kind === 'checked-out') return { kind: 'landed', commit };
    if (moved.kind === 'rewritten') {
      await updateRef(own, refs.tip, { from: commit, to: parent });
      return { kind: 'refused', reason: `somebody rewrote the branch ${branchName(refs)}` };
    }
    if (moved.hasCommit) return { kind: 'landed', commit };
    // Somebody committed on the branch: the work goes on top of that, unless another task has landed on it meanwhile.
    if (await updateRef(own, refs.tip, { from: commit, to: moved.tip })) continue;
    if (tries > MOST_TRIES) return { kind: 'refused', reason: `somebody committed on ${branchName(refs)} meanwhile` };
    await sleep(LOOK_AGAIN_MS);
  }
}

/** The commit of the task since its work began: one of an earlier time, or one that was taken back, does not count. */
export async function findLanded({ source, run, task, start }: LandingTask): Promise<LoggedCommit | undefined> {
  const tip = await readRef(source.own, run.refs.tip);
  if (tip === null || tip === start) return undefined;
  const log = await logOf(source.own, tip, start);
  return commitOfTask(log, task);
}

/** Brings the person's branch to the run's tip: a process may have died, or the branch been checked out, when it was to be moved.
 *  Returns the work tree in which the branch is checked out, so that it was not moved. */
export async function publishTip(source: CheckoutSource, run: OpenedRun): Promise<string | undefined> {
  const tip = await readRef(source.own, run.refs.tip);
  const branch = branchOf(run);
  if (tip === null || tip === branch.base || !hasRepository(source)) return undefined;
  const [last] = await logOf(source.own, tip, branch.base);
  const moved = await moveBranchTo(source, branch, { commit: tip, parent: last?.parents[0] ?? null });
  return moved.kind === 'checked-out' ? moved.worktree : undefined;
}

function branchOf({ record, refs }: OpenedRun) {
  return { refs, base: baseOf(record) };
}

/** The work as a change of where a task would begin now. */
export async function mergeInto(at: LandingTask, tip: string | null, work: LandedWork): Promise<Landed> {
  const { own } = at.source;
  if (tip === null) return { kind: 'refused', reason: `the commits of the run ${at.run.record.id} are gone` };
  const start = await startAt(at.source, at.run.record, tip);
  if (start.kind === 'uncommitted') return start;
  const base = await treeAt(at.source, at.start);
  const merged = await mergeTrees(own, { base, ours: start.tree, theirs: treeIn(work.after) });
  return merged.kind === 'conflict' ? merged : { kind: 'merged', start, tree: merged.tree };
}

/** `tip` is where the work began. */
async function treeToLand(
  { source, run, start }: LandingTask,
  tip: string | null,
  work: LandedWork,
): Promise<{ readonly tree: string } | Extract<Landed, { kind: 'replayed' | 'uncommitted' }>> {
  const tree = treeIn(work.after);
  if (run.record.base.snapshot === undefined) return { tree };
  const [from, onto] = [await treeAt(source, start), await treeAt(source, tip)];
  if (from === onto) return { tree };
  if (work.replayed !== undefined) return { tree: treeIn(work.replayed) };
  const replayed = await replay(source, { start: from, after: tree, tip: onto });
  return replayed.kind === 'replayed' ? { ...replayed, tip } : replayed;
}
