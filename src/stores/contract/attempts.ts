// The contract of attempts: append-only, numbered without gaps, written by the owner alone.

import assert from 'node:assert/strict';
import { assertRefused, attempt, claimed, contractCase, NOON, record } from './samples.ts';

export const attemptContract = [
  contractCase('a task without attempts lists no attempt, and has nothing to close', async ({ attempts }) => {
    assert.deepEqual(await attempts.list('a'), []);
    assert.deepEqual(await attempts.open('a'), []);
    assert.equal(await attempts.clearedUpTo('a'), 0);
    await attempts.clear('a');
    assert.equal(await attempts.clearedUpTo('a'), 0);
    assert.deepEqual(await attempts.taskIds(), []);
  }),

  contractCase('attempts are given back whole, by number', async ({ attempts }) => {
    const second = { ...attempt(2, 'claude'), exitClass: 'quota', promptHash: 'abc', preContext: 'line\nline' };
    await attempts.append('a', attempt(1));
    await attempts.append('a', second);
    assert.deepEqual(await attempts.list('a'), [attempt(1), second]);
    assert.deepEqual(await attempts.open('a'), [attempt(1), second]);
  }),

  contractCase('an attempt number that is not the next is a conflict', async ({ attempts }) => {
    await assertRefused(attempts.append('a', attempt(0)), 'conflict');
    await assertRefused(attempts.append('a', attempt(2)), 'conflict');
    await attempts.append('a', attempt(1));
    await assertRefused(attempts.append('a', attempt(1, 'other')), 'conflict');
    await assertRefused(attempts.append('a', attempt(3)), 'conflict');
    assert.deepEqual(await attempts.list('a'), [attempt(1)]);
  }),

  contractCase('of 50 that append the same attempt exactly one does', async ({ attempts }) => {
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => attempts.append('a', attempt(1, `p${n}`))),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal((await attempts.list('a')).length, 1);
  }),

  contractCase('an attempt with a claim is stored only for the newest owner', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    await stores.tasks.add(record('b', 'queued'));
    const old = await claimed(stores, 'a', 'worker-1', 1);
    await stores.attempts.append('a', attempt(1), old);
    const taken = await stores.tasks.claim('a', { owner: 'worker-2', now: NOON + 60_000, leaseMs: 60_000 });
    await assertRefused(stores.attempts.append('a', attempt(2), old), 'stale-owner');
    await stores.attempts.append('a', attempt(2), taken);
    await assertRefused(stores.attempts.append('b', attempt(1), taken), 'stale-owner');
    assert.deepEqual(await stores.attempts.list('a'), [attempt(1), attempt(2)]);
    assert.deepEqual(await stores.attempts.list('b'), []);
  }),

  contractCase('an attempt after the claim ended is refused', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    const claim = await claimed(stores, 'a');
    await stores.tasks.update(claim, record('a', 'completed'));
    await assertRefused(stores.attempts.append('a', attempt(1), claim), 'stale-owner');
    await stores.attempts.append('a', attempt(1));
    assert.deepEqual(await stores.attempts.list('a'), [attempt(1)]);
  }),

  contractCase('a stale owner gets that error, also when its number is wrong too', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    const claim = await claimed(stores, 'a');
    await stores.tasks.update(claim, record('a', 'queued'));
    await assertRefused(stores.attempts.append('a', attempt(7), claim), 'stale-owner');
  }),

  contractCase('clearing closes the attempts so far and deletes no attempt', async ({ attempts }) => {
    for (const number of [1, 2]) await attempts.append('a', attempt(number));
    await attempts.clear('a');
    assert.deepEqual(await attempts.open('a'), []);
    assert.equal(await attempts.clearedUpTo('a'), 2);
    await attempts.append('a', attempt(3));
    assert.deepEqual(await attempts.open('a'), [attempt(3)]);
    assert.deepEqual(await attempts.list('a'), [attempt(1), attempt(2), attempt(3)]);
    assert.equal(await attempts.clearedUpTo('a'), 2);
  }),

  contractCase('clearing twice is the same as clearing once', async ({ attempts }) => {
    await attempts.append('a', attempt(1));
    await attempts.clear('a');
    await attempts.clear('a');
    assert.equal(await attempts.clearedUpTo('a'), 1);
    await attempts.append('a', attempt(2));
    await attempts.clear('a');
    assert.equal(await attempts.clearedUpTo('a'), 2);
  }),

  contractCase('tasks with attempts are named in the order of their first one', async ({ attempts }) => {
    await attempts.append('z', attempt(1));
    await attempts.append('a', attempt(1));
    await attempts.append('z', attempt(2));
    await attempts.append('m', attempt(1));
    assert.deepEqual(await attempts.taskIds(), ['z', 'a', 'm']);
    await attempts.clear('a');
    assert.deepEqual(await attempts.taskIds(), ['z', 'a', 'm']);
    assert.deepEqual(await attempts.list('a'), [attempt(1)]);
  }),
];
