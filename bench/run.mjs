// What a supervised run costs over the bare agent process, by the built command as a user runs it: its checkout reset, looked at
// before and after, checks, prompt, durable records and the commit on the run's branch included. The agent is a shell script,
// started bare in the same repository before and after the run. The time of a task is from the end of the one before to its own,
// as the lines of `--json` arrive. What a checkout itself costs is measured by checkout.mjs.
// Usage: node bench/run.mjs [TASKS]   (after npm run build; TASKS in the long run, 1000 when absent)

import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { importSource } from '../scripts/import-source.mjs';
import { median, ms, table, times } from './measure.mjs';

const FILES = 1000;
const DONE_FILES = 20;
const main = join(import.meta.dirname, '../dist/command/start.cjs');
const { composeHandover } = await importSource('src/context/handover/handover.ts');
const { estimateTokens } = await importSource('src/kernel/tokens.ts');
const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  FOREWORD_CHECKOUTS: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

const quick = await overhead('quick', { tasks: 50, sleepS: 0 });
table(`a run of 50 tasks, repository of ${FILES} files, an agent that does almost nothing; medians`, [
  ['bare agent', ms(quick.bare)],
  ['a task in the run', ms(quick.task)],
  ['overhead', ms(quick.over), 'at most 90 ms', quick.over <= 90],
  ['… before the agent: claim, reset, first look, prompt', ms(quick.before)],
  ['… the agent as the run sees it, over the bare one', ms(quick.agent - quick.bare)],
  ['… after it: look, checks, commit, records', ms(quick.after)],
  ['overhead, 90 of 100 tasks', ms(quick.p90)],
  ['load of the machine', quick.load],
]);

const slow = await overhead('slow', { tasks: 5, sleepS: 2 });
table('the same with an agent that takes 2 s, 5 tasks', [
  ['bare agent', ms(slow.bare)],
  ['a task in the run', ms(slow.task)],
  ['overhead', ms(slow.over)],
  ['overhead, share', percent(slow.over / slow.bare), 'at most 6 %', slow.over / slow.bare <= 0.06],
  ['… before the agent', ms(slow.before)],
  ['… after it', ms(slow.after)],
  ['load of the machine', slow.load],
]);

const told = await handovers();
table(`hand-over at a switch, ${told.count} tasks`, [
  ['composed, counted and joined, median', ms(told.compose), 'under 1 ms', told.compose < 1],
  ['… 99 of 100', ms(told.p99), 'under 1 ms', told.p99 < 1],
  ['… the very first, not compiled yet', ms(told.first)],
  ['the whole prompt as the run tells it, median', ms(told.build)],
]);

const tasks = Number(process.argv[2] ?? 1000);
const field = makeField('many', { tasks, sleepS: 0 });
const many = await runIn(field);
const part = Math.min(100, Math.ceil(tasks / 10));
const early = { task: ofFirst((task) => task.total), rss: median(many.rss.slice(0, part)) };
const late = { task: ofLast((task) => task.total), rss: median(many.rss.slice(-part)) };
const middle = median(many.rss.slice((tasks - part) / 2, (tasks + part) / 2));
const slower = late.task / early.task;
const larger = late.rss / early.rss;
table(`a run of ${tasks} tasks; medians of the first and the last ${part}`, [
  ['a task, first', ms(early.task)],
  ['a task, last', ms(late.task)],
  ['… ratio', times(slower), 'at most 1.15 x', slower <= 1.15],
  ['… before the agent, ratio', times(ofLast((task) => task.before) / ofFirst((task) => task.before))],
  ['… after it, ratio', times(ofLast(afterIt) / ofFirst(afterIt))],
  ['memory of the supervisor, first', mib(early.rss)],
  ['memory of the supervisor, last', mib(late.rss)],
  ['… ratio', times(larger), 'flat: at most 1.15 x', larger <= 1.15],
  // V8 fills its young generation first, and gives memory back late.
  ['… against the middle', times(late.rss / middle), 'at most 1.15 x', late.rss / middle <= 1.15],
  ['… most of all', mib(Math.max(...many.rss))],
  ['packs left in the repository', String(packsIn(field.root)), 'at most 10', packsIn(field.root) <= 10],
  ['load of the machine', many.load],
]);
rmSync(folder, { recursive: true });

function ofFirst(what) {
  return median(many.tasks.slice(0, part).map(what));
}

function ofLast(what) {
  return median(many.tasks.slice(-part).map(what));
}

function afterIt(task) {
  return task.total - task.before - task.agent;
}

function packsIn(root) {
  return readdirSync(join(root, '.git/objects/pack')).filter((name) => name.endsWith('.pack')).length;
}

async function overhead(name, options) {
  const field = makeField(name, options);
  const half = Math.ceil(options.tasks / 2);
  const bares = await startBare(field, half + 2);
  const run = await runIn(field);
  const bare = median([...bares.slice(2), ...(await startBare(field, half))]);
  const of = (what) => median(run.tasks.map(what));
  const totals = run.tasks.map((task) => task.total).sort((a, b) => a - b);
  return {
    bare,
    task: of((task) => task.total),
    over: of((task) => task.total) - bare,
    p90: totals[Math.floor(0.9 * (totals.length - 1))] - bare,
    before: of((task) => task.before),
    agent: of((task) => task.agent),
    after: of(afterIt),
    load: run.load,
  };
}

