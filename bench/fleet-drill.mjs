// The operator's drill of docs/fleet.md, as a program: three workers in three network namespaces, each with a home, a clone and a
// host name of its own, on a bridge to a Redis server and a git daemon. claude and codex are real and talk to a model on the loopback
// of their own namespace, the third agent is a script. One worker's link goes down and up again, the server is killed and started again,
// and a fourth clone merges. The log of the remote decides. Everything is in namespaces of this program and ends with it.
//   node bench/fleet-drill.mjs [tasks] [seconds without a link] [seconds without a server]
// Exit: 0 each task is there once and in order; 1 not; 3 what this machine lacks.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { importSource } from '../scripts/import-source.mjs';
import { labPrograms } from '../scripts/lab/install.mjs';

const MAIN = join(import.meta.dirname, '../dist/command/start.cjs');
const MODEL = join(import.meta.dirname, 'servers/drill-model.mjs');
const INSIDE = 'FOREWORD_DRILL_INSIDE';
const [TASKS = 60, LINK_S = 45, SERVER_S = 10] = process.argv.slice(2).map(Number);
const RULES = { lockMs: 20_000, stalledMs: 5_000 };
const HUB = '10.77.0.1';
const PASSWORD = 'drill';
const REAL = ['claude', 'codex'];
const WRITES = `t=$(sed -n '/^## Task ID$/{n;p;q;}'); sleep 5; echo done > "done-$t.txt"; echo "I did it."`;

process.exitCode = process.env[INSIDE] === undefined ? await goInside() : await drill();

/** Namespaces of our own for network, mounts and processes: nothing of the drill can be left on the machine. */
async function goInside() {
  const missing = lacking();
  if (missing.length > 0) {
    console.log(`bench/fleet-drill.mjs: missing: ${missing.join('; ')}. Nothing was tried.`);
    return 3;
  }
  const { inOwnSystem } = await importSource('src/system/network-namespace.ts');
  const system = inOwnSystem();
  if (!system.isAvailable) {
    console.log(`bench/fleet-drill.mjs: no namespaces: ${system.reason}. Nothing was tried.`);
    return 3;
  }
  const ready = 'mount -t tmpfs tmpfs /run && mkdir /run/netns && ip link set lo up && exec "$@"';
  const [program, ...args] = system.wrap(['sh', '-c', ready, 'sh', process.execPath, ...process.argv.slice(1)]);
  return spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } }).status ?? 1;
}

function lacking() {
  const tried = [
    ['ip', ['-V'], 'ip (iproute2)'],
    ['unshare', ['--version'], 'unshare (util-linux)'],
    ['redis-server', ['--version'], 'redis-server'],
    ['git', ['daemon', '--version'], 'git'],
  ];
  const missing = tried
    .filter(([program, words]) => spawnSync(program, words).error !== undefined)
    .map(([, , what]) => what);
  if (!existsSync(MAIN)) missing.push('the built command (npm run build)');
  const programs = labPrograms();
  for (const name of REAL) if (!(name in programs)) missing.push(`${name} (node scripts/lab/install.mjs ${name})`);
  return missing;
}

