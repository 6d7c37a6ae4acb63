// Real repositories for tests: git in surroundings of its own, so that nobody's configuration changes an outcome.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const GIT_PATH = process.env.PATH ?? '/usr/bin:/bin';

export function isolatedEnvironment(home: string): Record<string, string> {
  return {
    PATH: GIT_PATH,
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.invalid',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.invalid',
  };
}

export interface RealGit {
  readonly root: string;
  /** Standard output, trimmed at its end; throws when git fails. */
  run(...args: string[]): string;
  /** Whether it succeeded or not. */
  try(...args: string[]): void;
  write(path: string, content: string | Uint8Array): void;
  commit(message?: string): string;
}

/** Git in `root`, which is made if it is not there. */
export function realGit(root: string, env: Readonly<Record<string, string>> = isolatedEnvironment(root)): RealGit {
  mkdirSync(root, { recursive: true });
  const run = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26 }).trimEnd();
  return {
    root,
    run,
    try: (...args) => {
      try {
        run(...args);
      } catch {
        // Only what it did on the way is of interest.
      }
    },
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    commit: (message = 'a commit') => {
      run('add', '--all');
      run('commit', '--quiet', '--allow-empty', '--message', message);
      return run('rev-parse', 'HEAD');
    },
  };
}

/** A repository on branch `main` without a commit. */
export function initialised(root: string, ...options: string[]): RealGit {
  const git = realGit(root);
  git.run('init', '--quiet', '--initial-branch=main', ...options);
  return git;
}
