// The contract of tasks: adding, ordering, and above all who may write.

import assert from 'node:assert/strict';
import type { TaskRecord } from '../../kernel/task.ts';
import { assertRefused, claimed, contractCase, isoAt, NOON, record } from './samples.ts';

const ids = (records: readonly TaskRecord[]) => records.map(({ task_id }) => task_id);

export const taskContract = [
  contractCase('a task is added once; adding its id again changes nothing', async ({ tasks }) => {
    assert.equal(await tasks.add(record('a', 'queued')), true);
    assert.equal(await tasks.add(record('a', 'completed')), false);
    assert.deepEqual(await tasks.get('a'), record('a', 'queued'));
    assert.deepEqual(await tasks.list(), [record('a', 'queued')]);
  }),

  contractCase('of 50 that add the same task exactly one does', async ({ tasks }) => {
    const added = await Promise.all(Array.from({ length: 50 }, () => tasks.add(record('a', 'queued'))));
    assert.equal(added.filter(Boolean).length, 1);
    assert.equal((await tasks.list()).length, 1);
  }),

  contractCase('a task that was never added is undefined', async ({ tasks }) => {
    assert.equal(await tasks.get('nothing'), undefined);
    assert.deepEqual(await tasks.list(), []);
    assert.deepEqual(await tasks.recentFinished(5), []);
    assert.deepEqual(await tasks.blocked(), []);
  }),

  contractCase('tasks are listed in the order in which they were added', async (stores) => {
    for (const id of ['z', 'a', 'm']) await stores.tasks.add(record(id, 'queued'));
    await stores.tasks.update(await claimed(stores, 'z'), record('z', 'completed'));
    assert.deepEqual(ids(await stores.tasks.list()), ['z', 'a', 'm']);
  }),

  contractCase('a task known only by its outcome is kept without its description', async ({ tasks }) => {
    const bare: TaskRecord = { task_id: 'old', status: 'completed', intent: 'x', updated_at: isoAt(0) };
    await tasks.add(bare);
    assert.deepEqual(await tasks.get('old'), bare);
    assert.deepEqual(await tasks.recentFinished(1), [bare]);
  }),

  contractCase('finished tasks come newest first, the failed and those to review too', async ({ tasks }) => {
    await tasks.add(record('second', 'failed', 2_000));
    await tasks.add(record('third', 'needs-review', 1_000));
    await tasks.add(record('first', 'completed', 3_000));
    for (const status of ['queued', 'running', 'blocked'] as const) await tasks.add(record(status, status, 9_000));
    assert.deepEqual(await tasks.recentFinished(9), [
      record('first', 'completed', 3_000),
      record('second', 'failed', 2_000),
      record('third', 'needs-review', 1_000),
    ]);
    assert.deepEqual(ids(await tasks.recentFinished(2)), ['first', 'second']);
    assert.deepEqual(await tasks.recentFinished(0), []);
  }),

  contractCase('of tasks finished at the same time the one changed last comes first', async ({ tasks }) => {
    for (const id of ['b', 'a', 'c']) await tasks.add(record(id, 'completed', 1_000));
    assert.deepEqual(ids(await tasks.recentFinished(9)), ['c', 'a', 'b']);
    await tasks.amend({ ...record('b', 'completed', 1_000), result: 'looked at again' }, NOON);
    assert.deepEqual(ids(await tasks.recentFinished(9)), ['b', 'c', 'a']);
  }),

  contractCase('finished tasks are ordered by time, however the time is written', async ({ tasks }) => {
    await tasks.add({ ...record('later', 'completed'), completed_at: '2026-01-01T10:30:00-03:00' });
    await tasks.add({ ...record('sooner', 'completed'), completed_at: '2026-01-01T12:00:00Z' });
    assert.deepEqual(ids(await tasks.recentFinished(9)), ['later', 'sooner']);
  }),

  contractCase('blocked tasks come longest blocked first', async (stores) => {
    const { tasks } = stores;
    await tasks.add(record('b', 'blocked', 5_000));
    await tasks.add(record('a', 'blocked', 1_000));
    await tasks.add(record('d', 'blocked', 5_000));
    await tasks.add(record('c', 'queued'));
    await tasks.update(await claimed(stores, 'c'), record('c', 'blocked', 3_000));
    assert.deepEqual(ids(await tasks.blocked()), ['a', 'c', 'b', 'd']);
    await tasks.amend(record('c', 'queued', 9_000), NOON + 9_000);
    assert.deepEqual(ids(await tasks.blocked()), ['a', 'b', 'd']);
  }),

  contractCase('a task that is run again leaves the finished ones', async (stores) => {
    await stores.tasks.add(record('a', 'failed', 1_000));
    await stores.tasks.amend(record('a', 'queued', 2_000), NOON);
    assert.deepEqual(await stores.tasks.recentFinished(9), []);
    await stores.tasks.update(await claimed(stores, 'a'), record('a', 'completed', 4_000));
    assert.deepEqual(await stores.tasks.recentFinished(9), [record('a', 'completed', 4_000)]);
  }),

  contractCase('claiming a queued task makes it running and gives the first token', async ({ tasks }) => {
    await tasks.add(record('a', 'queued', -5_000));
    const claim = await tasks.claim('a', { owner: 'worker-1', now: NOON, leaseMs: 1_000 });
    assert.deepEqual(claim, { taskId: 'a', owner: 'worker-1', token: 1 });
    assert.deepEqual(await tasks.get('a'), { ...record('a', 'queued'), status: 'running', updated_at: isoAt(0) });
  }),

  contractCase('there is nothing to claim when the task is unknown, held, blocked or finished', async (stores) => {
    const by = { owner: 'worker-2', now: NOON, leaseMs: 1_000 };
    assert.equal(await stores.tasks.claim('unknown', by), undefined);
    await stores.tasks.add(record('held', 'queued'));
    await claimed(stores, 'held');
    assert.equal(await stores.tasks.claim('held', by), undefined);
    assert.equal(await stores.tasks.claim('held', { ...by, owner: 'worker-1' }), undefined);
    for (const status of ['blocked', 'completed', 'failed', 'needs-review'] as const) {
      await stores.tasks.add(record(status, status));
      assert.equal(await stores.tasks.claim(status, by), undefined);
      assert.deepEqual(await stores.tasks.get(status), record(status, status));
    }
  }),

  contractCase('of 50 that claim one task exactly one gets it', async ({ tasks }) => {
    await tasks.add(record('a', 'queued'));
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, index) => tasks.claim('a', { owner: `w${index}`, now: NOON, leaseMs: 1_000 })),
    );
    assert.equal(claims.filter((claim) => claim !== undefined).length, 1);
  }),

  contractCase('a running task can be taken over once its lease has ended, not before', async ({ tasks }) => {
    await tasks.add(record('a', 'queued'));
    await tasks.claim('a', { owner: 'worker-1', now: NOON, leaseMs: 1_000 });
    const at = (offset: number) => ({ owner: 'worker-2', now: NOON + offset, leaseMs: 1_000 });
    assert.equal(await tasks.claim('a', at(999)), undefined);
    assert.equal(await tasks.claim('a', at(1_000)), undefined);
    assert.deepEqual(await tasks.claim('a', at(1_001)), { taskId: 'a', owner: 'worker-2', token: 2 });
    assert.equal((await tasks.get('a'))?.updated_at, isoAt(0));
  }),

  contractCase('a task added as running is nobody’s and can be claimed', async (stores) => {
    await stores.tasks.add(record('a', 'running'));
    assert.equal((await claimed(stores, 'a')).token, 1);
  }),

  contractCase('tokens of a task only grow, over takeovers, ends and amendments', async ({ tasks }) => {
    await tasks.add(record('a', 'queued'));
    let last = 0;
    for (let round = 1; round <= 12; round++) {
      const now = NOON + round * 10_000;
      const claim = await tasks.claim('a', { owner: `w${round}`, now, leaseMs: 1_000 });
      assert.ok(claim !== undefined && claim.token > last);
      last = claim.token;
      if (round % 3 === 0) await tasks.update(claim, record('a', 'queued'));
      if (round % 4 === 0) await tasks.amend(record('a', 'queued'), now + 5_000);
    }
  }),

  contractCase('a task of a dead owner can be taken over before its lease ends, and of no other', async ({ tasks }) => {
    await tasks.add(record('a', 'queued'));
    assert.equal(await tasks.holder('a'), undefined);
    const first = await tasks.claim('a', { owner: 'dead: one\n', now: NOON, leaseMs: 60_000 });
    assert.ok(first);
    assert.deepEqual(await tasks.holder('a'), first);
    const by = { owner: 'worker-2', now: NOON + 1, leaseMs: 60_000 };
    assert.equal(await tasks.claim('a', { ...by, over: { ...first, token: first.token + 1 } }), undefined);
    const second = await tasks.claim('a', { ...by, over: first });
    assert.ok(second && second.token > first.token);
    assert.equal(await tasks.claim('a', { ...by, owner: 'worker-3', over: first }), undefined);
    assert.deepEqual(await tasks.holder('a'), second);
    await assertRefused(tasks.renew(first, { now: NOON, leaseMs: 1 }), 'stale-owner');
  }),
  contractCase('renewing moves the end of the lease', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    const claim = await claimed(stores, 'a', 'worker-1', 1_000);
    await stores.tasks.renew(claim, { now: NOON + 900, leaseMs: 5_000 });
    const by = { owner: 'worker-2', leaseMs: 1_000 };
    assert.equal(await stores.tasks.claim('a', { ...by, now: NOON + 5_900 }), undefined);
    assert.equal((await stores.tasks.claim('a', { ...by, now: NOON + 5_901 }))?.token, 2);
  }),

  contractCase('an owner whose lease ran out may still write while nobody took over', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    const claim = await claimed(stores, 'a', 'worker-1', 1);
    await stores.tasks.renew(claim, { now: NOON + 60_000, leaseMs: 1 });
    await stores.tasks.update(claim, record('a', 'completed', 90_000));
    assert.deepEqual(await stores.tasks.get('a'), record('a', 'completed', 90_000));
  }),

  contractCase('an owner whose claim was taken over can no longer renew or update', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    const old = await claimed(stores, 'a', 'worker-1', 1);
    const taken = await stores.tasks.claim('a', { owner: 'worker-2', now: NOON + 60_000, leaseMs: 60_000 });
    assert.ok(taken);
    const before = await stores.tasks.get('a');
    await assertRefused(stores.tasks.update(old, record('a', 'failed')), 'stale-owner');
    await assertRefused(stores.tasks.renew(old, { now: NOON, leaseMs: 1 }), 'stale-owner');
    assert.deepEqual(await stores.tasks.get('a'), before);
    await stores.tasks.update(taken, record('a', 'completed'));
    assert.deepEqual(await stores.tasks.get('a'), record('a', 'completed'));
  }),

  contractCase('a claim counts for its owner, task and token only', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    await stores.tasks.add(record('b', 'queued'));
    const claim = await claimed(stores, 'a');
    await assertRefused(stores.tasks.update({ ...claim, owner: 'other' }, record('a', 'failed')), 'stale-owner');
    await assertRefused(stores.tasks.update({ ...claim, token: 2 }, record('a', 'failed')), 'stale-owner');
    await assertRefused(stores.tasks.update({ ...claim, token: 0 }, record('a', 'failed')), 'stale-owner');
    await assertRefused(stores.tasks.update({ ...claim, taskId: 'b' }, record('b', 'failed')), 'stale-owner');
    await assertRefused(stores.tasks.update({ ...claim, taskId: 'c' }, record('c', 'failed')), 'stale-owner');
    await assertRefused(stores.tasks.update(claim, record('b', 'failed')), 'internal');
    assert.deepEqual(await stores.tasks.get('b'), record('b', 'queued'));
  }),

  contractCase('an update to running keeps the claim, any other status ends it', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    const claim = await claimed(stores, 'a');
    await stores.tasks.update(claim, { ...record('a', 'running'), result: 'half way' });
    assert.equal((await stores.tasks.get('a'))?.result, 'half way');
    await stores.tasks.update(claim, record('a', 'queued'));
    await assertRefused(stores.tasks.update(claim, record('a', 'completed')), 'stale-owner');
    await assertRefused(stores.tasks.renew(claim, { now: NOON, leaseMs: 1 }), 'stale-owner');
    assert.equal((await claimed(stores, 'a', 'worker-2')).token, 2);
  }),

  contractCase('a record is amended while nobody holds it', async ({ tasks }) => {
    await tasks.add(record('a', 'blocked'));
    await tasks.amend(record('a', 'queued', 1_000), NOON);
    assert.deepEqual(await tasks.get('a'), record('a', 'queued', 1_000));
    await assertRefused(tasks.amend(record('unknown', 'queued'), NOON), 'unknown-task');
    assert.equal(await tasks.get('unknown'), undefined);
  }),

  contractCase('amending a held task is a conflict until its lease has ended', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    const claim = await claimed(stores, 'a', 'worker-1', 1_000);
    await assertRefused(stores.tasks.amend(record('a', 'queued'), NOON + 1_000), 'conflict');
    assert.equal((await stores.tasks.get('a'))?.status, 'running');
    await stores.tasks.amend(record('a', 'queued'), NOON + 1_001);
    await assertRefused(stores.tasks.update(claim, record('a', 'completed')), 'stale-owner');
    assert.equal((await claimed(stores, 'a', 'worker-2')).token, 2);
  }),
];
