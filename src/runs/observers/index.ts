// The catalog of observers. To add one: a file beside this one that makes an OpenObserver, and a line below that says
// when it is taken.

import { openRepository } from '../../system/git/repository.ts';
import { observeGitTree } from './git.ts';
import type { FolderOptions, GitOptions, OpenObserver } from './open-observer.ts';
import { observeFolder } from './scan.ts';

export { observeGitTree } from './git.ts';
export type { FolderOptions, GitObserver, GitOptions, OpenObserver } from './open-observer.ts';
export { observeFolder } from './scan.ts';

/** Git's eyes where there is a repository, else a scan. Throws `bad-input` when a repository is there but broken. */
export function openObserver(root: string, options: FolderOptions & GitOptions): OpenObserver {
  const isRepository = openRepository(root, options.searchPath) !== undefined;
  return isRepository ? observeGitTree(root, options) : observeFolder(root, options);
}
