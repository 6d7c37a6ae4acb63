// The contract of records that change, each with a version.

import assert from 'node:assert/strict';
import type { BreakerRecord } from '../../kernel/breaker.ts';
import { contractCase, delivery, isoAt, run, session, work } from './samples.ts';

const closed = (agent: string): BreakerRecord => ({ agent, state: 'closed', failures: [] });
const open = (agent: string): BreakerRecord => ({
  agent,
  state: 'open',
  reason: 'quota',
  openedAt: isoAt(0),
  until: isoAt(3_600_000),
});

export const versionedContract = [
  contractCase('a record that was never put is undefined', async ({ breakers }) => {
    assert.equal(await breakers.get('codex'), undefined);
    assert.deepEqual(await breakers.list(), []);
  }),

  contractCase('a record is put at version 0 and then has version 1', async ({ breakers }) => {
    assert.equal(await breakers.put('codex', closed('codex'), 0), true);
    assert.deepEqual(await breakers.get('codex'), { version: 1, value: closed('codex') });
  }),

  contractCase('a write based on the current version replaces the record', async ({ breakers }) => {
    await breakers.put('codex', closed('codex'), 0);
    assert.equal(await breakers.put('codex', open('codex'), 1), true);
    assert.deepEqual(await breakers.get('codex'), { version: 2, value: open('codex') });
  }),

  contractCase('a write based on any other version is refused and changes nothing', async ({ breakers }) => {
    assert.equal(await breakers.put('codex', closed('codex'), 1), false);
    assert.equal(await breakers.get('codex'), undefined);
    await breakers.put('codex', closed('codex'), 0);
    await breakers.put('codex', open('codex'), 1);
    for (const wrong of [0, 1, 3, 99]) assert.equal(await breakers.put('codex', closed('codex'), wrong), false);
    assert.deepEqual(await breakers.get('codex'), { version: 2, value: open('codex') });
  }),

  contractCase('of 50 writers on one version exactly one wins', async ({ breakers }) => {
    await breakers.put('codex', closed('codex'), 0);
    const wins = await Promise.all(Array.from({ length: 50 }, () => breakers.put('codex', open('codex'), 1)));
    assert.equal(wins.filter(Boolean).length, 1);
    assert.equal((await breakers.get('codex'))?.version, 2);
  }),

  contractCase('read, change and put again in a loop loses no update of 20 writers', async ({ breakers }) => {
    const add = async (name: string) => {
      for (;;) {
        const found = await breakers.get('codex');
        const failures = found?.value.state === 'closed' ? found.value.failures : [];
        const value: BreakerRecord = { agent: 'codex', state: 'closed', failures: [...failures, name] };
        if (await breakers.put('codex', value, found?.version ?? 0)) return;
      }
    };
    const names = Array.from({ length: 20 }, (_, index) => `w${index}`);
    await Promise.all(names.map(add));
    const found = await breakers.get('codex');
    assert.equal(found?.version, 20);
    assert.deepEqual(found.value.state === 'closed' ? [...found.value.failures].sort() : [], names.sort());
  }),

  contractCase('records are listed in the order in which they were first put', async ({ breakers }) => {
    for (const agent of ['zed', 'amp', 'mine']) await breakers.put(agent, closed(agent), 0);
    await breakers.put('zed', open('zed'), 1);
    assert.deepEqual(await breakers.list(), [
      { id: 'zed', version: 2, value: open('zed') },
      { id: 'amp', version: 1, value: closed('amp') },
      { id: 'mine', version: 1, value: closed('mine') },
    ]);
  }),

  contractCase('deliveries are listed by session, in the order of their first put', async ({ deliveries }) => {
    for (const [id, of] of [
      ['fw_3', 'ses_a'],
      ['fw_1', 'ses_b'],
      ['fw_2', 'ses_a'],
    ] as const) {
      await deliveries.put(id, delivery(id, of), 0);
    }
    await deliveries.put('fw_3', { ...delivery('fw_3', 'ses_a'), waiting: 'agent-busy' }, 1);
    assert.deepEqual(await deliveries.list('ses_a'), [
      { id: 'fw_3', version: 2, value: { ...delivery('fw_3', 'ses_a'), waiting: 'agent-busy' } },
      { id: 'fw_2', version: 1, value: delivery('fw_2', 'ses_a') },
    ]);
    assert.deepEqual(
      (await deliveries.list()).map(({ id }) => id),
      ['fw_3', 'fw_1', 'fw_2'],
    );
    assert.deepEqual(await deliveries.list('ses_'), []);
    assert.deepEqual(await deliveries.list('ses_c'), []);
  }),

  contractCase('a delivery that changes its session leaves the old one', async ({ deliveries }) => {
    await deliveries.put('fw_1', delivery('fw_1', 'ses_a'), 0);
    await deliveries.put('fw_1', delivery('fw_1', 'ses_b'), 1);
    assert.deepEqual(await deliveries.list('ses_a'), []);
    assert.deepEqual(await deliveries.list('ses_b'), [{ id: 'fw_1', version: 2, value: delivery('fw_1', 'ses_b') }]);
  }),

  contractCase('records without a group are in no group', async ({ sessions }) => {
    await sessions.put('ses_a', session('ses_a'), 0);
    assert.deepEqual(await sessions.list('ses_a'), []);
    assert.deepEqual(await sessions.list(), [{ id: 'ses_a', version: 1, value: session('ses_a') }]);
  }),

  contractCase('a run is open, then merged', async ({ runs }) => {
    await runs.put('tasks-1a2b', run('tasks-1a2b'), 0);
    const merged = { at: isoAt(9_000), commit: 'c'.repeat(40), how: 'merge' } as const;
    assert.equal(await runs.put('tasks-1a2b', { ...run('tasks-1a2b'), state: 'merged', merged }, 1), true);
    assert.equal(await runs.put('tasks-1a2b', run('tasks-1a2b'), 1), false);
    assert.deepEqual(await runs.list(), [
      { id: 'tasks-1a2b', version: 2, value: { ...run('tasks-1a2b'), state: 'merged', merged } },
    ]);
    assert.deepEqual(await runs.list('tasks-1a2b'), []);
  }),

  contractCase('breakers, deliveries, sessions and runs do not mix', async (stores) => {
    const { breakers, deliveries, sessions, runs } = stores;
    await breakers.put('same', closed('same'), 0);
    assert.equal(await deliveries.put('same', delivery('same', 's'), 0), true);
    assert.equal(await sessions.put('same', session('same'), 0), true);
    assert.equal(await runs.put('same', run('same'), 0), true);
    assert.deepEqual(await breakers.get('same'), { version: 1, value: closed('same') });
  }),

  contractCase('works are listed by their tree, and not once they are forgotten', async ({ works }) => {
    await works.put('w1', work('w1'), 0);
    await works.put('w2', work('w2', 'feature'), 0);
    const { facts: _, ...forgotten } = work('w3');
    await works.put('w3', work('w3'), 0);
    assert.deepEqual(
      (await works.list('main')).map(({ id }) => id),
      ['w1', 'w3'],
    );
    await works.put('w3', forgotten, 1);
    assert.deepEqual(await works.list('main'), [{ id: 'w1', version: 1, value: work('w1') }]);
    assert.deepEqual(
      (await works.list('feature')).map(({ id }) => id),
      ['w2'],
    );
    assert.equal((await works.list()).length, 3);
  }),
];
