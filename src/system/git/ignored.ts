// What of a work tree git ignores, and what it tracks. The person's own lists of ignored files count.

import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { environmentFor, gitFor, withPrivateGit } from './private-git.ts';
import type { Repository } from './repository.ts';
import { runGitStatus } from './run-git.ts';

/** Options of `git` and of `ls-files` by which the person's own lists count beside those of the tree: `excludesFile` is the one
 *  for all their repositories. */
function excludeOptions(
  { commonDir }: Repository,
  excludesFile: string | undefined,
): { readonly git: readonly string[]; readonly list: readonly string[] } {
  const own = join(commonDir, 'info/exclude');
  return {
    git: excludesFile === undefined ? [] : ['-c', `core.excludesFile=${excludesFile}`],
    list: ['--exclude-standard', ...(existsSync(own) ? [`--exclude-from=${own}`] : [])],
  };
}

/** From the top of the work tree. A folder with nothing tracked in it is one entry that ends in `/`. */
export async function ignoredFiles(
  repository: Repository,
  excludesFile: string | undefined,
): Promise<readonly string[]> {
  const { git: before, list } = excludeOptions(repository, excludesFile);
  return listed(repository, [...before, 'ls-files', '-z', '--others', '--ignored', '--directory', ...list]);
}

/** Those of the paths, absolute and below the top of the work tree, that git ignores; they need not exist. A tracked file is not
 *  ignored. */
export function ignoredAmong(
  repository: Repository,
  paths: readonly string[],
  excludesFile: string | undefined,
): Promise<readonly string[]> {
  return withPrivateGit(repository, async ({ directory }) => {
    const own = join(repository.commonDir, 'info/exclude');
    mkdirSync(join(directory, 'info'), { recursive: true });
    if (existsSync(own)) copyFileSync(own, join(directory, 'info/exclude'));
    const names = paths.map((path) => relative(repository.root, path));
    const invocation = {
      program: gitFor(repository),
      cwd: repository.root,
      env: environmentFor(directory, repository),
      input: Buffer.from(names.map((name) => `${name}\0`).join('')),
    };
    const { git: before } = excludeOptions(repository, excludesFile);
    const { output } = await runGitStatus(invocation, [...before, 'check-ignore', '-z', '--stdin'], [0, 1]);
    const ignored = new Set(output.toString('utf8').split('\0'));
    return paths.filter((_, index) => ignored.has(names[index] ?? ''));
  });
}

/** From the top of the work tree, as the index has them. */
export function trackedFiles(repository: Repository): Promise<readonly string[]> {
  return listed(repository, ['ls-files', '-z', '--cached']);
}

async function listed(repository: Repository, args: readonly string[]): Promise<readonly string[]> {
  const output = await withPrivateGit(repository, (git) => git.run(args, git.copyIndex()));
  return output
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
}
