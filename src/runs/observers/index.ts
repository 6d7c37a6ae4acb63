// The catalog of observers. To add one: a file beside this one that makes an OpenObserver, and a line below with the
// condition for it.

import { openRepository } from '../../system/git/repository.ts';
import { observeGitTree } from './git.ts';
import type { FolderOptions, GitOptions, OpenObserver } from './open-observer.ts';
import { observeFolder } from './scan.ts';

export { observeGitTree } from './git.ts';
export type { FolderOptions, GitObserver, GitOptions, OpenObserver } from './open-observer.ts';
export { observeFolder } from './scan.ts';

/** Git in a repository, else a scan. Throws `bad-input` when a repository exists but is broken. */
export function openObserver(root: string, options: FolderOptions & GitOptions): OpenObserver {
  const isRepository = openRepository(root, options.searchPath) !== undefined;
  return isRepository ? observeGitTree(root, options) : observeFolder(root, options);
}
