// A server with the users of the page, killed and started again: every task is there, and nobody else gets in.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test } from 'vitest';
import { DURABLE, HAS_REDIS } from '../stores/redis-server.ts';
import { fleetTask, type Ground, makeGround } from './ground.ts';

const QUICK = { worker: { lockMs: 6_000, stalledMs: 1_000 } };
const PASSWORD = 'a-word-of-this-test';
const PAGE = readFileSync(join(import.meta.dirname, '../../examples/fleet/acl.txt'), 'utf8');
const [DEFAULT = '', FOREWORD = ''] = PAGE.replace('PASSWORD', PASSWORD).trim().split('\n');
const ENQUEUE = ['enqueue', 'tasks.json', '--remote', 'origin', '--yes'];

let ground: Ground | undefined;
afterEach(() => ground?.remove());

function withUsers(...lines: readonly string[]): Promise<Ground> {
  const users = lines.flatMap((line) => [`--${line.split(' ')[0]}`, ...line.split(' ').slice(1)]);
  const server = [...DURABLE, ...users];
  const address = (port: number) => `redis://foreword:${PASSWORD}@127.0.0.1:${port}/0`;
  return makeGround({ agents: { first: ['works'] }, tasks: TASKS, settings: QUICK, server, address });
}

const TASKS = [fleetTask('a'), fleetTask('b', { depends_on: ['a'] })];

describe.skipIf(!HAS_REDIS)('a server with users', () => {
  test('as the page has them keeps every task when it is killed, and lets nobody else in', async () => {
    ground = await withUsers(DEFAULT, FOREWORD);
    const one = ground.machine('one');
    const { stdout, stderr } = await one.command(...ENQUEUE, '--json');
    expect(stderr).toMatch(/^Workers push to origin .*\n$/);
    await ground.server.signal('SIGKILL');
    await ground.server.start();
    const { tasks } = JSON.parse((await one.command('status', '--json')).stdout);
    expect(tasks).toMatchObject([{ task_id: 'a' }, { task_id: 'b' }]);
    const worker = one.worker(JSON.parse(stdout).fleet, '--until-done');
    expect([await worker.ended, ground.ledger()]).toEqual([0, ['a', 'b']]);

    const [nobody, user] = [new Redis(ground.server.port), new Redis(ground.store)];
    try {
      await expect(nobody.call('GET', 'x')).rejects.toThrow('NOAUTH');
      await expect(user.call('SET', 'of another program', '1')).rejects.toThrow('NOPERM');
      await expect(user.call('FLUSHALL')).rejects.toThrow('NOPERM');
      await expect(user.call('ACL', 'LIST')).rejects.toThrow('NOPERM');
    } finally {
      nobody.disconnect();
      user.disconnect();
    }
  }, 60_000);
});
