// The contract about values nobody expects: whatever JSON can hold comes back as it was.

import assert from 'node:assert/strict';
import type { TaskRecord } from '../../kernel/task.ts';
import { attempt, claimed, contractCase, delivery, event, record } from './samples.ts';

const HOSTILE_IDS = [
  '',
  ' ',
  'a',
  'A',
  'a:b',
  'a::b',
  'new\nline',
  'carriage\rreturn',
  'nul\0inside',
  'nul\0other',
  '{brace}',
  '}:schema',
  'quote"\'`',
  'back\\slash',
  'back\\u0000slash',
  '*',
  '%',
  "'; DROP TABLE tasks; --",
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'é',
  'e\u0301',
  '你好',
  '🦊',
  '\u202eevil',
  'x'.repeat(10_000),
];

const MEGABYTE = 'line of text é 🦊\n'.repeat(55_000);

export const hostileContract = [
  contractCase('ids of any text are kept apart in a log', async ({ journal }) => {
    for (const id of HOSTILE_IDS) await journal.append(event(id));
    for (const id of HOSTILE_IDS) await journal.append(event(id));
    assert.deepEqual(
      (await journal.read()).map(({ value }) => value),
      HOSTILE_IDS.map(event),
    );
  }),

  contractCase('ids of any text are kept apart among versioned records and their groups', async ({ deliveries }) => {
    for (const id of HOSTILE_IDS) assert.equal(await deliveries.put(id, delivery(id, id), 0), true);
    for (const id of HOSTILE_IDS) {
      assert.deepEqual(await deliveries.get(id), { version: 1, value: delivery(id, id) });
      assert.deepEqual(await deliveries.list(id), [{ id, version: 1, value: delivery(id, id) }]);
    }
    assert.deepEqual(
      (await deliveries.list()).map(({ id }) => id),
      HOSTILE_IDS,
    );
  }),

  contractCase('ids of any text are kept apart among tasks and attempts', async (stores) => {
    for (const id of HOSTILE_IDS) assert.equal(await stores.tasks.add(record(id, 'queued')), true);
    for (const id of HOSTILE_IDS) {
      const claim = await claimed(stores, id, id);
      assert.deepEqual(claim, { taskId: id, owner: id, token: 1 });
      await stores.attempts.append(id, attempt(1, id), claim);
      await stores.attempts.clear(id);
      await stores.tasks.update(claim, record(id, 'completed'));
    }
    assert.deepEqual(
      await stores.tasks.list(),
      HOSTILE_IDS.map((id) => record(id, 'completed')),
    );
    assert.deepEqual(await stores.attempts.taskIds(), HOSTILE_IDS);
    for (const id of HOSTILE_IDS) assert.deepEqual(await stores.attempts.list(id), [attempt(1, id)]);
    assert.equal((await stores.tasks.recentFinished(99)).length, HOSTILE_IDS.length);
  }),

  contractCase('text with NUL, control characters and every plane of Unicode comes back exactly', async (stores) => {
    const reason = `nul \0, bell \x07, escape \x1b[31m, del \x7f, c1 \x9b, bom \ufeff, nonchar \uffff, 🦊 \u{10ffff}, ${'`$("'}`;
    await stores.tasks.add({ ...record('a', 'blocked'), reason });
    assert.equal((await stores.tasks.get('a'))?.reason, reason);
    await stores.attempts.append('a', { ...attempt(1), validationErrors: [reason, '', reason] });
    assert.deepEqual((await stores.attempts.list('a'))[0]?.validationErrors, [reason, '', reason]);
    await stores.deliveries.put('d', { ...delivery('d', 's'), text: reason }, 0);
    assert.equal((await stores.deliveries.get('d'))?.value.text, reason);
  }),

  contractCase('a lone surrogate comes back as it was or as the replacement character', async ({ tasks }) => {
    await tasks.add({ ...record('a', 'blocked'), reason: 'half \ud83e of a fox' });
    const reason = (await tasks.get('a'))?.reason ?? '';
    assert.ok(['half \ud83e of a fox', 'half \ufffd of a fox'].includes(reason), JSON.stringify(reason));
    assert.equal(await tasks.add(record('id \ud83e', 'queued')), true);
    assert.equal((await tasks.get('id \ud83e'))?.status, 'queued');
  }),

  contractCase('a text of a megabyte comes back exactly', async (stores) => {
    await stores.deliveries.put('d', { ...delivery('d', 's'), text: MEGABYTE }, 0);
    assert.equal((await stores.deliveries.get('d'))?.value.text, MEGABYTE);
    await stores.attempts.append('a', { ...attempt(1), preContext: MEGABYTE });
    assert.equal((await stores.attempts.open('a'))[0]?.preContext, MEGABYTE);
    await stores.journal.append({ ...event('e'), at: MEGABYTE });
    assert.equal((await stores.journal.last(1))[0]?.value.at, MEGABYTE);
  }),

  contractCase('__proto__ as a key of data is data', async (stores) => {
    const options = JSON.parse('{"__proto__":{"enable_pre_context":true},"constructor":1}') as object;
    const base = record('a', 'queued');
    const odd = { ...base, task: { ...base.task, options } } as TaskRecord;
    await stores.tasks.add(odd);
    const claim = await claimed(stores, 'a');
    const stored = await stores.tasks.get('a');
    assert.equal(JSON.stringify(stored?.task?.options), JSON.stringify(options));
    assert.equal(stored?.task?.options.enable_pre_context, undefined);
    await stores.tasks.update(claim, odd);
    assert.equal(JSON.stringify((await stores.tasks.get('a'))?.task?.options), JSON.stringify(options));
    assert.equal(({} as { enable_pre_context?: boolean }).enable_pre_context, undefined);
  }),

  contractCase('empty lists, zero, exponents and large numbers come back as they were', async ({ attempts }) => {
    const odd = { ...attempt(1), files_updated: [], validationErrors: [], durationMs: 1_794_772_865_740.5 };
    await attempts.append('a', odd);
    await attempts.append('a', { ...attempt(2), durationMs: 0 });
    await attempts.append('a', { ...attempt(3), durationMs: Number.MAX_SAFE_INTEGER });
    await attempts.append('a', { ...attempt(4), durationMs: 1e300 });
    assert.deepEqual(await attempts.list('a'), [
      odd,
      { ...attempt(2), durationMs: 0 },
      { ...attempt(3), durationMs: Number.MAX_SAFE_INTEGER },
      { ...attempt(4), durationMs: 1e300 },
    ]);
  }),
];