async function drill() {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-drill-'));
  const startedAt = performance.now();
  const since = () => `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`;
  const say = (text) => console.log(`${since()}  ${text}`);
  const children = [];
  const start = (program, words, options = {}) => {
    const child = spawn(program, words, { stdio: 'ignore', ...options });
    children.push(child);
    return child;
  };
  try {
    ip('link', 'add', 'hub', 'type', 'bridge');
    ip('addr', 'add', `${HUB}/24`, 'dev', 'hub');
    ip('link', 'set', 'hub', 'up');
    const redis = () => {
      const where = ['--port', '6379', '--bind', HUB, '127.0.0.1', '--dir', folder, '--requirepass', PASSWORD];
      return start('redis-server', [
        ...where,
        '--appendonly',
        'yes',
        '--appendfsync',
        'always',
        '--maxmemory-policy',
        'noeviction',
      ]);
    };
    let server = redis();
    await answering(6379);
    const remote = join(folder, 'git/shared.git');
    mkdirSync(remote, { recursive: true });
    git(remote, 'init', '--quiet', '--bare', '--initial-branch=main');
    start('git', [
      'daemon',
      '--reuseaddr',
      `--listen=${HUB}`,
      `--base-path=${join(folder, 'git')}`,
      '--export-all',
      '--enable=receive-pack',
    ]);
    await answering(9418);
    const store = `redis://:${PASSWORD}@${HUB}:6379`;
    const tasks = graph(TASKS);

    const machines = {};
    for (const [index, name] of ['w1', 'w2', 'w3', 'w4'].entries()) {
      plugIn(name, index);
      machines[name] = await machine(folder, name, { agent: REAL[index], start, store });
    }
    const [first] = Object.values(machines);
    writeFileSync(join(first.clone, 'tasks.json'), JSON.stringify(tasks));
    git(first.clone, 'add', '.');
    git(first.clone, 'commit', '--quiet', '--message', 'Tasks for the night');
    run(first, ['git', 'push', '--quiet', 'origin', 'HEAD:main']);
    for (const each of Object.values(machines))
      if (each !== first) run(each, ['git', 'pull', '--quiet', 'origin', 'main']);
    const { fleet, run: id } = JSON.parse(
      foreword(machines.w4, 'enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json'),
    );
    say(`w4 enqueued ${TASKS} tasks: fleet ${fleet}, run ${id}`);
    const workers = ['w1', 'w2', 'w3'].map((name) => ({ name, ...worker(machines[name], fleet, { start, say }) }));
    say(`workers on w1 (claude), w2 (codex) and w3 (a script); load ${loadavg()[0].toFixed(1)}`);

    const ledger = () =>
      git(
        remote,
        'log',
        '--reverse',
        '--format=%(trailers:key=Foreword-Task,valueonly,separator=%x2C)',
        `foreword/${id}`,
        '^main',
      )
        .split('\n')
        .filter(Boolean);
    const reached = async (count, what) => {
      const until = Date.now() + 1_800_000;
      while (ledger().length < count) {
        if (Date.now() > until)
          throw new Error(`after half an hour ${ledger().length} of ${TASKS} tasks are on the branch (${what})`);
        await sleep(250);
      }
    };
    const seen = (name) => {
      const { tasks: rows, workers: signs } = JSON.parse(foreword(machines[name], 'status', '--json'));
      const people = signs.map(
        (sign) =>
          `${sign.id.split('-')[0]} ${sign.state}, ${sign.counts.takeovers} taken over, ${sign.counts.spooled} spooled`,
      );
      return `${grouped(rows, ({ status }) => status)}; ${people.join('; ')}`;
    };

    await reached(Math.floor(TASKS / 6), 'before the link');
    say(`${ledger().length} on the branch; w2's link goes down for ${LINK_S} s`);
    ip('link', 'set', 'port-w2', 'down');
    await sleep(LINK_S * 500);
    say(`status on w4: ${seen('w4')}`);
    await sleep(LINK_S * 500);
    say(`status on w4: ${seen('w4')}`);
    ip('link', 'set', 'port-w2', 'up');
    say(`w2's link is up again; ${ledger().length} on the branch`);
    await reached(Math.floor(TASKS / 2), 'before the server');
    say(`${ledger().length} on the branch; the server is killed for ${SERVER_S} s`);
    const isUnderWay = ledger().length < TASKS;
    server.kill('SIGKILL');
    await once(server, 'exit');
    await sleep(SERVER_S * 1000);
    server = redis();
    await answering(6379);
    say(`the server is back; ${ledger().length} on the branch`);
    await reached(TASKS, 'to the end');
    say(`all ${TASKS} are on the branch; load ${loadavg()[0].toFixed(1)}`);
    await sleep(3000);
    say(`status on w4: ${seen('w4')}`);
    for (const { child } of workers) child.kill('SIGTERM');
    const ends = await Promise.all(workers.map(({ child, ended }) => child.exitCode ?? ended));
    say(`workers were told to end: ${workers.map(({ name }, index) => `${name} ${ends[index]}`).join(', ')}`);
    const merged = foreword(machines.w4, 'merge').trim().split('\n');
    say(`w4 merged: ${merged.join(' / ')}`);

    const done = ledger();
    const at = new Map(done.map((task, index) => [task, index]));
    const twice = done.filter((task, index) => at.get(task) !== index);
    const missing = tasks.filter(({ task_id }) => !at.has(task_id));
    const early = tasks.filter(({ task_id, depends_on }) => depends_on.some((one) => at.get(one) > at.get(task_id)));
    const here = tasks.filter(({ task_id }) => existsSync(join(machines.w4.clone, `done-${task_id}.txt`))).length;
    const bodies = git(
      remote,
      'log',
      '--format=%(trailers:key=Foreword-Agent,valueonly,separator=%x2C)',
      `foreword/${id}`,
      '^main',
    );
    console.log(
      `\nThe log of the remote: ${done.length} commits for ${TASKS} tasks, ${twice.length} twice, ${missing.length} missing, ${early.length} before what they depend on.`,
    );
    console.log(
      `By agent: ${grouped(bodies.split('\n').filter(Boolean))}. Files in the fourth clone after the merge: ${here}.`,
    );
    if (!isUnderWay) console.log('The server was killed when all was done: give more tasks.');
    return isUnderWay &&
      twice.length + missing.length + early.length === 0 &&
      here === TASKS &&
      ends.every((end) => end === 0)
      ? 0
      : 1;
  } finally {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    if (process.env.FOREWORD_DRILL_KEEP === undefined) {
      await sleep(500);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } else console.log(`kept: ${folder}`);
  }
}

