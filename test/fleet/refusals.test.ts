// What is wrong with a machine, a server or a job is said, and nothing is lost by it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DURABLE, HAS_REDIS } from '../stores/redis-server.ts';
import { fleetTask, type Ground, makeGround } from './ground.ts';

const QUICK = { worker: { lockMs: 6_000, stalledMs: 1_000 } };

describe.skipIf(!HAS_REDIS)('a fleet', () => {
  let ground: Ground;
  let fleet = '';
  let said = '';
  beforeAll(async () => {
    ground = await makeGround({ agents: { first: ['works'] }, tasks: [fleetTask('a')], settings: QUICK });
    const enqueued = await ground
      .machine('one')
      .command('enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
    fleet = JSON.parse(enqueued.stdout).fleet;
    said = enqueued.stderr;
  }, 60_000);
  afterAll(() => ground.remove());

  test('needs a remote, and one that the clone has', async () => {
    const one = ground.machine('one');
    expect(await one.command('enqueue', 'tasks.json', '--yes')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('foreword enqueue needs --remote NAME'),
    });
    expect(await one.command('enqueue', 'tasks.json', '--remote', 'nowhere', '--yes')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('This clone has no remote "nowhere"'),
    });
  });

  test('pushes nothing before a person agreed', async () => {
    const { status, stderr } = await ground.machine('one').command('enqueue', 'tasks.json', '--remote', 'origin');
    expect([status, stderr]).toEqual([2, expect.stringContaining('Workers push to origin')]);
    expect(stderr).toContain('nothing was enqueued. Use --yes');
    // Who agreed beforehand sees the same.
    expect(said).toContain('Workers push to origin');
  });

  test('gets no rules from a person who did not agree', async () => {
    const other = await makeGround({ agents: { first: ['works'] }, tasks: [fleetTask('a')], settings: QUICK });
    const client = new Redis(other.server.url);
    try {
      const words = ['enqueue', 'tasks.json', '--remote', 'origin'];
      expect((await other.machine('one').command(...words)).status).toBe(2);
      expect(await client.keys('*:rules')).toEqual([]);
      expect((await other.machine('one').command(...words, '--yes')).status).toBe(0);
      expect(await client.keys('*:rules')).toHaveLength(1);
    } finally {
      client.disconnect();
      await other.remove();
    }
  }, 60_000);

  test('needs a store that all machines reach', async () => {
    const { clone, home } = ground.machine('one');
    const { foreword } = await import('../foreword.ts');
    const words = ['enqueue', 'tasks.json', '--remote', 'origin', '--yes'];
    const { status, stderr } = await foreword(words, { cwd: clone.root, env: { HOME: home } });
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('Several machines need a store that all of them reach'),
    ]);
    expect(stderr).toContain('--store redis://HOST');
  });

  test('does not begin at a commit that was not pushed', async () => {
    const two = ground.machine('unpushed');
    two.clone.commit('mine alone');
    const { status, stderr } = await two.command('enqueue', 'tasks.json', '--remote', 'origin', '--yes');
    expect([status, stderr]).toEqual([2, expect.stringContaining('No branch of the remote origin has the commit')]);
  });

  test('refuses a worker with other rules, of another version, or without an agent', async () => {
    const client = new Redis(ground.server.url);
    const key = `{foreword:${fleet}}:rules`;
    const kept = (await client.get(key)) ?? '';
    const worker = async () => {
      const { ended, output } = ground.machine('one').worker(fleet, '--until-done');
      return [await ended, output()];
    };
    await client.set(key, JSON.stringify({ ...JSON.parse(kept), stalledMs: 7_000 }));
    expect(await worker()).toEqual([
      1,
      expect.stringContaining('use worker.stalledMs 7000, and this machine has 1000'),
    ]);
    await client.set(key, JSON.stringify({ ...JSON.parse(kept), protocol: 9 }));
    expect(await worker()).toEqual([1, expect.stringContaining('a newer version of foreword (protocol 9')]);
    await client.set(key, kept);
    client.disconnect();
    const without = ground.machine('one').worker(fleet, '--agents', 'second');
    expect([await without.ended, without.output()]).toEqual([
      3,
      expect.stringContaining('None of the agents second is installed'),
    ]);
  }, 60_000);

  test('drops jobs that are none of ours, name no task, or cannot be read, and goes on', async () => {
    const prefix = `{foreword:${fleet}}`;
    const queue = new Queue('bells', { connection: { port: ground.server.port }, prefix });
    const client = new Redis(ground.server.url);
    const first = { priority: 1 };
    const planted = join(ground.folder, 'planted');
    const command = `touch ${planted}`;
    await queue.add('x', { task: 'a', epoch: 0, command }, first);
    await queue.add('x', 'nonsense' as never, first);
    await queue.add('x', { task: 'nobody knows it', epoch: 0 }, first);
    // As a person would who knows the keys of the queue.
    for (const [id, fields] of [
      ['by-hand-1', { name: 'x', data: command, opts: '{}' }],
      ['by-hand-2', { name: 'x', data: '{}', opts: command }],
    ] as const) {
      await client.hset(`${prefix}:bells:${id}`, { ...fields, priority: 1, timestamp: Date.now() });
      await client.zadd(`${prefix}:bells:prioritized`, 1, id);
    }
    const worker = ground.machine('one').worker(fleet, '--until-done');
    expect([await worker.ended, worker.output()]).toEqual([0, expect.stringContaining('a: completed')]);
    for (const id of ['by-hand-1', 'by-hand-2'])
      expect(worker.output().split(`a job that is none of ours was dropped: ${id}.`)).toHaveLength(2);
    expect(worker.output().split('a job that is none of ours was dropped: ')).toHaveLength(5);
    expect(worker.output()).toContain('a job for "nobody knows it" was dropped: the store has no such task.');
    expect(await queue.getJobCounts('prioritized', 'waiting', 'active', 'failed', 'delayed')).toEqual({
      prioritized: 0,
      waiting: 0,
      active: 0,
      failed: 0,
      delayed: 0,
    });
    expect(await client.keys(`${prefix}:bells:by-hand-*`)).toEqual([]);
    client.disconnect();
    await queue.close();
    expect(ground.ledger()).toEqual(['a']);
    expect(existsSync(planted)).toBe(false);
  }, 60_000);

  test('is not started again with changed tasks', async () => {
    const other = ground.machine('other');
    other.clone.write('tasks.json', JSON.stringify([fleetTask('a', { intent: 'something else' })]));
    const { status, stderr } = await other.command(
      'enqueue',
      'tasks.json',
      '--remote',
      'origin',
      '--yes',
      '--fleet',
      fleet,
    );
    expect([status, stderr]).toEqual([2, expect.stringContaining('1 task(s) changed since they were first run')]);
  });

  test('is not run by one machine alone, nor a run of one machine by workers', async () => {
    const { status, stderr } = await ground.machine('one').command('run', 'tasks.json');
    expect([status, stderr]).toEqual([1, expect.stringContaining('is shared with other machines')]);
  });
});

describe.skipIf(!HAS_REDIS)('a server', () => {
  test.each([
    ['evicts locks', [...DURABLE, '--maxmemory-policy', 'volatile-lru'], 'maxmemory-policy volatile-lru'],
    ['keeps nothing on disk', ['--appendonly', 'no'], 'no append-only file'],
  ])(
    'that %s is refused',
    async (_, server, message) => {
      const ground = await makeGround({ agents: { first: ['works'] }, tasks: [fleetTask('a')], server });
      try {
        const { status, stderr } = await ground
          .machine('one')
          .command('enqueue', 'tasks.json', '--remote', 'origin', '--yes');
        expect([status, stderr]).toEqual([3, expect.stringContaining(message)]);
        expect(ground.shared.run('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
      } finally {
        await ground.remove();
      }
    },
    60_000,
  );

  test('that wants a password says so', async () => {
    const ground = await makeGround({
      agents: { first: ['works'] },
      tasks: [fleetTask('a')],
      server: [...DURABLE, '--requirepass', 'x'],
    });
    try {
      const { status, stderr } = await ground
        .machine('one')
        .command('enqueue', 'tasks.json', '--remote', 'origin', '--yes');
      expect([status, stderr]).toEqual([3, expect.stringContaining('refuses this user')]);
    } finally {
      await ground.remove();
    }
  }, 60_000);
});
