// `node examples/fleet/run.mjs`: three workers on one machine, as if they were three: each has its own home and clone. The remote is a
// bare folder, the server a redis-server of this machine, the agent a script. It leaves nothing behind.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
if (spawnSync('redis-server', ['--version']).status !== 0) {
  console.error('This needs redis-server: apt install redis-server.');
  process.exit(3);
}

/** Writes the file that its task asks for. */
const AGENT = {
  oneshot: {
    command: ['sh', '-c', "name=$(sed -n 's/^write: //p' | head -1); echo done > \"$name\"; echo 'I wrote it.'"],
    prompt: 'stdin',
  },
};

const task = (task_id, depends_on = []) => ({
  task_id,
  intent: `Write ${task_id}.txt`,
  instructions: `write: ${task_id}.txt`,
  acceptance_criteria: [{ text: 'the file is there', check: { file_exists: `${task_id}.txt` } }],
  depends_on,
});
const TASKS = [task('menu'), task('cart'), task('checkout', ['menu', 'cart']), task('invoice', ['checkout'])];

const folder = mkdtempSync(join(tmpdir(), 'foreword-fleet-example-'));
const port = await freePort();
const server = spawn(
  'redis-server',
  ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always'],
  { stdio: 'ignore' },
);
try {
  await answering(port);
  await play();
} finally {
  server.kill('SIGKILL');
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}

async function play() {
  const remote = join(folder, 'remote.git');
  mkdirSync(remote);
  git(remote, 'init', '--quiet', '--bare', '--initial-branch=main');
  const one = clone(remote, 'one');
  writeFileSync(join(one.clone, 'tasks.json'), JSON.stringify(TASKS));
  git(one.clone, 'add', 'tasks.json');
  git(one.clone, 'commit', '--quiet', '--message', 'Tasks for the night');
  git(one.clone, 'push', '--quiet', 'origin', 'HEAD:main');
  const machines = [one, clone(remote, 'two'), clone(remote, 'three')];

  say('One machine enqueues:');
  const enqueued = foreword(one, 'enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
  const { fleet, run, tasks } = JSON.parse(enqueued);
  console.log(`fleet ${fleet}, run ${run}, ${tasks} tasks`);

  say('Three machines work until nothing is left:');
  const workers = machines.map((machine) => worker(machine, fleet));
  const codes = await Promise.all(workers.map(async (child) => (await once(child, 'exit'))[0]));
  if (codes.some((code) => code !== 0)) throw new Error(`workers ended with ${codes.join(', ')}`);

  say('The branch on the remote, oldest first:');
  console.log(git(remote, 'log', '--reverse', '--format=%s', `foreword/${run}`, '^main'));

  say('And merged on the first machine:');
  foreword(one, 'merge');
  console.log(git(one.clone, 'log', '-1', '--format=%s'));
  console.log(git(one.clone, 'ls-files'));
}

function clone(remote, name) {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = You\n\temail = you@example.invalid\n[init]\n\tdefaultBranch = main\n',
  );
  const machine = { home, clone: join(home, 'clone') };
  execFileSync('git', ['clone', '--quiet', remote, machine.clone], {
    env: environment(machine),
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({ lineup: ['script'], agents: { script: AGENT }, run: { confine: 'off' } }),
  );
  return machine;
}

function environment({ home }) {
  return { PATH: process.env.PATH, HOME: home, FOREWORD_CHECKOUTS: home, FOREWORD_STORE: `redis://127.0.0.1:${port}` };
}

function foreword(machine, ...words) {
  return execFileSync(process.execPath, [MAIN, ...words, '--config', join(machine.home, 'config.json')], {
    cwd: machine.clone,
    env: environment(machine),
    encoding: 'utf8',
  });
}

function worker(machine, fleet) {
  const words = ['worker', '--fleet', fleet, '--until-done', '--config', join(machine.home, 'config.json')];
  const child = spawn(process.execPath, [MAIN, ...words], { cwd: machine.clone, env: environment(machine) });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => process.stdout.write(text));
  return child;
}

function git(cwd, ...words) {
  return execFileSync('git', words, {
    cwd,
    env: environment({ home: join(folder, 'one') }),
    encoding: 'utf8',
  }).trimEnd();
}

function say(text) {
  console.log(`\n${text}`);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  await once(probe, 'close');
  return String(free);
}

async function answering(wanted) {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(Number(wanted), '127.0.0.1');
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return;
    await sleep(50);
  }
  throw new Error('redis-server did not start');
}
