import { describe, expect, test } from 'vitest';
import {
  attempt,
  claimed,
  continuity,
  delivery,
  event,
  NOON,
  receipt,
  record,
  run,
  session,
} from './contract/samples.ts';
import { storeContract } from './contract.ts';
import { redactingStores, signedStores, watchedStores } from './guard.ts';
import { memoryStores } from './memory.ts';

const redact = (text: string) => text.replaceAll('hunter2', '[secret]');

describe('redacting stores', () => {
  test('let no secret into any record, and leave the ids alone', async () => {
    const plain = memoryStores();
    const stores = redactingStores(plain, redact);
    const id = 'hunter2';
    await stores.journal.append({ ...event(id), kind: 'source-unavailable', source: 'git', reason: 'saw hunter2' });
    await stores.receipts.append({ ...receipt(id), evidence: 'hunter2', session: id, delivery: id });
    await stores.continuity.append({ ...continuity(id), decisions: [{ decision: 'use hunter2' }], done: ['hunter2'] });
    await stores.breakers.put(id, { agent: id, state: 'closed', failures: ['hunter2'] }, 0);
    await stores.deliveries.put(id, { ...delivery(id, id), text: 'key=hunter2' }, 0);
    await stores.sessions.put(id, { ...session(id), cwd: '/hunter2' }, 0);
    await stores.runs.put(id, { ...run(id), taskFile: 'hunter2.yaml' }, 0);
    await stores.tasks.add({ ...record(id, 'queued'), run: id, reason: 'hunter2' });
    const claim = await claimed(stores, id);
    await stores.attempts.append(id, { ...attempt(1), validationErrors: ['hunter2'] }, claim);
    await stores.tasks.update(claim, { ...record(id, 'failed'), run: id, reason: 'hunter2!' });

    const [entry] = await plain.journal.read();
    expect(entry?.value).toMatchObject({ id, reason: 'saw [secret]' });
    expect((await plain.receipts.read())[0]?.value).toMatchObject({
      id,
      session: id,
      delivery: id,
      evidence: '[secret]',
    });
    expect((await plain.continuity.read())[0]?.value).toMatchObject({
      id,
      decisions: [{ decision: 'use [secret]' }],
      done: ['[secret]'],
    });
    expect(await plain.breakers.get(id)).toEqual({
      version: 1,
      value: { agent: id, state: 'closed', failures: ['[secret]'] },
    });
    expect((await plain.deliveries.list(id))[0]?.value).toMatchObject({ id, session: id, text: 'key=[secret]' });
    expect((await plain.sessions.get(id))?.value.cwd).toBe('/[secret]');
    expect((await plain.runs.get(id))?.value).toEqual({ ...run(id), taskFile: '[secret].yaml' });
    expect(await plain.tasks.get(id)).toMatchObject({
      task_id: id,
      run: id,
      intent: 'do [secret]',
      reason: '[secret]!',
      task: { task_id: id, intent: 'do [secret]' },
    });
    expect((await plain.attempts.list(id))[0]?.validationErrors).toEqual(['[secret]']);
    await stores.tasks.amend({ ...record(id, 'blocked'), reason: 'hunter2' }, NOON);
    expect((await plain.tasks.get(id))?.reason).toBe('[secret]');
  });

  for (const { name, run } of storeContract) {
    test(name, () => run(async () => redactingStores(memoryStores(), redact)));
  }
});

describe('watched stores', () => {
  test('report every write that changed tasks, attempts, breakers or runs, and nothing else', async () => {
    let told = 0;
    const stores = watchedStores(memoryStores(), () => {
      told += 1;
    });
    const tells = async (work: () => Promise<unknown>) => {
      const before = told;
      await work().catch(() => undefined);
      return told - before;
    };
    const closed = { agent: 'a', state: 'closed', failures: [] } as const;
    expect(await tells(() => stores.tasks.add(record('a', 'queued')))).toBe(1);
    expect(await tells(() => stores.tasks.add(record('a', 'queued')))).toBe(0);
    const claim = await claimed(stores, 'a');
    expect(told).toBe(2);
    expect(await tells(() => stores.tasks.claim('a', { owner: 'b', now: NOON, leaseMs: 1 }))).toBe(0);
    expect(await tells(() => stores.tasks.renew(claim, { now: NOON, leaseMs: 1 }))).toBe(0);
    expect(await tells(() => stores.attempts.append('a', attempt(1), claim))).toBe(1);
    expect(await tells(() => stores.attempts.append('a', attempt(1), claim))).toBe(0);
    expect(await tells(() => stores.attempts.clear('a'))).toBe(1);
    expect(await tells(() => stores.tasks.update(claim, record('a', 'completed')))).toBe(1);
    expect(await tells(() => stores.tasks.update(claim, record('a', 'completed')))).toBe(0);
    expect(await tells(() => stores.tasks.amend(record('a', 'queued'), NOON))).toBe(1);
    expect(await tells(() => stores.breakers.put('a', closed, 0))).toBe(1);
    expect(await tells(() => stores.breakers.put('a', closed, 0))).toBe(0);
    expect(await tells(() => stores.runs.put('r', run('r'), 0))).toBe(1);
    expect(await tells(() => stores.runs.put('r', run('r'), 0))).toBe(0);
    expect(await tells(() => stores.journal.append(event('e')))).toBe(0);
    expect(await tells(() => stores.tasks.list())).toBe(0);
  });

  for (const { name, run } of storeContract) {
    test(name, () => run(async () => watchedStores(memoryStores(), () => undefined)));
  }
});

test('signed stores name the writer in what is written, and leave what was imported', async () => {
  const plain = memoryStores();
  const stores = signedStores(plain, 'anna@desk');
  await stores.journal.append({ ...event('a'), writer: 'ben@lab' });
  await stores.journal.append({ ...event('b'), writer: 'ben@lab', imported: true });
  await stores.continuity.append(continuity('c'));
  await stores.tasks.add({ ...record('t', 'queued'), imported: true });
  const claim = await claimed(stores, 't');
  await stores.attempts.append('t', attempt(1), claim);
  expect((await plain.journal.read()).map(({ value }) => value)).toEqual([
    { ...event('a'), writer: 'anna@desk' },
    { ...event('b'), writer: 'ben@lab', imported: true },
  ]);
  expect((await plain.continuity.read()).map(({ value }) => value.writer)).toEqual(['anna@desk']);
  expect((await plain.attempts.list('t')).map(({ writer }) => writer)).toEqual(['anna@desk']);
  expect(await plain.tasks.get('t')).toMatchObject({ imported: true });
  await stores.tasks.update(claim, { ...record('t', 'completed'), imported: true });
  expect(await plain.tasks.get('t')).toEqual({ ...record('t', 'completed'), writer: 'anna@desk' });
});