async function handovers() {
  const field = makeField('switch', { tasks: 20, sleepS: 0, isLimited: true });
  const run = await runIn(field);
  // A task that begins before the limited agent is back has no switch.
  const injected = run.events.filter((event) => event.kind === 'context-injected');
  const times = [];
  for (const { task } of injected) {
    const args = [main, 'history', task, '--json', '--config', field.config];
    const output = execFileSync(process.execPath, args, { cwd: field.root, env, encoding: 'utf8' });
    const attempts = JSON.parse(output).attempts.slice(0, 1);
    for (let round = 0; round < 20; round += 1) {
      const startedAt = performance.now();
      const handover = composeHandover({ attempts, nextAgent: 'worker' });
      const size = estimateTokens(handover.text) + `${handover.text}${field.prompt}`.length;
      times.push(performance.now() - startedAt);
      if (handover.type !== 'circuit_breaker' || size === 0) throw new Error(`not a switch: ${handover.type}`);
    }
  }
  const build = median(injected.map((event) => event.buildMs));
  const sorted = [...times].sort((a, b) => a - b);
  const p99 = sorted[Math.floor(0.99 * (sorted.length - 1))];
  return { count: injected.length, compose: median(times), p99, first: times[0], build };
}

/** Starts the built command and takes the time as its lines arrive. */
async function runIn(field) {
  const args = [main, 'run', field.taskFile, '--json', '--config', field.config];
  const child = spawn(process.execPath, args, { cwd: field.root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const events = [];
  const rss = [];
  const loadBefore = loadavg()[0];
  for await (const line of createInterface({ input: child.stdout })) {
    const event = { ...JSON.parse(line), arrivedAt: performance.now() };
    events.push(event.kind === 'prompt-composed' ? { kind: event.kind } : event);
    if (event.kind === 'task-finished') rss.push(residentKib(child.pid));
  }
  const status = await ended;
  const finished = events.filter((event) => event.kind === 'task-finished' && event.status === 'completed');
  if (status !== 0 || finished.length !== field.ids.length) throw new Error(`the run ended with ${status}`);
  const load = `${loadBefore.toFixed(1)} to ${loadavg()[0].toFixed(1)}`;
  return { events, rss, load, tasks: perTask(events) };
}

/** Milliseconds of each task: in all, until its agent starts, and of the agent as its attempt's record says. */
function perTask(events) {
  const tasks = [];
  let since = events.find((event) => event.kind === 'run-started').arrivedAt;
  let task = { before: 0, agent: 0 };
  for (const event of events) {
    if (event.kind === 'attempt-started') task.before = event.arrivedAt - since;
    if (event.kind === 'attempt-finished') task.agent += event.durationMs;
    if (event.kind !== 'task-finished') continue;
    tasks.push({ ...task, total: event.arrivedAt - since });
    since = event.arrivedAt;
    task = { before: 0, agent: 0 };
  }
  return tasks;
}

/** The same program with a prompt of the same kind, by pipes as the run does. */
async function startBare(field, count) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const child = spawn(field.agent, [], { cwd: field.root, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.end(field.prompt);
    await new Promise((resolve) => child.once('close', resolve));
    times.push(performance.now() - startedAt);
  }
  return times;
}

function makeField(name, { tasks, sleepS, isLimited = false }) {
  const place = join(folder, name);
  const root = join(place, 'project');
  makeRepository(root);
  const agent = join(place, 'worker');
  const nap = sleepS === 0 ? '' : `sleep ${sleepS}\n`;
  // Reads its prompt like any agent, and writes one file. There are as many files at the end of a long run as soon after its start.
  const work = `echo "$task" >"done-$(expr "\${task##*_}" % ${DONE_FILES}).txt"\necho "I did $task."\n`;
  program(agent, `task=$(sed -n '/^## Task ID$/{n;p;}')\n${nap}${work}`);
  const limited = join(place, 'limited');
  program(limited, 'cat >/dev/null\necho "Error: 429 Too Many Requests, rate limit exceeded" >&2\nexit 1\n');
  const oneshot = (command) => ({ oneshot: { command: [command], prompt: 'stdin' } });
  const ids = Array.from({ length: tasks }, (_, index) => `task_${index}`);
  const config = join(place, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({
      lineup: isLimited ? ['limited', 'worker'] : ['worker'],
      agents: { worker: oneshot(agent), limited: oneshot(limited) },
      // Back soon, so that many tasks begin with the agent that is limited.
      ...(isLimited ? { breaker: { rateLimitMs: 100, maxMs: 100 } } : {}),
    }),
  );
  const taskFile = join(place, 'tasks.json');
  writeFileSync(taskFile, JSON.stringify(ids.map(taskOf)));
  const prompt = `${'A line of a prompt, as long as such lines are.\n'.repeat(60)}## Task ID\ntask_0\n`;
  return { root, agent, config, taskFile, ids, prompt };
}

function taskOf(id, index) {
  const path = `done-${index % DONE_FILES}.txt`;
  const check = { file_contains: { path, pattern: `^${id}$` } };
  return {
    task_id: id,
    intent: `Make ${id}`,
    instructions: `Write ${path}`,
    acceptance_criteria: [{ text: 'the file names the task', check }],
  };
}

function makeRepository(root) {
  const git = (...args) => execFileSync('git', args, { cwd: root, env, stdio: 'ignore' });
  for (let index = 0; index < FILES; index += 1) {
    const part = join(root, `part${index % 50}`);
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `file${index}.ts`), `export const value${index} = ${index};\n`.repeat(20));
  }
  mkdirSync(join(root, '.foreword'));
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '--quiet', '--message', 'x');
}

function program(path, text) {
  writeFileSync(path, `#!/bin/sh\n${text}`);
  chmodSync(path, 0o755);
}

/** NaN where there is no /proc. */
function residentKib(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}

function mib(kib) {
  return `${(kib / 1024).toFixed(1)} MiB`;
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
