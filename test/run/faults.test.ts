// The supervisor dies, is stopped, or shares the work: nothing is lost, nothing done twice, nobody left behind.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { longTest } from '../long.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { onSmallDisk } from '../skipping.ts';
import { RedisServer } from '../stores/redis-server.ts';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let field: Field | undefined;
afterEach(() => field?.remove());

function start(at: Field, ...more: string[]): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: at.folder, FOREWORD_CHECKOUTS: at.folder };
  return spawn(process.execPath, [MAIN, ...at.args, ...more], { cwd: at.project, env, stdio: 'ignore' });
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function nobodyLeft(at: Field): Promise<void> {
  for (let waited = 0; at.living().length > 0 && waited < 6000; waited += 100) await pause(100);
  expect(at.living()).toEqual([]);
}

test('killed at any moment, a run goes on where it was: every task in one state, no attempt lost or doubled', async () => {
  const tasks = Array.from({ length: IS_LONG ? 20 : 8 }, (_, index) => fileTask(`t${String(index).padStart(2, '0')}`));
  field = makeField({ agents: { first: ['works', '30'] }, tasks, settings: { run: { maxAgentFailures: 1000 } } });
  let kills = 0;
  let more: string[] = [];
  while (kills < (IS_LONG ? 100 : 5)) {
    const child = start(field, ...more);
    more = [];
    const exit = ended(child);
    const isDone = await Promise.race([exit.then(() => true), pause(150 + Math.random() * 900).then(() => false)]);
    if (isDone) {
      // All done before the count is reached: begin again with the same tasks.
      more = ['--again'];
      continue;
    }
    child.kill('SIGKILL');
    await exit;
    kills += 1;
  }
  await nobodyLeft(field);
  expect((await field.run()).status).toBe(0);
  expect(new Set(Object.values(await field.statuses()))).toEqual(new Set(['completed']));
  const starts = field.ledger();
  let recorded = 0;
  for (const { task_id } of tasks as { task_id: string }[]) {
    const attempts = await field.attempts(task_id);
    recorded += attempts.length;
    expect(attempts.map((attempt) => attempt.attemptNumber)).toEqual(attempts.map((_, index) => index + 1));
    expect(attempts.length).toBeGreaterThanOrEqual(starts.filter((line) => line.task === task_id).length);
    expect(attempts.at(-1)?.status).toBe('completed');
  }
  // An attempt whose agent was killed before it could write to the ledger is recorded all the same.
  expect(recorded - starts.length).toBeLessThanOrEqual(kills);
  await nobodyLeft(field);
}, 900_000);

test('Ctrl-C stops cleanly: the agent is ended, the attempt recorded, and the next run goes on', async () => {
  field = makeField({ agents: { first: ['hangs'] }, tasks: [fileTask('a')] });
  const child = start(field);
  for (let waited = 0; field.ledger().length === 0 && waited < 10_000; waited += 50) await pause(50);
  child.kill('SIGINT');
  expect(await ended(child)).toBe(130);
  await nobodyLeft(field);
  expect(await field.statuses()).toEqual({ a: 'queued' });
  expect(await field.attempts('a')).toMatchObject([{ exitReason: 'interrupted' }]);
});

test('two supervisors on one store do each task once', async () => {
  const tasks = Array.from({ length: scaled(200) }, (_, index) => fileTask(`t${index}`));
  field = makeField({ agents: { first: ['works'] }, tasks });
  const [one, two] = [start(field), start(field)];
  expect(await Promise.all([ended(one), ended(two)])).toEqual([0, 0]);
  expect(field.ledger()).toHaveLength(tasks.length);
}, 900_000);

longTest(
  'the same over a Redis server',
  async () => {
    const redis = await RedisServer.start();
    try {
      const tasks = Array.from({ length: scaled(200) }, (_, index) => fileTask(`t${index}`));
      field = makeField({ agents: { first: ['works'] }, tasks, store: `redis://127.0.0.1:${redis.port}` });
      const [one, two] = [start(field), start(field)];
      expect(await Promise.all([ended(one), ended(two)])).toEqual([0, 0]);
      expect(field.ledger()).toHaveLength(tasks.length);
    } finally {
      await redis.end();
    }
  },
  900_000,
);

test('a Redis server that goes away in the middle is waited for, and nothing is lost or doubled', async () => {
  const redis = await RedisServer.start();
  try {
    const tasks = Array.from({ length: 8 }, (_, index) => fileTask(`t${index}`));
    field = makeField({ agents: { first: ['works', '150'] }, tasks, store: redis.url });
    const child = spawn(process.execPath, [MAIN, ...field.args], {
      cwd: field.project,
      env: { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let notes = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      notes += text;
    });
    const exit = ended(child);
    for (let round = 0; round < 2; round += 1) {
      for (let waited = 0; field.ledger().length < 2 + 3 * round && waited < 20_000; waited += 50) await pause(50);
      await redis.signal('SIGKILL');
      await pause(1500);
      await redis.start();
    }
    expect(await exit).toBe(0);
    expect(notes).toContain('Retrying until it works; nothing is lost.');
    expect(notes).toContain('the store is reachable again');
    expect(field.ledger()).toHaveLength(tasks.length);
    expect(new Set(Object.values(await field.statuses()))).toEqual(new Set(['completed']));
  } finally {
    await redis.end();
  }
}, 300_000);

onSmallDisk(
  'a disk that is full for a moment stops new work, loses nothing, and the run goes on',
  async () => {
    const tasks = Array.from({ length: 6 }, (_, index) => fileTask(`t${index}`));
    field = makeField({ agents: { first: ['works', '100'] }, tasks });
    const disk = join(field.folder, 'disk');
    mkdirSync(disk);
    const script = `
    mount -t tmpfs -o size=3m tmpfs "$DISK" || exit 9
    "$@" --store "$DISK/store.db" 2> "$NOTES" > /dev/null & run=$!
    while [ "$(wc -l < "$LEDGER" 2>/dev/null || echo 0)" -lt 2 ]; do sleep 0.05; done
    dd if=/dev/zero of="$DISK/filler" bs=4k 2>/dev/null
    sleep 1
    started=$(wc -l < "$LEDGER")
    rm "$DISK/filler"
    wait $run; status=$?
    echo "$status $started"
    "$NODE" "$MAIN" status --json --store "$DISK/store.db"`;
    const notes = join(field.folder, 'notes');
    const env = {
      PATH: process.env.PATH,
      HOME: field.folder,
      FOREWORD_CHECKOUTS: field.folder,
      DISK: disk,
      NOTES: notes,
      LEDGER: join(field.folder, 'ledger', 'ledger.jsonl'),
      NODE: process.execPath,
      MAIN,
    };
    const { stdout } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', process.execPath, MAIN, ...field.args], {
      cwd: field.project,
      env,
      encoding: 'utf8',
    });
    const [first = '', ...rest] = stdout.split('\n');
    expect(first).toMatch(/^0 [23]$/);
    expect(readFileSync(notes, 'utf8')).toContain('Nothing stored was lost. Retrying for 3 s.');
    expect(JSON.parse(rest.join('\n')).tasks.map((task: { status: string }) => task.status)).toEqual(
      tasks.map(() => 'completed'),
    );
    expect(field.ledger()).toHaveLength(tasks.length);
  },
  120_000,
);
