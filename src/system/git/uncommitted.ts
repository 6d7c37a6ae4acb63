// Files of a work tree that its HEAD does not have, or has otherwise.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { changedFiles } from './facts.ts';
import { split } from './fill-tree.ts';
import { readHead } from './head.ts';
import { EMPTY_TREE } from './object-id.ts';
import { type PrivateGit, withPrivateGit } from './private-git.ts';
import { readFileWithin } from './read-file.ts';
import type { Repository } from './repository.ts';

/** From the top of the work tree, sorted. A folder that is not tracked at all is one entry that ends in `/`.
 *  `excludesFile` is the person's own list of ignored files. */
export async function uncommittedFiles(
  repository: Repository,
  excludesFile: string | undefined,
): Promise<readonly string[]> {
  const changed = await changedFiles(repository);
  const output = await withPrivateGit(repository, (git) =>
    listOthers(git, { repository, excludesFile }, ['--directory', '--no-empty-directory']),
  );
  const others = output
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
  return [...new Set([...changed, ...others])].sort();
}

/** Each file by itself, as a walk has it (system/files/walk-tree.ts), sorted. `tracked` are those that HEAD or the index has,
 *  without submodules; a repository inside the work tree is one entry of `untracked` that ends in `/`. */
export async function uncommittedPaths(
  repository: Repository,
  excludesFile: string | undefined,
): Promise<{ readonly tracked: readonly string[]; readonly untracked: readonly string[] }> {
  const { commit } = await readHead(repository);
  const base = commit ?? EMPTY_TREE[repository.objectFormat];
  const plain = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all'];
  return withPrivateGit(repository, async (git) => {
    const changed = await git.run(['diff', '--name-only', '-z', ...plain, base, '--'], git.copyIndex());
    const others = await listOthers(git, { repository, excludesFile }, []);
    return { tracked: [...new Set(split(changed))].sort(), untracked: split(others).sort() };
  });
}

const EXCLUDE_LIMIT = 1024 * 1024;

function listOthers(
  git: PrivateGit,
  of: { readonly repository: Repository; readonly excludesFile: string | undefined },
  more: readonly string[],
): Promise<Buffer> {
  // Git looks for it in its own directory, which is not the repository's here.
  const excluded = readFileWithin(join(of.repository.commonDir, 'info/exclude'), EXCLUDE_LIMIT);
  if (excluded !== undefined) {
    fs.mkdirSync(join(git.directory, 'info'), { recursive: true });
    fs.writeFileSync(join(git.directory, 'info/exclude'), excluded);
  }
  const own = of.excludesFile === undefined ? [] : ['-c', `core.excludesFile=${of.excludesFile}`];
  const args = [...own, 'ls-files', '-z', '--others', '--exclude-standard', ...more];
  return git.run(args, git.copyIndex());
}