/** Each depends on up to two before it. */
function graph(count) {
  return Array.from({ length: count }, (_, index) => ({
    task_id: `t${index}`,
    intent: `Do t${index}`,
    instructions: `Write done-t${index}.txt`,
    acceptance_criteria: [{ text: 'it is there', check: { file_exists: `done-t${index}.txt` } }],
    depends_on: [index - 7, index - 11].filter((at) => at >= 0 && index % 3 !== 0).map((at) => `t${at}`),
  }));
}

/** A network namespace with one cable to the hub. */
function plugIn(name, index) {
  ip('netns', 'add', name);
  ip('link', 'add', `port-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('link', 'set', `port-${name}`, 'master', 'hub', 'up');
  ip('-n', name, 'addr', 'add', `10.77.0.${11 + index}/24`, 'dev', 'eth0');
  for (const link of ['eth0', 'lo']) ip('-n', name, 'link', 'set', link, 'up');
}

/** `agent`: a real one, with its home as its tests have it and a model beside it; else the script. */
async function machine(folder, name, { agent, start, store }) {
  const [place, path] = [join(folder, name), process.env.PATH];
  mkdirSync(place);
  const { home, clone, env } =
    agent === undefined ? scripted(place, path) : await scratchOf(place, { agent, name, start });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = You\n\temail = you@example.invalid\n');
  const agents =
    agent === undefined
      ? { first: { oneshot: { command: ['bash', '-c', WRITES], prompt: 'stdin' } } }
      : { codex: { env: ['STUB_KEY'] } };
  const config = join(place, 'config.json');
  writeFileSync(config, JSON.stringify({ lineup: [agent ?? 'first'], agents, worker: RULES }));
  const made = { name, home, clone, env, common: ['--store', store, '--allow-plain-redis', '--config', config] };
  execFileSync(...inside(name, ['git', 'clone', '--quiet', `git://${HUB}/shared.git`, clone]), {
    env,
    stdio: 'ignore',
  });
  git(clone, 'checkout', '--quiet', '-B', 'main');
  return made;
}

function scripted(place, PATH) {
  const [home, clone] = [join(place, 'home'), join(place, 'home/clone')];
  mkdirSync(home);
  return { home, clone, env: { PATH, HOME: home, FOREWORD_CHECKOUTS: join(place, 'checkouts') } };
}

async function scratchOf(place, { agent, name, start }) {
  const { makeScratch } = await importSource('src/verify/lab/scratch.ts');
  const { recipeFor } = await importSource('src/verify/lab/recipe.ts');
  const model = start(...inside(name, [process.execPath, MODEL, agent]), { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: model.stdout }), 'line');
  // A newer Node before ours: who needs it does not start with an older one.
  const own = dirname(process.execPath);
  const path = [
    ...labPrograms()[agent].path.filter((one) => one !== own),
    own,
    dirname(realpathSync(process.execPath)),
  ];
  const scratch = makeScratch(recipeFor(agent), { folder: place, modelUrl: line, path });
  const env = { ...scratch.env, FOREWORD_CHECKOUTS: join(place, 'checkouts') };
  return { home: scratch.home, clone: scratch.project, env };
}

/** What runs `command` on that machine: with its network and its host name. It becomes the command, with the same process id. */
function inside(name, command) {
  const named = `echo ${name} > /proc/sys/kernel/hostname; exec "$@"`;
  return ['ip', ['netns', 'exec', name, 'unshare', '--uts', 'sh', '-c', named, 'sh', ...command]];
}

function run({ name, clone, env }, command) {
  return execFileSync(...inside(name, command), {
    cwd: clone,
    env: { ...env, PATH: `${env.PATH}${delimiter}/usr/sbin:/sbin` },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function foreword(machine, ...words) {
  return run(machine, [process.execPath, MAIN, ...words, ...machine.common]);
}

/** Notes and errors of the worker go into the timeline; all it says stays in its log. */
function worker(machine, fleet, { start, say }) {
  const words = ['worker', '--fleet', fleet, '--concurrency', '2', ...machine.common];
  const child = start(...inside(machine.name, [process.execPath, MAIN, ...words]), {
    cwd: machine.clone,
    env: { ...machine.env, PATH: `${machine.env.PATH}${delimiter}/usr/sbin:/sbin` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      appendFileSync(join(machine.home, 'worker.log'), `${line}\n`);
      if (!/: (attempt \d|completed)/.test(line)) say(`${machine.name} says: ${line}`);
    });
  return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
}

function grouped(rows, key = (row) => row) {
  const found = new Map();
  for (const row of rows) found.set(key(row), (found.get(key(row)) ?? 0) + 1);
  return [...found].map(([name, count]) => `${count} ${name}`).join(', ');
}

async function answering(port) {
  for (;;) {
    const socket = connect(port, HUB);
    const is = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (is) return;
    await sleep(50);
  }
}

function ip(...words) {
  execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function git(cwd, ...words) {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null' };
  const own = ['-c', 'user.name=You', '-c', 'user.email=you@example.invalid'];
  return execFileSync('git', [...own, ...words], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trimEnd();
}
