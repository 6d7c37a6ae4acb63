// What a task, an attempt or a whole run changed, as text and as a list.

import { ForewordError } from '../../kernel/errors.ts';
import { asId } from '../../system/git/object-id.ts';
import { type CheckoutSource, changedPaths, diffText, parentOf } from '../checkouts/index.ts';
import { treeAt } from './branch.ts';

export interface ShownChange {
  /** Unified; the bytes of files are as they are. */
  readonly text: string;
  readonly files: Awaited<ReturnType<typeof changedPaths>>;
}

/** Compared with its parent. Throws `conflict` when the commit is gone. */
export async function showCommit(source: CheckoutSource, commit: string): Promise<ShownChange> {
  await checkKept(source, commit);
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

/** Throws `conflict` when the commit is gone: `foreword clean` removes old attempts, and another clone has others. */
export async function checkKept({ own }: CheckoutSource, commit: string): Promise<void> {
  const { status } = await own.status(['cat-file', '-e', `${asId(commit)}^{commit}`], { accepted: [0, 1, 128] });
  if (status === 0) return;
  throw new ForewordError('conflict', `The commit ${commit.slice(0, 12)} is not here any more.`, {
    hint: 'foreword clean removes attempts after 14 days; one made in another clone is there. foreword run does the task again.',
  });
}
