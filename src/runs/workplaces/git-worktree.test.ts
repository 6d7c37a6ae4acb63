import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/bundle.ts';
import { openRepository, type Repository } from '../../system/git/repository.ts';
import { removeWorktrees } from './git-worktree.ts';

test('a pipe that an agent left among the worktrees is not read: it could make a run wait for ever', async () => {
  const top = realpathSync(temporaryFolder('git-worktree'));
  execFileSync('git', ['init', '-q', top]);
  const [entry, ours] = [join(top, '.git/worktrees/x'), join(top, 'ours')];
  mkdirSync(entry, { recursive: true });
  execFileSync('mkfifo', [join(entry, 'gitdir')]);
  // Whoever reads it gets an answer here, so that the test ends when the fault is back.
  const writer = spawn('sh', ['-c', `while echo ${ours}/a/.git > ${entry}/gitdir; do :; done`], { stdio: 'ignore' });
  try {
    await removeWorktrees(openRepository(top) as Repository, ours, { take: (work) => work() });
    expect(existsSync(entry)).toBe(true);
  } finally {
    writer.kill('SIGKILL');
    rmSync(top, { recursive: true });
  }
});
