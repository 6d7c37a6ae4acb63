// Opens what the checkouts of a project come from: our repository beside the person's, and what they set for git.

import { mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { emptyTree } from '../../system/git/commits.ts';
import { keepObjects } from '../../system/git/keep-objects.ts';
import { type OwnPlaces, openOwnRepository } from '../../system/git/own-repository.ts';
import { readPersonConfig } from '../../system/git/person-config.ts';
import { openRepository } from '../../system/git/repository.ts';
import { openTrees } from '../../system/git/tree.ts';
import type { CheckoutSource } from './checkout.ts';

/** By whom commits are when the person set no name for git. */
const NOBODY = { name: 'foreword', email: 'foreword@localhost' };

/** A folder without a repository is taken as the top of its own tree. Throws `bad-input` when the repository is broken or git is
 *  not installed. */
export async function openCheckouts(at: {
  readonly root: string;
  readonly work: OwnPlaces;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<CheckoutSource> {
  const searchPath = at.env.PATH ?? '';
  mkdirSync(dirname(at.work.directory), { recursive: true, mode: 0o700 });
  const found = openRepository(at.root, searchPath);
  const { directory } = at.work;
  const theirs = found ?? {
    root: realpathSync(at.root),
    gitDir: directory,
    commonDir: directory,
    objectFormat: 'sha1',
    searchPath,
  };
  // The person's settings are read with a git directory, which must be there.
  if (found === undefined) openOwnRepository(at.work, theirs, new Map());
  const person = await readPersonConfig(theirs, at.env);
  const own = openOwnRepository(at.work, theirs, person.settings);
  return { own, theirs, person, identity: person.identity ?? NOBODY, env: at.env };
}

/** The person's tree as it is now, as a tree in our repository: all files that are not ignored. `away` never counts. What
 *  cannot be read is missing in it and named. */
export async function snapshotProject(
  { own, theirs, person }: CheckoutSource,
  folder: string,
  { away, known }: { readonly away: readonly string[]; readonly known: string | null },
): Promise<{ readonly tree: string; readonly unreadable: readonly string[] }> {
  const unreadable: string[] = [];
  const trees = openTrees(folder, theirs, {
    ours: away,
    excludesFile: person.excludesFile,
    objects: own.objects,
    unreadable: (path) => unreadable.push(path),
  });
  const tree = await trees.make();
  await keepObjects(own, tree, known ?? (await emptyTree(own)));
  return { tree, unreadable };
}
