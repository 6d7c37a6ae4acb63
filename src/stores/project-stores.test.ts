import { expect, test } from 'vitest';
import { ForewordError } from '../kernel/errors.ts';
import { makeStamp } from '../kernel/stamp.ts';
import type { Stores } from '../kernel/stores.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { event, record } from './contract/samples.ts';
import { memoryStores } from './memory.ts';
import type { StoreOpener } from './open.ts';
import { type ProjectStoreParts, projectStores } from './project-stores.ts';

/** A project whose store is in memory and is there once it was written to. */
function project(more: Partial<ProjectStoreParts & { readonly stores: Stores; readonly isGiven: boolean }> = {}) {
  const log: string[] = [];
  const clock = manualClock();
  const inner = more.stores ?? memoryStores();
  const stores: Stores = { ...inner, close: async () => void log.push('closed') };
  let isMade = false;
  const opener: StoreOpener = {
    isGiven: more.isGiven ?? false,
    write: async () => {
      log.push('opened to write');
      isMade = true;
      return stores;
    },
    read: async () => {
      log.push('opened to read');
      return isMade ? stores : undefined;
    },
    examine: () => stores.durability(),
  };
  const made = projectStores({
    opener,
    clock,
    stamp: makeStamp((prefix) => `${prefix}_1`, clock),
    writer: 'anna@desk',
    redact: (text) => text.replaceAll('hunter2', () => '…'),
    note: (text) => log.push(text),
    beforeRead: async () => void log.push('spool folded'),
    dump: undefined,
    ...more,
  });
  return { made, log, clock };
}

test('a store that is made later is not hidden by the empty one that was read before', async () => {
  const { made, log } = project();
  expect(await (await made.readStores()).journal.read()).toEqual([]);
  await made.emit({ kind: 'state-dump-failed', reason: 'x' });
  expect(await (await made.readStores()).journal.read()).toMatchObject([{ value: { id: 'evt_1', reason: 'x' } }]);
  expect(log).toEqual(['spool folded', 'opened to read', 'opened to write', 'spool folded']);
});

test('a store is opened once and closed once', async () => {
  const { made, log } = project();
  await Promise.all([made.writeStores(), made.writeStores()]);
  await made.close();
  await made.close();
  expect(log).toEqual(['opened to write', 'closed']);
});

test('stores of the caller get nothing from the spool', async () => {
  const { made, log } = project({ isGiven: true });
  await made.writeStores();
  await made.readStores();
  expect(log).toEqual(['opened to write']);
});

test('what is written has passed the redactor', async () => {
  const { made } = project();
  const stores = await made.writeStores();
  await stores.journal.append({ ...event('a'), kind: 'state-dump-failed', reason: 'the key hunter2' });
  expect(await stores.journal.read()).toMatchObject([{ value: { reason: 'the key …' } }]);
});

test('the dump follows each change and is finished before the store is closed', async () => {
  const done: string[] = [];
  const dump = () => ({ changed: () => void done.push('changed'), settled: async () => void done.push('settled') });
  const { made, log } = project({ dump });
  await (await made.writeStores()).tasks.add(record('a', 'queued'));
  await made.close();
  expect([done, log]).toEqual([
    ['changed', 'settled'],
    ['opened to write', 'closed'],
  ]);
});

test('a patient store waits for a server that is away, and throws at once when the signal is aborted', async () => {
  const away = new ForewordError('store-unreachable', 'The server is away.');
  let failures = 1;
  const inner = memoryStores();
  const list = () => (failures-- > 0 ? Promise.reject(away) : inner.tasks.list());
  const { made, log, clock } = project({ stores: { ...inner, tasks: { ...inner.tasks, list } } });
  const controller = new AbortController();
  made.bePatient(controller.signal, 60_000);
  const { tasks } = await made.writeStores();
  const listing = tasks.list();
  await clock.advance(0);
  await clock.advance(500);
  expect(await listing).toEqual([]);
  expect(log.slice(1)).toEqual([
    'The server is away. Retrying until it works; nothing is lost.',
    'the store is reachable again; continuing.',
  ]);
  failures = 100;
  const hopeless = tasks.list();
  await clock.advance(0);
  controller.abort();
  await expect(hopeless).rejects.toBe(away);
  expect(clock.pending).toBe(0);
});

test('a full disk is waited for once, for seconds, and then refused at once', async () => {
  const full = new ForewordError('disk-full', 'The disk is full.');
  const inner = memoryStores();
  const add = () => Promise.reject(full);
  const { made, log, clock } = project({ stores: { ...inner, tasks: { ...inner.tasks, add } } });
  made.bePatient(new AbortController().signal, 60_000);
  const { tasks } = await made.writeStores();
  const refused = expect(tasks.add(record('a', 'queued'))).rejects.toBe(full);
  for (let waited = 0; waited <= 3_000; waited += 500) await clock.advance(500);
  await refused;
  await expect(tasks.add(record('b', 'queued'))).rejects.toBe(full);
  expect([log.slice(1), clock.pending]).toEqual([['The disk is full. Retrying for 3 s.'], 0]);
});

test('a store that refuses to be written to is still read', async () => {
  const refused = new ForewordError('store-unreachable', 'It would lose writes.');
  const inner = memoryStores();
  const opener: StoreOpener = {
    isGiven: false,
    write: () => Promise.reject(refused),
    read: async () => inner,
    examine: () => inner.durability(),
  };
  const fold = async (journal: () => Promise<unknown>) => void (await journal().catch(() => undefined));
  const { made } = project({ opener, beforeRead: fold });
  expect(await (await made.readStores()).journal.read()).toEqual([]);
  await expect(made.writeStores()).rejects.toBe(refused);
});
