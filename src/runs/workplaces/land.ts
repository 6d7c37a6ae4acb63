// Puts the work of a task on the run's branch: first in our repository, where `refs.tip` moves from the commit that the work began
// at, then in the person's. Each step may be done again. A branch that somebody moved on is taken as it is now.

import type { LoggedCommit } from '../../system/git/commits.ts';
import {
  type CheckoutSource,
  commitMessage,
  commitTree,
  emptyTree,
  logOf,
  mergeTrees,
  publish,
  readRef,
  taskOf,
  treeOf,
  updateRef,
} from '../checkouts/index.ts';
import { treeIn } from './observer.ts';
import { hasRepository, type OpenedRun } from './open-run.ts';
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
  | { readonly kind: 'merged'; readonly tip: string; readonly tipTree: string; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

export async function landWork(at: LandingTask, work: LandedWork): Promise<Landed> {
  const { own, identity } = at.source;
  const { refs } = at.run;
  for (;;) {
    const done = await findLanded(at);
    const tip = await readRef(own, refs.tip);
    if (done === undefined && tip !== at.start) return mergeInto(at, tip, work);
    const commit =
      done?.id ??
      (await commitTree(own, {
        tree: treeIn(work.after),
        parents: tip === null ? [] : [tip],
        message: commitMessage({ ...work, task: at.task }),
        identity,
        at: new Date(work.at),
      }));
    if (done === undefined && !(await updateRef(own, refs.tip, { from: tip, to: commit }))) continue;
    const parent = done === undefined ? tip : (done.parents[0] ?? null);
    const published = await publishCommit(at, { commit, parent });
    if (published.kind === 'published' || published.kind === 'later') return { kind: 'landed', commit };
    if (published.kind === 'rewritten') {
      await updateRef(own, refs.tip, { from: commit, to: parent });
      return { kind: 'refused', reason: `somebody rewrote the branch ${branchName(at.run)}` };
    }
    // Somebody committed on the branch: the work goes on top of that.
    await updateRef(own, refs.tip, { from: commit, to: published.tip });
  }
}

/** The commit of the task since its work began: one of an earlier time does not count. */
export async function findLanded({ source, run, task, start }: LandingTask): Promise<LoggedCommit | undefined> {
  const tip = await readRef(source.own, run.refs.tip);
  if (tip === null || tip === start) return undefined;
  const log = await logOf(source.own, tip, start);
  return log.find(({ message }) => taskOf(message) === task);
}

/** Brings the person's branch to the run's tip: a process may have died, or the branch been checked out, when it was to be moved.
 *  Returns the work tree in which the branch is checked out, so that it was not moved. */
export async function publishTip(source: CheckoutSource, run: OpenedRun): Promise<string | undefined> {
  const tip = await readRef(source.own, run.refs.tip);
  if (tip === null || tip === baseOf(run) || !hasRepository(source)) return undefined;
  const [last] = await logOf(source.own, tip, baseOf(run));
  const published = await publishCommit({ source, run }, { commit: tip, parent: last?.parents[0] ?? null });
  return published.kind === 'later' ? published.worktree : undefined;
}

export function branchName({ refs }: OpenedRun): string {
  return refs.branch.slice('refs/heads/'.length);
}

/** `null` when the repository had no commit. */
export function baseOf({ record }: OpenedRun): string | null {
  return record.base.commit === '' ? null : record.base.commit;
}

type PublishedCommit =
  | { readonly kind: 'published' }
  /** The branch is checked out. */
  | { readonly kind: 'later'; readonly worktree: string }
  /** Somebody committed on the branch after the parent. */
  | { readonly kind: 'ahead'; readonly tip: string }
  | { readonly kind: 'rewritten' };

async function publishCommit(
  { source, run }: Pick<LandingTask, 'source' | 'run'>,
  { commit, parent }: { readonly commit: string; readonly parent: string | null },
): Promise<PublishedCommit> {
  if (!hasRepository(source)) return { kind: 'published' };
  const { own, theirs } = source;
  const first = baseOf(run);
  const base = first === null ? null : { ref: run.refs.base, commit: first };
  let from = parent === first ? null : parent;
  for (;;) {
    const result = await publish(own, theirs, { branch: run.refs.branch, commit, from, base });
    if (result.kind === 'published') return result;
    if (result.kind === 'checked-out') return { kind: 'later', worktree: result.worktree };
    const { found } = result;
    // Deleted by the person, who may have merged it, or made by nobody yet.
    if (found === null) from = null;
    else if (await isAncestor(source, commit, found)) return { kind: 'published' };
    else if (await isAncestor(source, found, commit)) from = found;
    else if (parent !== null && (await isAncestor(source, parent, found))) return { kind: 'ahead', tip: found };
    else return { kind: 'rewritten' };
  }
}

async function isAncestor({ own }: CheckoutSource, one: string, other: string): Promise<boolean> {
  const { status } = await own.status(['merge-base', '--is-ancestor', one, other], { accepted: [0, 1] });
  return status === 0;
}

async function mergeInto(at: LandingTask, tip: string | null, work: LandedWork): Promise<Landed> {
  const { own } = at.source;
  if (tip === null) return { kind: 'refused', reason: `the commits of the run ${at.run.record.id} are gone` };
  const base = at.start === null ? await emptyTree(own) : await treeOf(own, at.start);
  const tipTree = await treeOf(own, tip);
  const merged = await mergeTrees(own, { base, ours: tipTree, theirs: treeIn(work.after) });
  return merged.kind === 'conflict' ? merged : { kind: 'merged', tip, tipTree, tree: merged.tree };
}
