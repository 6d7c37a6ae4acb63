// The contract of the stores as a whole: values are copies, the durability is reported, closing is final.

import assert from 'node:assert/strict';
import type { Stores } from '../../kernel/stores.ts';
import type { ContractCase } from '../contract.ts';
import {
  assertRefused,
  attempt,
  continuity,
  contractCase,
  delivery,
  event,
  NOON,
  receipt,
  record,
  run,
  session,
  work,
} from './samples.ts';

export const wholeContract: readonly ContractCase[] = [
  contractCase('changing a value after it was stored changes nothing', async (stores) => {
    const files = ['a.ts'];
    const mutable = { ...record('a', 'queued'), intent: 'before' };
    await stores.tasks.add(mutable);
    await stores.attempts.append('a', { ...attempt(1), files_updated: files });
    mutable.intent = 'after';
    files.push('b.ts');
    assert.equal((await stores.tasks.get('a'))?.intent, 'before');
    assert.deepEqual((await stores.attempts.list('a'))[0]?.files_updated, ['a.ts']);
  }),

  contractCase('changing a value that was read changes nothing', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    await stores.attempts.append('a', attempt(1));
    await stores.continuity.append(continuity('c'));
    await stores.deliveries.put('d', delivery('d', 's'), 0);
    const wreck = (value: unknown) => {
      for (const key of Object.keys(value as object)) (value as Record<string, unknown>)[key] = 'wrecked';
    };
    wreck(await stores.tasks.get('a'));
    wreck((await stores.tasks.list())[0]);
    wreck((await stores.attempts.list('a'))[0]);
    wreck((await stores.continuity.read())[0]?.value.done);
    wreck((await stores.deliveries.get('d'))?.value);
    assert.deepEqual(await stores.tasks.get('a'), record('a', 'queued'));
    assert.deepEqual(await stores.attempts.list('a'), [attempt(1)]);
    assert.deepEqual(await stores.continuity.read(), [{ number: 1, value: continuity('c') }]);
    assert.deepEqual(await stores.deliveries.get('d'), { version: 1, value: delivery('d', 's') });
  }),

  contractCase('what is undefined is stored as absent', async ({ sessions }) => {
    const value = { ...session('s'), endedAt: undefined } as unknown as ReturnType<typeof session>;
    await sessions.put('s', value, 0);
    assert.deepEqual(await sessions.get('s'), { version: 1, value: session('s') });
  }),

  contractCase('a store reports its durability in one line', async (stores) => {
    const { kind, level, detail } = await stores.durability();
    assert.match(kind, /^[a-z][a-z0-9-]*$/);
    assert.ok(['full', 'everysec', 'volatile'].includes(level));
    assert.ok(detail.length > 0 && !detail.includes('\n'));
  }),

  contractCase('closing twice is harmless, and every later call is refused', async (stores) => {
    await stores.tasks.add(record('a', 'queued'));
    const claim = await stores.tasks.claim('a', { owner: 'w', now: NOON, leaseMs: 1 });
    await stores.close();
    await stores.close();
    for (const call of everyCall(stores)) await assertRefused(call(), 'store-unreachable');
    assert.ok(claim);
    await assertRefused(stores.tasks.update(claim, record('a', 'completed')), 'store-unreachable');
  }),

  {
    name: 'two stores opened empty know nothing of each other',
    async run(open) {
      const [one, other] = [await open(), await open()];
      try {
        await one.tasks.add(record('a', 'queued'));
        await one.journal.append(event('e'));
        await one.breakers.put('codex', { agent: 'codex', state: 'closed', failures: [] }, 0);
        assert.deepEqual(await other.tasks.list(), []);
        assert.deepEqual(await other.journal.read(), []);
        assert.deepEqual(await other.breakers.list(), []);
      } finally {
        await one.close();
        await other.close();
      }
    },
  },
];

function everyCall(stores: Stores): readonly (() => Promise<unknown>)[] {
  const { journal, receipts, breakers, deliveries, sessions, runs, works, tasks, attempts } = stores;
  const by = { owner: 'w', now: NOON, leaseMs: 1 };
  return [
    () => journal.append(event('e')),
    () => journal.read(),
    () => journal.last(1),
    () => receipts.append(receipt('r')),
    () => stores.continuity.append(continuity('c')),
    () => breakers.get('a'),
    () => breakers.list(),
    () => deliveries.put('d', delivery('d', 's'), 0),
    () => deliveries.list('s'),
    () => sessions.put('s', session('s'), 0),
    () => runs.get('r'),
    () => runs.put('r', run('r'), 0),
    () => runs.list(),
    () => works.get('w'),
    () => works.put('w', work('w'), 0),
    () => works.list('main'),
    () => tasks.add(record('b', 'queued')),
    () => tasks.get('a'),
    () => tasks.list(),
    () => tasks.recentFinished(1),
    () => tasks.blocked(),
    () => tasks.claim('a', by),
    () => tasks.renew({ taskId: 'a', owner: 'w', token: 1 }, by),
    () => tasks.amend(record('a', 'queued'), NOON),
    () => attempts.append('a', attempt(1)),
    () => attempts.list('a'),
    () => attempts.open('a'),
    () => attempts.clear('a'),
    () => attempts.clearedUpTo('a'),
    () => attempts.taskIds(),
    () => stores.durability(),
  ];
}
