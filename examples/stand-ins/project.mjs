// A project of somebody who never heard of foreword, with settings, a draft and files of their own.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes `home` with the project `home/shop`; answers its path. Neither must exist yet. */
export function makeHome(home) {
  const project = join(home, 'shop');
  cpSync(join(import.meta.dirname, '../quickstart/project'), project, { recursive: true });
  rmSync(join(project, '.foreword'), { recursive: true });
  const git = (...args) =>
    execFileSync('git', args, { cwd: project, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: home, ...DATES } });
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = You\n\temail = you@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  for (const name of ['.bashrc', '.zshrc', '.profile']) writeFileSync(join(home, name), '# mine\n');
  for (const folder of [join(home, '.claude'), join(home, '.codex')]) mkdirSync(folder);
  writeFileSync(join(home, '.claude/settings.json'), '{\n  "model": "opus"\n}\n');
  writeFileSync(join(home, '.codex/config.toml'), 'model = "gpt-5"\n');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'shop: a cart behind HTTP');
  writeFileSync(join(project, 'draft.md'), 'Not committed.\n');
  return project;
}

const DATES = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };
