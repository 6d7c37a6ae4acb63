// Enqueue and workers, as an operator sees them.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HAS_REDIS } from '../stores/redis-server.ts';
import { fleetTask, type Ground, type GroundMachine, makeGround, pause, until } from './ground.ts';

let ground: Ground | undefined;
afterEach(() => ground?.remove());

const QUICK = { worker: { lockMs: 6_000, stalledMs: 1_000 } };

async function enqueue(machine: GroundMachine): Promise<string> {
  const { stdout, stderr } = await machine.command('enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
  // What will be pushed, and nothing else.
  expect(stderr).toMatch(/^Workers push to origin .*\n$/);
  return JSON.parse(stdout).fleet;
}

async function statusOf(machine: GroundMachine) {
  return JSON.parse((await machine.command('status', '--json')).stdout);
}

describe.skipIf(!HAS_REDIS)('a fleet', () => {
  test('two machines do the tasks of a file, each once and after those it depends on; a third merges them', async () => {
    const tasks = [
      fleetTask('a'),
      fleetTask('b'),
      fleetTask('c', { depends_on: ['a', 'b'] }),
      fleetTask('d', { depends_on: ['c'] }),
    ];
    ground = await makeGround({ agents: { first: ['works'] }, tasks, settings: QUICK });
    const [one, two, three] = [ground.machine('one'), ground.machine('two'), ground.machine('three')];
    const fleet = await enqueue(one);
    expect(fleet).toMatch(/^f[0-9a-f]{16}$/);
    const workers = [one.worker(fleet, '--until-done'), two.worker(fleet, '--until-done')];
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
    const ledger = ground.ledger();
    expect([...ledger].sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(ledger.slice(2)).toEqual(['c', 'd']);
    expect(ground.living()).toEqual([]);
    expect(one.clone.run('for-each-ref', 'refs/heads/foreword')).toBe('');
    const merged = await three.command('merge', '--fleet', fleet);
    expect(merged).toMatchObject({ status: 0 });
    expect(three.clone.run('ls-files').split('\n')).toEqual(expect.arrayContaining(['done-a.txt', 'done-d.txt']));
    const cleaned = await three.command('clean', '--remote', 'origin');
    expect(cleaned.stdout).toMatch(/^run tasks-\w+, 5 ref\(s\): removed$/m);
    expect(ground.shared.run('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  }, 120_000);

  test('a task goes only to a machine that has its agent', async () => {
    const tasks = [fleetTask('a', { agents: ['second'] }), fleetTask('b')];
    ground = await makeGround({ agents: { first: ['works'], second: ['works'] }, tasks, settings: QUICK });
    const [one, two] = [ground.machine('one'), ground.machine('two')];
    const fleet = await enqueue(one);
    const without = one.worker(fleet, '--agents', 'first');
    await until(() => without.output().includes('b: completed'));
    expect(without.output()).not.toContain('a: attempt');
    const having = two.worker(fleet, '--agents', 'second', '--until-done');
    expect([await having.ended, having.output()]).toEqual([0, expect.stringContaining('a: completed')]);
    // A worker gives a sign of itself every few seconds.
    await vi.waitFor(
      async () =>
        expect(await statusOf(one)).toMatchObject({
          workers: [{ agents: ['first'], state: 'open', counts: { claims: 1, completed: 1 } }],
          queue: { waiting: 0, active: 0, delayed: 0 },
        }),
      { timeout: 30_000, interval: 500 },
    );
    const client = new Redis(ground.server.url);
    const [gone] = (await statusOf(one)).workers;
    const seenAt = new Date(Date.now() - 40_000).toISOString();
    await client.hset(`{foreword:${fleet}}:workers`, 'gone', JSON.stringify({ ...gone, id: 'gone', seenAt }));
    expect((await statusOf(one)).workers.find((each: { id: string }) => each.id === 'gone').state).toBe('silent');
    await client.hdel(`{foreword:${fleet}}:workers`, 'gone');
    client.disconnect();
    const { stdout: shown } = await one.command('status');
    expect(shown).toMatch(/worker +state +tasks +jobs +claims/);
    expect(shown).toMatch(/^Queue: 0 waiting, 0 at a worker, 0 for another worker; seen just now\.$/m);
    const { stdout: metrics } = await one.command('metrics');
    expect(metrics).toMatch(/^foreword_worker_claims_total\{worker="[\w.-]+"\} 1$/m);
    expect(metrics).toMatch(/^foreword_workers\{state="open"\} 1$/m);
    expect(metrics).toMatch(/^foreword_queue_jobs\{state="waiting"\} 0$/m);
  }, 120_000);

  test('TERM lets the task under way end and takes no other; a second one gives it back', async () => {
    const tasks = [fleetTask('a'), fleetTask('b', { depends_on: ['a'] })];
    ground = await makeGround({ agents: { first: ['works', '3000'] }, tasks, settings: QUICK });
    const one = ground.machine('one');
    const fleet = await enqueue(one);
    const first = one.worker(fleet);
    await until(() => first.output().includes('a: attempt 1'));
    first.child.kill('SIGTERM');
    expect([await first.ended, ground.ledger()]).toEqual([0, ['a']]);
    const second = one.worker(fleet);
    await until(() => second.output().includes('b: attempt 1'));
    second.child.kill('SIGTERM');
    await pause(300);
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(ground.living()).toEqual([]);
    const { tasks: now, workers } = await statusOf(one);
    expect(now).toMatchObject([{ status: 'completed' }, { task_id: 'b', status: 'queued' }]);
    expect(workers).toEqual([]);
    const { attempts } = JSON.parse((await one.command('history', 'b', '--json')).stdout);
    expect(attempts).toMatchObject([{ exitReason: 'interrupted' }]);
  }, 120_000);

  test('the task of a machine that stands still is taken over when its lock has ended; it is refused, and its work is kept', async () => {
    ground = await makeGround({ agents: { first: ['works', '2000'] }, tasks: [fleetTask('a')], settings: QUICK });
    const one = ground.machine('one');
    const fleet = await enqueue(one);
    const first = one.worker(fleet);
    // The agent has its prompt, and goes on while its worker stands still.
    const starts = join(ground.folder, 'ledger/starts.jsonl');
    await until(() => existsSync(starts));
    first.child.kill('SIGSTOP');
    const second = ground.machine('two').worker(fleet, '--until-done');
    await until(() => second.output().includes('a: attempt 2'));
    expect(await second.ended).toBe(0);
    expect(ground.living()).toEqual([]);
    first.child.kill('SIGCONT');
    await until(() => first.output().includes("another worker's now"));
    expect(ground.ledger()).toEqual(['a']);
    // What it did is kept, under a ref that says whose it is.
    const refs = ground.shared.run('for-each-ref', '--format=%(refname)', 'refs/foreword/').split('\n');
    const lost = refs.filter((ref) => /\/tasks\/a\/\d+-lost-\d+$/.test(ref));
    expect(lost).toHaveLength(1);
    expect(ground.shared.run('ls-tree', '--name-only', lost[0] ?? '').split('\n')).toContain('done-a.txt');
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
  }, 120_000);

  test('the example runs', () => {
    const run = spawnSync(process.execPath, [join(import.meta.dirname, '../../examples/fleet/run.mjs')], {
      encoding: 'utf8',
    });
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining('Write invoice.txt')]);
  }, 120_000);
});
