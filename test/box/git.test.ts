// Git in the box, in repositories of every kind: what an agent reads and commits there is what it would outside.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { begin, type Ground, makeGround } from '../run/ground.ts';
import { boxed } from './field.ts';

let ground: Ground;
afterEach(() => ground.field.remove());

/** Prints what git shows, and commits twice: with a file and with an amendment. */
const GIT = [
  'exec > "$HOME/ledger/git.txt" 2>&1; set -e',
  'pwd; git rev-parse --show-toplevel; git status --porcelain; git log --format=%s',
  'echo more >> tracked.txt; git diff --numstat; git add .; git commit -qm one',
  'echo more >> tracked.txt; git commit -qam two; git log -2 --format=%s; git diff --stat HEAD~1 | tail -1',
  'git stash list; git gc -q; git fsck; git status --porcelain; echo end',
].join('\n');

const KINDS: Readonly<Record<string, (made: Ground) => void>> = {
  'a repository': () => undefined,
  'a linked worktree': (made) => {
    made.git('worktree', 'add', '-q', '../linked', '-b', 'linked');
    made.at = 'linked';
  },
  'a shallow clone': (made) => {
    made.git('clone', '-q', '--depth', '1', `file://${made.repo}`, '../shallow');
    made.at = 'shallow';
  },
  'a clone that borrows objects': (made) => {
    made.git('clone', '-q', '--shared', made.repo, '../borrows');
    made.git('-C', '../borrows', 'commit', '--allow-empty', '-qm', 'second');
    made.at = 'borrows';
  },
  'a folder of a monorepo': (made) => {
    made.write('packages/one/tracked.txt', 'tracked\n');
    // It makes the folder a project of its own.
    made.write('packages/one/.foreword/config.yaml', 'project: one\n');
    made.commit('second');
    made.at = 'repo/packages/one';
  },
  'a repository with a submodule': (made) => {
    made.git('init', '-q', '../inner');
    made.git('-C', '../inner', 'commit', '--allow-empty', '-qm', 'inner');
    made.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', '../inner', 'inner');
    made.commit('second');
  },
};

for (const [name, make] of Object.entries(KINDS)) {
  boxed(`${name}: status, log, diff and commits work, at the path of the person`, async () => {
    ground = makeGround([['shell', GIT]], {}, { run: { confine: 'required' } });
    ground.home('[user]', 'name = A Person', 'email = person@example.com', '[gc]', 'auto = 0');
    begin(ground);
    ground.write('tracked.txt', 'tracked\n');
    ground.commit('the newest');
    make(ground);
    const top = ground.git('-C', join(ground.field.project, ground.at), 'rev-parse', '--show-toplevel');
    const newest = ground.git('-C', top, 'log', '-1', '--format=%s');
    const before = ground.personal();
    const ran = await ground.run();
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    expect(ground.personal()).toEqual(before);
    const printed = readFileSync(join(ground.field.folder, 'ledger/git.txt'), 'utf8').trimEnd().split('\n');
    expect(printed.slice(0, 3)).toEqual([join(ground.field.project, ground.at), top, newest]);
    expect(printed).toContainEqual(expect.stringMatching(/^1\t0\t(packages\/one\/)?tracked\.txt$/));
    expect(printed.slice(printed.indexOf('two'))).toEqual(['two', 'one', ' 1 file changed, 1 insertion(+)', 'end']);
    expect(Object.keys(ground.changed()).map((path) => path.replace('packages/one/', ''))).toEqual([
      'new.txt',
      'tracked.txt',
    ]);
  });
}

boxed('a folder without git: the agent works at its path, and sees no repository of ours', async () => {
  const seen = 'pwd > "$HOME/ledger/git.txt"; ls -A >> "$HOME/ledger/git.txt"';
  ground = makeGround([['shell', seen]], {}, { run: { confine: 'required' } });
  ground.write('readme.txt', 'a project\n');
  const ran = await ground.run();
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(readFileSync(join(ground.field.folder, 'ledger/git.txt'), 'utf8')).toMatch(
    new RegExp(`^${ground.repo}\n(\\.git\n)?readme.txt\n$`),
  );
});

boxed('shared node_modules, Node of a version manager and a program that is a link in the home work', async () => {
  const lines = [
    'exec > "$HOME/ledger/git.txt" 2>&1',
    'node_modules/.bin/tool; mine; readlink -f "$(command -v node)"; node -p 1+1; echo x >> node_modules/tool.js',
  ];
  ground = makeGround([['shell', lines.join('\n')]], {}, { run: { confine: 'required' } });
  begin(ground);
  ground.write('.gitignore', 'node_modules/\n');
  ground.commit('second');
  ground.write('node_modules/tool.js', '#!/usr/bin/env node\nconsole.log("shared");\n');
  mkdirSync(join(ground.repo, 'node_modules/.bin'));
  ground.link('../tool.js', 'node_modules/.bin/tool');
  execFileSync('chmod', ['+x', join(ground.repo, 'node_modules/tool.js')]);
  const { folder } = ground.field;
  const bin = join(folder, '.nvm/versions/node/v99.0.0/bin');
  mkdirSync(bin, { recursive: true });
  execFileSync('cp', [process.execPath, join(bin, 'node')]);
  for (const path of ['.local/bin', '.local/share/mine']) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, '.local/share/mine/mine'), '#!/bin/sh\necho mine\n', { mode: 0o755 });
  symlinkSync('../share/mine/mine', join(folder, '.local/bin/mine'));
  const path = `${bin}:${folder}/.local/bin:${process.env.PATH}`;
  const ran = await ground.runWith({ PATH: path });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(readFileSync(join(folder, 'ledger/git.txt'), 'utf8').split('\n')).toEqual([
    ...['shared', 'mine', join(bin, 'node'), '2', ''],
  ]);
  expect(readFileSync(join(ground.repo, 'node_modules/tool.js'), 'utf8')).not.toContain('x\n');
});
