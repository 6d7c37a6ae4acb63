// The root commits of a repository: those without a parent, which clones and forks have in common. Git looks for them in a
// private git directory (private-git.ts), so nothing runs that the repository configures. Works without waiting, as head.ts.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readFileHead } from './head.ts';
import { environmentFor, gitFor, makePrivateFolder, removePrivateFolder, writeGitDirectory } from './private-git.ts';
import { readReftableHead } from './reftable.ts';
import type { Repository } from './repository.ts';
import { runGitSync } from './run-git.ts';

/** A history of a million commits without a commit graph takes longer; a command does not wait for that. */
const TIME_LIMIT_MS = 5000;
/** Far more roots than any history has. */
const OUTPUT_LIMIT = 64 * 1024;

/** Of the history of HEAD. `undefined`: there is nothing to ask (no commit yet, or a shallow clone, whose history ends
 *  early). Empty: git could not find them, or not in time. */
export function rootCommits(repository: Repository): readonly string[] | undefined {
  if ((statSync(join(repository.commonDir, 'shallow'), { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  try {
    const commit = (readFileHead(repository) ?? readReftableHead(repository)).commit;
    return commit === null ? undefined : listRoots(repository, commit);
  } catch {
    // Damaged, or no git on this machine: the project is known by its other marks.
    return [];
  }
}

function listRoots(repository: Repository, commit: string): readonly string[] {
  const program = gitFor(repository);
  const folder = makePrivateFolder();
  try {
    writeGitDirectory(folder, repository);
    const env = environmentFor(folder, repository);
    const limits = { timeLimitMs: TIME_LIMIT_MS, outputLimit: OUTPUT_LIMIT };
    const args = ['rev-list', '--max-parents=0', commit, '--'];
    const printed = runGitSync({ program, cwd: repository.root, env, ...limits }, args);
    return printed?.toString('latin1').trim().split('\n').filter(Boolean) ?? [];
  } finally {
    removePrivateFolder(folder);
  }
}
