// Git does not write an object that an alternate has. The person's own objects that no ref reaches (a dropped stash, `git add`
// and then reset) are such, and their `git gc --prune=now` takes them away. So every object that a new tree has and its start
// does not is brought into our repository, wherever it was found.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { treeDiff } from './diff-text.ts';
import { asId, EMPTY_TREE } from './object-id.ts';
import type { OwnRepository } from './own-repository.ts';
import { newObjects } from './tree-diff.ts';

/** After it, all that `tree` has beside `known` is in our own objects. `known` is what a ref of ours, or the one in the person's
 *  repository that keeps the base, holds. Throws `bad-input` when an object is gone already. */
export async function keepObjects(own: OwnRepository, tree: string, known: string): Promise<void> {
  if (tree === known) return;
  const ids = new Set([tree, ...newObjects(await diffOf(own, known, tree))]);
  const missing = await notOwn(own, [...ids]);
  if (missing.length === 0) return;
  const pack = ['pack-objects', '--quiet', '--delta-base-offset', join(own.objects, 'pack/pack')];
  await own.run(pack, { input: `${missing.join('\n')}\n` });
}

/** Lines are not counted in what may be a whole folder. */
function diffOf(own: OwnRepository, known: string, tree: string): Promise<Buffer> {
  if (known !== EMPTY_TREE[own.objectFormat]) return treeDiff(own, known, tree);
  return own.run(['diff-tree', '-r', '-t', '-z', '--raw', '--no-renames', '--no-abbrev', asId(known), asId(tree)]);
}

/** Loose ones are files; for packs git is asked with an object folder that has our packs and no alternates. */
async function notOwn(own: OwnRepository, ids: readonly string[]): Promise<string[]> {
  const notLoose = ids.filter((id) => !existsSync(join(own.objects, id.slice(0, 2), id.slice(2))));
  if (notLoose.length === 0) return [];
  const output = await own.run(['cat-file', '--batch-check=%(objectname)'], {
    input: `${notLoose.join('\n')}\n`,
    env: { GIT_OBJECT_DIRECTORY: own.packsAlone },
  });
  return [...output.toString('latin1').matchAll(/^([0-9a-f]+) missing$/gm)].map(([, id]) => id as string);
}
