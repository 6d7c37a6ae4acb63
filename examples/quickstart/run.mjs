// `npm run quickstart`: a supervised run on a small project with no key and no agent installed. The agents are scripts that
// read their prompt like any agent: one hits its rate limit, one makes a mistake and corrects it when its prompt names it,
// one verifies. It works on a copy in a temporary folder and leaves nothing behind.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, writeConfig } from './prepare.mjs';

const main = join(import.meta.dirname, '../../dist/command/start.cjs');
if (!existsSync(main)) {
  console.error('foreword is not built: run npm ci first.');
  process.exit(3);
}
const folder = mkdtempSync(join(tmpdir(), 'foreword-quickstart-'));
const project = join(folder, 'shop');
prepare(project);
const config = join(folder, 'quickstart.json');
writeConfig(config);
// State goes with the folder, and not to your own.
const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
const mark = process.stdout.isTTY ? (text) => `\u001b[1m${text}\u001b[0m` : (text) => text;

try {
  say('A small shop with three tasks. You have work in it that is not committed:');
  const file = join(project, 'package.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"name"', '"description": "my draft",\n  "name"'));
  git('status', '--short');

  say('Two agents take turns: swift, then steady. They work in a checkout of their own, never in your files:');
  foreword('run', '.foreword/tasks.yaml');

  say('swift hit its rate limit. What steady read before its own prompt:');
  firstLines(6, 'history', 'api_health', '--prompt', '--attempt', '2');

  say('steady put the route in the wrong place. The check found it, and the next attempt read what was wrong:');
  foreword('history', 'api_health');

  say('Each completed task is a commit on a branch. What one of them changed:');
  foreword('diff', 'cart_discount');

  say('You take the work over with your own git. Your draft stays as it is:');
  foreword('merge');
  git('log', '--format=%h %an: %s');
  git('status', '--short');

  say('One task without a file. It has no check, so another agent proposes commands, which run in a sandbox:');
  foreword('run', '--do', 'Tell in the README how to ask for the health with curl');
  foreword('status');
} finally {
  rmSync(folder, { recursive: true });
}

function say(text) {
  console.log(`\n${mark(text)}`);
}

function foreword(...args) {
  show('foreword', args);
  end(spawnSync(process.execPath, [main, ...args, '--config', config], { cwd: project, stdio: 'inherit', env }), args);
}

/** The first lines alone. */
function firstLines(count, ...args) {
  show('foreword', args, ` | head -${count}`);
  const ran = spawnSync(process.execPath, [main, ...args, '--config', config], { cwd: project, encoding: 'utf8', env });
  console.log(ran.stdout.split('\n').slice(0, count).join('\n'));
  end(ran, args);
}

function git(...args) {
  show('git', args);
  end(spawnSync('git', args, { cwd: project, stdio: 'inherit', env: { ...env, GIT_PAGER: 'cat' } }), args);
}

function show(program, args, behind = '') {
  const words = args.map((word) => (/^[\w./=-]+$/.test(word) ? word : `'${word}'`));
  console.log(`\n$ ${program} ${words.join(' ')}${behind}`);
}

/** Without a sandbox the helper's commands are not run, and the task waits for you: printed above, not hidden. */
function end({ status }, args) {
  if (status !== 0 && !(args[1] === '--do' && status === 1)) throw new Error(`${args[0]} ended with ${status}`);
}
