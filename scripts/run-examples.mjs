// Runs every example in a fresh copy of the quickstart project with `foreword` on the PATH, as a user would, and compares
// what it prints with examples/output/. A shell example runs in bash and in zsh, whichever are installed; blocks that readers
// paste are in the pages themselves (scripts/paste-blocks.mjs). What the copy
// needs and a reader would not paste is in examples/setup/NAME.sh and runs before. `--write` takes what it prints as the
// new truth.
// Usage: node scripts/run-examples.mjs [--write] [NAME…]

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { transformSync } from 'esbuild';
import { prepare, writeConfig } from '../examples/quickstart/prepare.mjs';
import { withoutChance } from './without-chance.mjs';

const root = join(import.meta.dirname, '..');
const examples = join(root, 'examples');
const isWrite = process.argv.includes('--write');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const names = readdirSync(examples).filter(
  (name) => /\.(sh|mjs|ts)$/.test(name) && (wanted.length === 0 || wanted.includes(name)),
);

const installed = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0);
const shells = installed.length > 0 ? installed : ['sh'];

let failed = 0;
for (const name of names) {
  const file = join(examples, name);
  const plain = name.endsWith('.ts') ? withoutTypes(file) : file;
  const commands = name.endsWith('.sh') ? shells.map((shell) => [shell, file]) : [[process.execPath, plain]];
  try {
    for (const command of commands) await runOnce(name, command);
  } finally {
    if (plain !== file) rmSync(plain);
  }
}
console.log(`${names.length} examples, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** TypeScript as Node 20 runs it: beside the example, so that `foreword` is found from there. */
function withoutTypes(file) {
  const plain = file.replace(/(\w[\w-]*)\.ts$/, '.$1.mjs');
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts', format: 'esm', target: 'node20' });
  writeFileSync(plain, code);
  return plain;
}

async function runOnce(name, [command, file]) {
  const folder = mkdtempSync('/tmp/foreword-example-');
  try {
    const project = join(folder, 'shop');
    prepare(project);
    writeConfig(join(folder, 'quickstart.json'));
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(join(root, 'dist/command/start.cjs'), join(bin, 'foreword'));
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, FOREWORD_CHECKOUTS: folder, LANG: 'C.UTF-8' };
    const options = { cwd: project, encoding: 'utf8', timeout: 60_000 };
    const setup = join(examples, 'setup', name.replace(/\.\w+$/, '.sh'));
    if (existsSync(setup)) {
      const done = spawnSync('sh', ['-e', setup], { ...options, env: { ...env, EXAMPLES: examples } });
      if (done.status !== 0) return fail(name, `its set-up ended with ${done.status}\n${done.stdout}${done.stderr}`);
    }
    compare(name, spawnSync(command, [file], { ...options, env }));
    if (!(await hasNoSession(folder))) fail(name, 'a session of it still runs after 15 seconds');
  } finally {
    // The host of a session keeps what the session did after its agent has ended.
    rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** A session ends a moment after `sessions --stop` came back. Its tmux server can only be ended while its socket is there. */
async function hasNoSession(home) {
  const sessions = join(home, '.local/state/foreword/s');
  for (let waited = 0; waited < 15_000; waited += 100) {
    const folders = existsSync(sessions) ? readdirSync(sessions) : [];
    if (!folders.some((session) => existsSync(join(sessions, session, 'tmux')))) return true;
    await pause(100);
  }
  return false;
}

function compare(name, done) {
  const file = join(examples, 'output', `${basename(name).replace(/\.\w+$/, '')}.txt`);
  const printed = withoutChance(done.stdout + done.stderr).replace(/\/tmp\/foreword-example-\w+/g, '/home/you');
  if (done.status !== 0) return fail(name, `ended with ${done.status}\n${printed}`);
  if (isWrite) {
    mkdirSync(join(examples, 'output'), { recursive: true });
    writeFileSync(file, printed);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== printed) {
    return fail(
      name,
      `prints something else than ${basename(file)}; if that is right, run it with --write\n${printed}`,
    );
  }
  console.log(`ok  ${name}`);
}

function fail(name, why) {
  failed += 1;
  console.error(`FAILED  ${name}: ${why}`);
}
