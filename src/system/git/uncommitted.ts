// Files of a work tree that its HEAD does not have, or has otherwise.

import { changedFiles } from './facts.ts';
import { withPrivateGit } from './private-git.ts';
import type { Repository } from './repository.ts';

/** From the top of the work tree, sorted. A folder that is not tracked at all is one entry that ends in `/`.
 *  `excludesFile` is the person's own list of ignored files. */
export async function uncommittedFiles(
  repository: Repository,
  excludesFile: string | undefined,
): Promise<readonly string[]> {
  const changed = await changedFiles(repository);
  const own = excludesFile === undefined ? [] : ['-c', `core.excludesFile=${excludesFile}`];
  const args = [...own, 'ls-files', '-z', '--others', '--exclude-standard', '--directory', '--no-empty-directory'];
  const output = await withPrivateGit(repository, (git) => git.run(args, git.copyIndex()));
  const others = output
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
  return [...new Set([...changed, ...others])].sort();
}
