// What a task, an attempt or a whole run changed, as text and as a list.

import { type CheckoutSource, changedPaths, diffText, parentOf } from '../checkouts/index.ts';
import { treeAt } from './branch.ts';

export interface ShownChange {
  /** Unified; the bytes of files are as they are. */
  readonly text: string;
  readonly files: Awaited<ReturnType<typeof changedPaths>>;
}

/** Compared with its parent. Throws `bad-input` when the commit is gone (`foreword clean` removes old attempts). */
export async function showCommit(source: CheckoutSource, commit: string): Promise<ShownChange> {
  return show(source, await treeAt(source, await parentOf(source.own, commit)), await treeAt(source, commit));
}

/** `from` is empty for a repository that had no commit. */
export async function showRange(
  source: CheckoutSource,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ShownChange> {
  return show(source, await treeAt(source, from), await treeAt(source, to));
}

async function show({ own }: CheckoutSource, before: string, after: string): Promise<ShownChange> {
  return { text: await diffText(own, [before, after]), files: await changedPaths(own, before, after) };
}
