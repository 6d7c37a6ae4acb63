// `npx foreword` and direnv put the repository's own folder of programs first on the PATH. None of them is run.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword, shop } from '../foreword.ts';

const NAMES =
  'claude codex gemini opencode aider pi tmux git bwrap unshare node sh bash env ip stty true ps script'.split(' ');
let project = '';
let top = '';

beforeEach(() => {
  project = shop();
  top = dirname(project);
  mkdirSync(join(top, 'home'));
});
afterEach(() => rmSync(top, { recursive: true }));

const canary = () => join(top, 'canary');
const runs = () => (existsSync(canary()) ? readFileSync(canary(), 'utf8').trim().split('\n') : []);

/** Programs under every name that foreword looks for, each of which leaves its name. */
function plant(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of NAMES) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name}" "$@" >> ${canary()}\necho 99.9.9\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

function linksTo(folder: string, at: string): string {
  mkdirSync(at);
  for (const name of NAMES) symlinkSync(join(folder, name), join(at, name));
  return at;
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'ignore' });

const COMMANDS = [
  ['doctor'],
  ['doctor', '--json'],
  ['context'],
  ['prompt', 'api_health'],
  ['search', 'cart'],
  ['load'],
  ['save', 'words'],
  ['status'],
  ['sessions'],
  ['receipts'],
  ['run', '.foreword/tasks.yaml', '--only', 'api_health'],
  ['run', '.foreword/tasks.yaml', '--concurrency', '2'],
  ['start', 'claude', '--detach'],
  ['verify', '--agent', 'claude'],
  ['init', '--dry-run'],
  ['xray', 'claude'],
  ['audit'],
  ['clean'],
];

async function expectNoRun(path: readonly string[]): Promise<void> {
  const env = {
    HOME: join(top, 'home'),
    XDG_RUNTIME_DIR: join(top, 'home'),
    PATH: [...path, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
  };
  for (const args of COMMANDS) {
    await foreword(args, { cwd: project, env });
    expect([args.join(' '), runs()]).toEqual([args.join(' '), []]);
  }
}

test("the repository's own programs are not run: by their folder, a relative folder, an empty entry", async () => {
  const own = plant(join(project, 'node_modules/.bin'));
  plant(project);
  await expectNoRun([own, '', '.', 'node_modules/.bin', join(project, '../shop/node_modules/.bin')]);
});

test('links outside that lead into the repository do not make its programs others', async () => {
  const own = plant(join(project, 'tools'));
  symlinkSync(own, join(top, 'linked-folder'));
  await expectNoRun([linksTo(own, join(top, 'links')), join(top, 'linked-folder')]);
});

test('a worktree of the same repository and a folder above the project in it are the repository too', async () => {
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '-q', '../tree');
  const [main, tree] = [plant(join(project, 'bin')), plant(join(top, 'tree/bin'))];
  await expectNoRun([tree]);
  project = join(top, 'tree');
  await expectNoRun([main, tree]);
  mkdirSync(join(project, 'packages/a/.foreword'), { recursive: true });
  project = join(project, 'packages/a');
  await expectNoRun([main, tree]);
});
