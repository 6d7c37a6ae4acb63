// Merges trees without a work tree, an index or a merge driver.

import { ForewordError } from '../../kernel/errors.ts';
import { commitTree, text } from './commits.ts';
import { keepObjects } from './keep-objects.ts';
import { asId } from './object-id.ts';
import type { OwnRepository } from './own-repository.ts';

export type MergedTrees =
  | { readonly kind: 'merged'; readonly tree: string }
  /** Paths, sorted. Empty when git sees a conflict that belongs to no single file. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** The change from `base` to `theirs`, put onto `ours`. All three are trees. Throws `missing-program` when git is older than
 *  2.38. */
export async function mergeTrees(
  own: OwnRepository,
  { base, ours, theirs }: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<MergedTrees> {
  await checkMerges(own);
  // `--merge-base` came with 2.40 only; commits that nobody keeps do the same.
  const first = await commit(own, base, []);
  const sides = [await commit(own, ours, [first]), await commit(own, theirs, [first])];
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides.map(asId)];
  const { status, output } = await own.status(args, { accepted: [0, 1] });
  const [tree = '', ...paths] = output.toString('utf8').split('\0');
  if (status === 1) return { kind: 'conflict', paths: [...new Set(paths.filter((path) => path !== ''))].sort() };
  await keepObjects(own, tree, ours);
  return { kind: 'merged', tree };
}

function commit(own: OwnRepository, tree: string, parents: readonly string[]): Promise<string> {
  const identity = { name: 'foreword', email: 'foreword@localhost' };
  return commitTree(own, { tree, parents, message: 'merge\n', identity, at: new Date(0) });
}

const NEEDED = [2, 38] as const;

/** Throws `missing-program` when git cannot merge trees: asked before an agent is paid for work that has to be merged. */
export async function checkMerges(own: OwnRepository): Promise<void> {
  const version = text(await own.run(['version']));
  if (isRecent(version)) return;
  throw new ForewordError('missing-program', `${own.program} is too old to merge the work of a task: ${version}.`, {
    hint: `Install git ${NEEDED.join('.')} or newer.`,
  });
}

/** By what `git version` prints. */
export function isRecent(version: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > NEEDED[0] || (Number(major) === NEEDED[0] && Number(minor) >= NEEDED[1]);
}
