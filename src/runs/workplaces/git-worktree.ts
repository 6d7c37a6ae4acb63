// A worktree of the repository, registered by git itself and removed by hand. Its name is never used
// twice: a git that outlived its supervisor, and ends by removing what it made, must not remove the next one.
// Its files come from checkout.ts, which runs nothing.

import { readdirSync, rmSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForewordError } from '../../kernel/errors.ts';
import { checkOut } from '../../system/git/checkout.ts';
import { foreignDirectory } from '../../system/git/own-directory.ts';
import { gitFor } from '../../system/git/private-git.ts';
import { readFileWithin, SMALL } from '../../system/git/read-file.ts';
import { openRepository, type Repository } from '../../system/git/repository.ts';
import { runGit } from '../../system/git/run-git.ts';
import type { Turns } from './turns.ts';

/** Only to register a worktree git reads the configuration of the repository and of the person, who may have named it safe
 *  there. What could run then is off, whoever configured it: hooks, the file system monitor, any way to another machine. */
const SETTINGS = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'submodule.recurse=false', 'gc.auto=0'];
const NO_NETWORK = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' };

interface NewWorktree {
  readonly path: string;
  readonly commit: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly turns: Turns;
}

/** At `commit`, on no branch. Neither the index nor a branch of the project is touched. Returns the paths that a filter
 *  (git-lfs) would have changed on their way: they are as the repository stores them. */
export async function addWorktree(repository: Repository, what: NewWorktree): Promise<readonly string[]> {
  refuseForeign(repository);
  const invocation = { program: gitFor(repository), cwd: repository.root, env: withoutGit(what.env) };
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const args = [...settings, 'worktree', 'add', '--quiet', '--detach', '--no-checkout', what.path, what.commit];
  // One at a time: git fails where it finds another worktree half registered. The files can come side by side.
  await what.turns.take(() => withRetries(() => runGit(invocation, args)));
  const made = openRepository(what.path, repository.searchPath);
  if (made === undefined) throw new Error(`git made no worktree at ${what.path}`);
  return checkOut(made, { commit: what.commit, from: repository, env: what.env });
}

/** Throws `bad-input` when a worktree would be registered in somebody else's repository. */
export function refuseForeign(repository: Repository): void {
  const foreign = foreignDirectory(repository);
  if (foreign === undefined) return;
  throw new ForewordError(
    'bad-input',
    `Several tasks at once need worktrees, and git would register them in ${foreign}, which does not belong to ${repository.root} alone.`,
    { hint: 'Run with --concurrency 1, or work in a clone of its own.' },
  );
}

/** A git that outlived its supervisor may be registering its worktree, which nobody else waits for. */
async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === 3) throw error;
      await sleep(300);
    }
  }
}

/** Every worktree in `folder`, also one that is half made or half removed, and the folder. By hand, since `git worktree
 *  prune` would forget other worktrees too, such as one on a disk that is not there at the moment. `folder` is without
 *  links. */
export async function removeWorktrees(repository: Repository, folder: string, turns: Turns): Promise<void> {
  // A git that outlived its supervisor may be writing to it still.
  const all = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
  const entries = join(repository.commonDir, 'worktrees');
  const ours = () =>
    namesIn(entries)
      .map((name) => join(entries, name))
      .filter((entry) => worktreeOf(entry)?.startsWith(`${folder}${sep}`) === true);
  if (ours().length > 0) {
    await turns.take(async () => {
      for (const entry of ours()) rmSync(entry, all);
      // As git does.
      if (namesIn(entries).length === 0) rmSync(entries, all);
    });
  }
  // The folder last: while it exists, the next process knows that there is something to remove.
  rmSync(folder, all);
}

function worktreeOf(entry: string): string | undefined {
  try {
    const noted = readFileWithin(join(entry, 'gitdir'), SMALL)?.toString('utf8').trimEnd();
    return noted === undefined ? undefined : resolve(entry, noted);
  } catch {
    // Another process is making or removing it, or it is a pipe that an agent left.
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A git variable that is set where we were started (in a git hook, for example) would point git to another repository. */
function withoutGit(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => !/^GIT_/i.test(name) && value !== undefined);
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...NO_NETWORK, LC_ALL: 'C' };
}
