// Where tasks begin. Without a snapshot that is the end of the run's branch. A run that took a person's uncommitted changes along
// has two lines: its branch, which never holds them, and for each commit of the branch a commit of ours on top of it that adds them
// (`start`). Agents work on the second, and their change alone is put onto the first. The second is made from the first whenever it
// is needed, so nothing has to be kept in step after a crash, an undo or a commit of the person on the branch.

import type { RunRecord } from '../../kernel/run.ts';
import {
  type CheckoutSource,
  changedPaths,
  commitTree,
  emptyTree,
  mergeTrees,
  parentOf,
  treeOf,
} from '../checkouts/index.ts';

export interface StartPoint {
  readonly kind: 'start';
  /** `null` when the repository has no commit. */
  readonly commit: string | null;
  readonly tree: string;
}

/** The branch and the uncommitted changes contradict each other there. From the top of the work tree. */
export interface UncommittedConflict {
  readonly kind: 'uncommitted';
  readonly paths: readonly string[];
}

export const SNAPSHOT_MESSAGE = 'Uncommitted changes when the run began\n';

/** For a task that begins when the branch is at `tip`. The same values give the same commit. */
export async function startAt(
  source: CheckoutSource,
  run: RunRecord,
  tip: string | null,
): Promise<StartPoint | UncommittedConflict> {
  const { own, identity } = source;
  const { commit: base, snapshot } = run.base;
  if (snapshot === undefined) return { kind: 'start', commit: tip, tree: await treeAt(source, tip) };
  const taken = await treeOf(own, snapshot);
  if ((tip ?? '') === base) return { kind: 'start', commit: snapshot, tree: taken };
  const ours = await treeAt(source, tip);
  const merged = await mergeTrees(own, { base: await treeAt(source, base), ours, theirs: taken });
  if (merged.kind === 'conflict') return { kind: 'uncommitted', paths: merged.paths };
  const { tree } = merged;
  const parents = tip === null ? [] : [tip];
  const at = new Date(run.startedAt);
  return {
    kind: 'start',
    commit: await commitTree(own, { tree, parents, message: SNAPSHOT_MESSAGE, identity, at }),
    tree,
  };
}

/** The commit of the branch at which a task began, by its start. */
export async function branchAt({ own }: CheckoutSource, run: RunRecord, start: string | null): Promise<string | null> {
  return run.base.snapshot === undefined || start === null ? start : parentOf(own, start);
}

/** The change from `start` to `after`, both with the uncommitted changes, put onto `tip`, which has none of them. It must be the
 *  whole change: one that only takes back what is uncommitted would vanish. */
export async function replay(
  source: CheckoutSource,
  { start, after, tip }: { readonly start: string; readonly after: string; readonly tip: string },
): Promise<{ readonly kind: 'replayed'; readonly tree: string } | UncommittedConflict> {
  const { own } = source;
  const replayed = await mergeTrees(own, { base: start, ours: tip, theirs: after });
  if (replayed.kind === 'conflict') return { kind: 'uncommitted', paths: replayed.paths };
  const { tree } = replayed;
  const back = await mergeTrees(own, { base: tip, ours: tree, theirs: start });
  if (back.kind === 'conflict') return { kind: 'uncommitted', paths: back.paths };
  if (back.tree === after) return { kind: 'replayed', tree };
  const lost = await changedPaths(own, back.tree, after);
  return { kind: 'uncommitted', paths: lost.map(({ path }) => path) };
}

export function treeAt({ own }: CheckoutSource, commit: string | null): Promise<string> {
  return commit === null || commit === '' ? emptyTree(own) : treeOf(own, commit);
}
