// Whether a git directory belongs to its work tree. A `.git` that is a file or a link can name any repository of the person, and
// git would write to that one; so the directory has to name the work tree too. Git itself notes it in linked worktrees and
// submodules. Looks at files alone.

import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { configValue } from './config-text.ts';
import { readFileWithin, SMALL } from './read-file.ts';
import { configTexts, foldersOf, openRepository, type Repository } from './repository.ts';

/** Where git would write although it is not part of the repository; `undefined` when there is no such place. */
export function foreignDirectory(repository: Pick<Repository, 'root' | 'gitDir' | 'commonDir'>): string | undefined {
  if (!isOwn(repository)) return repository.gitDir;
  return WRITTEN.map((path) => join(repository.commonDir, path)).find(isLink);
}

/** A link in one of these places leads what git writes elsewhere. */
const WRITTEN = [
  '',
  'worktrees',
  'refs',
  'refs/heads',
  'refs/heads/foreword',
  'refs/foreword',
  'objects',
  'objects/pack',
];

/** The folders of the repository that are truly its own: of a git directory elsewhere, and of work trees that it names, only
 *  those that name it back. */
export function ownFolders(repository: Repository): string[] {
  if (foreignDirectory(repository) !== undefined) return [repository.root];
  const common = real(repository.commonDir);
  return foldersOf(repository, (path) => {
    try {
      const there = openRepository(path);
      const isTop = there !== undefined && there.root === real(path) && real(there.commonDir) === common;
      return isTop && foreignDirectory(there) === undefined;
    } catch {
      return false;
    }
  });
}

function isOwn(repository: Pick<Repository, 'root' | 'gitDir' | 'commonDir'>): boolean {
  const { root, gitDir, commonDir } = repository;
  if (gitDir === join(root, '.git')) return !isLink(gitDir) && commonDir === gitDir;
  if (commonDir !== gitDir) return isLinkedWorktree(repository);
  const noted = configTexts(repository).flatMap((text) => configValue(text, 'core.worktree') ?? []);
  return noted.some((path) => real(resolve(gitDir, path)) === root);
}

function isLinkedWorktree({ root, gitDir, commonDir }: Pick<Repository, 'root' | 'gitDir' | 'commonDir'>): boolean {
  const noted = readFileWithin(join(gitDir, 'gitdir'), SMALL)?.toString('utf8').trimEnd();
  if (noted === undefined || noted === '' || noted.includes('\0')) return false;
  const isRegistered = real(dirname(gitDir)) === real(join(commonDir, 'worktrees'));
  return isRegistered && real(dirname(resolve(gitDir, noted))) === root;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
