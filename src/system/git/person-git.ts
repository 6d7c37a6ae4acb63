// Git as the person would run it: in their tree, with their environment, configuration, hooks and signing. For commands that the
// person asked for and saw, and for nothing else.

import { spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { withChanges } from './environment.ts';
import { diffstat, stagedChanges } from './facts.ts';
import { gitFor } from './private-git.ts';
import type { Repository } from './repository.ts';
import type { TreeChange } from './tree-diff.ts';

/** The exit code. Its output goes to standard error, so that standard output stays ours. */
export function runAsPerson(
  repository: Repository,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const all = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const child = spawn(gitFor(repository), args, {
    cwd: repository.root,
    // A hook of git that started us names its own repository.
    env: withChanges(all, { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined }),
    stdio: ['inherit', 2, 2],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (status) => resolve(status ?? 1));
  });
}

/** The paths among `changes` (from HEAD to what shall be) where the work tree has something that is not in HEAD: changed files,
 *  and files in the place of new ones, ignored ones too, which git would overwrite without a word. */
export async function inTheWay(repository: Repository, changes: readonly TreeChange[]): Promise<readonly string[]> {
  const theirs = [...(await diffstat(repository)), ...(await stagedChanges(repository))];
  const changed = new Set(theirs.map(({ path }) => path));
  const gone = new Set(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path));
  return changes
    .filter(({ path, kind }) => {
      if (changed.has(path)) return true;
      const found = kind === 'created' ? firstNonFolder(repository.root, path) : undefined;
      return found !== undefined && !gone.has(found);
    })
    .map(({ path }) => path);
}

/** The first part of `path` below `root` that exists and is no folder: the file itself, or what is in the place of its folder
 *  (a link to a folder too, which could lead anywhere). A folder in the place of the file counts as well. */
export function firstNonFolder(root: string, path: string): string | undefined {
  const parts = path.split('/');
  for (let count = 1; count <= parts.length; count += 1) {
    const part = parts.slice(0, count).join('/');
    const stat = lstatSync(join(root, part), { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (!stat.isDirectory() || count === parts.length) return part;
  }
  return undefined;
}
