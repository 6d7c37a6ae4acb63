// HEAD of a repository with reftables (git 2.45 and later): its refs are binary tables, so git itself reads them, in a
// private git directory in which only the tables are the repository's. Works without waiting, like the rest of head.ts.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentFor, gitFor, makePrivateFolder, removePrivateFolder, writeGitDirectory } from './private-git.ts';
import type { Repository } from './repository.ts';
import { runGitSync } from './run-git.ts';

/** The full name that HEAD refers to (bytes as latin1, `null` when detached) and the id (`null` before the first
 *  commit). Throws `bad-input` when git is missing or too old to read the tables. */
export function readReftableHead(repository: Repository): { name: string | null; commit: string | null } {
  const program = gitFor(repository);
  const folder = makePrivateFolder();
  try {
    const env = { ...environmentFor(folder, repository), GIT_DIR: linkTables(folder, repository) };
    const ask = (...args: string[]) => runGitSync({ program, cwd: repository.root, env }, args);
    const ref = ask('symbolic-ref', '--quiet', 'HEAD');
    const id = ask('rev-parse', '--verify', '--quiet', 'HEAD');
    return {
      name: ref === undefined ? null : ref.toString('latin1').trimEnd(),
      commit: id === undefined ? null : id.toString('latin1').trimEnd(),
    };
  } finally {
    removePrivateFolder(folder);
  }
}

/** A worktree has a stack of tables of its own beside the shared one, so its private directory is one of two. */
function linkTables(folder: string, repository: Repository): string {
  writeGitDirectory(folder, repository, { refStorage: 'reftable' });
  symlinkSync(join(repository.commonDir, 'reftable'), join(folder, 'reftable'));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/.invalid\n');
  if (repository.gitDir === repository.commonDir) return folder;
  const worktree = join(folder, 'worktrees/private');
  mkdirSync(join(worktree, 'refs'), { recursive: true });
  symlinkSync(join(repository.gitDir, 'reftable'), join(worktree, 'reftable'));
  writeFileSync(join(worktree, 'HEAD'), 'ref: refs/heads/.invalid\n');
  writeFileSync(join(worktree, 'commondir'), '../..\n');
  return worktree;
}
