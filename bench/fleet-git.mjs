// Whole workers with git, beside bare git that commits and pushes the same files to the same remote; and how long the task of a worker
// that is gone waits for another one: when it stands still, when it was killed on another machine (two host names, so that nobody can
// see that its process is gone), and when it was killed on the same one. Needs redis-server and the built command.
//   node bench/fleet-git.mjs [tasks, 0 for none] [takeovers of each kind]

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, table, times } from './measure.mjs';
import { startRedis } from './servers/redis.mjs';

const TASKS = Number(process.argv[2] ?? 60);
const TAKEOVERS = Number(process.argv[3] ?? 5);
const MAIN = join(import.meta.dirname, '../dist/command/start.cjs');
const RULES = { lockMs: 6_000, stalledMs: 1_000 };
const WRITES = `t=$(sed -n '/^## Task ID$/{n;p;q;}'); echo done > "$t.txt"; echo "I did it."`;
const OTHER_HOST = join(import.meta.dirname, 'servers/other-host.cjs');
/** How a worker is gone, and whether the next one is on the same machine. */
const GONE = [
  { what: 'that stands still', signal: 'SIGSTOP', isSame: true },
  { what: 'killed on another machine', signal: 'SIGKILL', isSame: false },
  { what: 'killed on the same machine', signal: 'SIGKILL', isSame: true },
];
const elsewhere = { NODE_OPTIONS: `--require=${OTHER_HOST}`, OTHER_HOST: 'elsewhere' };
/** The first one waits for ever; whoever comes after it works. */
const hangs = (mark) => `if test -e ${mark}; then ${WRITES}; else touch ${mark}; exec sleep 600; fi`;

if (!existsSync(MAIN)) {
  console.log('bench/fleet-git.mjs: nothing is built; nothing was measured.');
  process.exit(0);
}
const server = await startRedis('always');
const { port, folder } = server;
const workers = [];
try {
  if (TASKS > 0) {
    const bare = bareGit();
    const whole = await wholeWorkers();
    table(`${TASKS} tasks with git, one machine with two workers of two tasks each`, [
      ['bare git: add, commit, push', `${bare.toFixed(1)} /s`],
      ['workers: claim, checkout, agent, check, push, record', `${whole.toFixed(1)} /s`, 'at least 3 /s', whole >= 3],
      ['beside bare git', times(whole / bare)],
    ]);
  }
  const waits = GONE.map(() => []);
  for (let round = 0; round < TAKEOVERS; round += 1)
    for (const [kind, gone] of GONE.entries()) waits[kind].push(await takeover(`${round}-${kind}`, gone));
  const limit = (RULES.lockMs + RULES.stalledMs) / 1000 + 5;
  table(
    `until the task of a worker is begun again, lock 6 s, stalled 1 s; ${TAKEOVERS} of each; load ${loadavg()[0].toFixed(1)}`,
    waits.flatMap((all, kind) => [
      [`one ${GONE[kind].what}, median`, `${median(all).toFixed(1)} s`],
      ['the longest of them', `${Math.max(...all).toFixed(1)} s`, `under ${limit} s`, Math.max(...all) < limit],
    ]),
  );
} finally {
  for (const child of workers) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await server.end();
}

/** Tasks a second. */
function bareGit() {
  const { clone, remote } = place('bare', 0, WRITES);
  const startedAt = performance.now();
  for (let index = 0; index < TASKS; index += 1) {
    writeFileSync(join(clone, `t${index}.txt`), 'done\n');
    git(clone, 'add', `t${index}.txt`);
    git(clone, 'commit', '--quiet', '--message', `Do t${index}`);
    git(clone, 'push', '--quiet', remote, 'HEAD:work');
  }
  return (TASKS / (performance.now() - startedAt)) * 1000;
}

async function wholeWorkers() {
  const at = place('whole', TASKS, WRITES);
  const fleet = enqueue(at);
  const startedAt = performance.now();
  const two = [1, 2].map(() => worker(at, fleet, '--until-done', '--concurrency', '2'));
  await Promise.all(two.map(({ child }) => once(child, 'exit')));
  const took = performance.now() - startedAt;
  const done = git(at.remote, 'log', '--format=%H', '--branches=foreword/*', '^main').split('\n').length;
  if (done !== TASKS) throw new Error(`${done} of ${TASKS} tasks are on the branch`);
  return (TASKS / took) * 1000;
}

/** Seconds from the moment at which the worker is gone. */
async function takeover(round, { signal, isSame }) {
  const mark = join(folder, `mark-${round}`);
  const at = place(`takeover-${round}`, 1, hangs(mark));
  const fleet = enqueue(at);
  const first = worker(at, fleet);
  while (!existsSync(mark)) await sleep(20);
  const second = worker(isSame ? at : { ...at, env: { ...at.env, ...elsewhere } }, fleet);
  while (!second.text().includes(' of fleet ')) await sleep(20);
  first.child.kill(signal);
  const stoppedAt = performance.now();
  while (!second.text().includes('t0: attempt')) await sleep(20);
  const took = (performance.now() - stoppedAt) / 1000;
  for (const { child } of [first, second]) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  return took;
}

/** A remote, a clone and a home of their own. */
function place(name, count, agent) {
  const home = join(folder, name);
  const [remote, clone] = [join(home, 'remote.git'), join(home, 'clone')];
  mkdirSync(remote, { recursive: true });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = You\n\temail = you@example.invalid\n');
  git(remote, 'init', '--quiet', '--bare', '--initial-branch=main');
  git(home, 'clone', '--quiet', remote, clone);
  const tasks = Array.from({ length: count }, (_, index) => ({
    task_id: `t${index}`,
    intent: `Do t${index}`,
    instructions: `Write t${index}.txt`,
    acceptance_criteria: [{ text: 'it is there', check: { file_exists: `t${index}.txt` } }],
  }));
  writeFileSync(join(clone, 'tasks.json'), JSON.stringify(tasks));
  git(clone, 'checkout', '--quiet', '-B', 'main');
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', 'begin');
  git(clone, 'push', '--quiet', 'origin', 'main');
  const agents = { first: { oneshot: { command: ['bash', '-c', agent], prompt: 'stdin' } } };
  const config = join(home, 'config.json');
  writeFileSync(config, JSON.stringify({ lineup: ['first'], agents, worker: RULES, run: { confine: 'off' } }));
  const env = { PATH: process.env.PATH, HOME: home, FOREWORD_CHECKOUTS: home };
  return { home, remote, clone, env, common: ['--store', `redis://127.0.0.1:${port}`, '--config', config] };
}

function enqueue({ clone, env, common }) {
  const words = ['enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json', ...common];
  return JSON.parse(execFileSync(process.execPath, [MAIN, ...words], { cwd: clone, env, encoding: 'utf8' })).fleet;
}

function worker({ home, clone, env, common }, fleet, ...words) {
  const file = join(home, `worker-${workers.length}.log`);
  const child = spawn(
    'sh',
    ['-c', `exec "$@" > ${file} 2>&1`, 'sh', process.execPath, MAIN, 'worker', '--fleet', fleet, ...common, ...words],
    {
      cwd: clone,
      env,
      stdio: 'ignore',
    },
  );
  workers.push(child);
  return { child, text: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') };
}

function git(cwd, ...words) {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null' };
  const own = ['-c', 'user.name=You', '-c', 'user.email=you@example.invalid'];
  return execFileSync('git', [...own, ...words], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trimEnd();
}
