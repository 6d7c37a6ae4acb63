// Makes a copy of the quickstart project with a git history and notes of a known age, so that everybody sees the same.

import { execFileSync } from 'node:child_process';
import { cpSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `folder` must not exist yet. */
export function prepare(folder) {
  cpSync(join(import.meta.dirname, 'project'), folder, { recursive: true });
  const git = (...args) =>
    execFileSync('git', ['-c', 'init.defaultBranch=main', '-c', 'commit.gpgSign=false', '-C', folder, ...args], {
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', ...IDENTITY },
      stdio: 'ignore',
    });
  git('init');
  git('config', 'user.name', 'shop');
  git('config', 'user.email', 'shop@example.com');
  git('add', '.');
  git('commit', '-m', 'shop: a cart behind HTTP');
  const ago = (seconds) => new Date(Date.now() - seconds * 1000);
  const notes = join(folder, '.foreword/notes');
  utimesSync(join(notes, 'ready_for_review/cart-total.md'), ago(2 * 86_400 + 60), ago(2 * 86_400 + 60));
  utimesSync(join(notes, 'scratch/load-test.md'), ago(5), ago(5));
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'shop',
  GIT_AUTHOR_EMAIL: 'shop@example.com',
  GIT_COMMITTER_NAME: 'shop',
  GIT_COMMITTER_EMAIL: 'shop@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

/** A configuration with the three scripted agents of the quickstart. */
export function writeConfig(file) {
  const agent = (name) => ({
    oneshot: { command: [process.execPath, join(import.meta.dirname, 'agents', `${name}.mjs`)], prompt: 'stdin' },
  });
  const agents = { swift: agent('swift'), steady: agent('steady'), checker: agent('checker') };
  writeFileSync(file, JSON.stringify({ lineup: ['swift', 'steady'], helper: 'checker', agents }));
}
