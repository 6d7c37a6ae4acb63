import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ForewordError } from '../kernel/errors.ts';
import type { Stores } from '../kernel/stores.ts';
import { claimed, record } from './contract/samples.ts';
import { memoryStores } from './memory.ts';
import { patientStores } from './patient.ts';
import { openSpool } from './spool.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Retries come at once. */
const QUICK = { wait: () => pause(1) };

/** A store whose writes fail until it is back. */
async function outage() {
  const stores = memoryStores();
  let isAway = false;
  const reach = <T>(work: () => Promise<T>) =>
    isAway ? Promise.reject(new ForewordError('store-unreachable', 'away')) : work();
  await stores.tasks.add(record('a', 'queued'));
  const claim = await claimed(stores, 'a');
  const update: Stores['tasks']['update'] = (by, value) => reach(() => stores.tasks.update(by, value));
  const shaky: Stores = { ...stores, tasks: { ...stores.tasks, update } };
  return {
    stores,
    claim,
    shaky,
    leave: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
    },
  };
}

test('a result that the store cannot take is a file until the store has it', async () => {
  const { stores, claim, shaky, leave, comeBack } = await outage();
  const [clock, spool, stop] = [QUICK, openSpool(folder), new AbortController()];
  const patient = patientStores(shaky, { clock, signal: stop.signal, note: () => undefined, giveUpMs: 60_000, spool });
  leave();
  const writing = patient.tasks.update(claim, record('a', 'completed'));
  await pause(30);
  expect([spool.count(), (await stores.tasks.get('a'))?.status]).toEqual([1, 'running']);
  comeBack();
  await pause(30);
  await writing;
  expect([spool.count(), (await stores.tasks.get('a'))?.status]).toEqual([0, 'completed']);
});

test('a process that ended meanwhile leaves it for the next one', async () => {
  const { stores, claim, shaky, leave } = await outage();
  const [clock, spool, stop] = [QUICK, openSpool(folder), new AbortController()];
  const patient = patientStores(shaky, { clock, signal: stop.signal, note: () => undefined, giveUpMs: 60_000, spool });
  leave();
  const writing = patient.tasks.update(claim, record('a', 'completed'));
  const refused = expect(writing).rejects.toThrow('away');
  await pause(30);
  stop.abort();
  await refused;
  expect(await openSpool(folder).replay(stores)).toEqual({ stored: 1, refused: 0 });
  expect((await stores.tasks.get('a'))?.status).toBe('completed');
  expect(readdirSync(folder)).toEqual([]);
});

test('what another owner did meanwhile is not overwritten, and a file that is none is dropped', async () => {
  const { stores, claim } = await outage();
  const spool = openSpool(folder);
  spool.keep({ kind: 'update', claim, record: record('a', 'failed') });
  writeFileSync(join(folder, 'x.json'), '{');
  await stores.tasks.update(claim, record('a', 'queued'));
  await claimed(stores, 'a', 'worker-2');
  expect(await openSpool(folder).replay(stores)).toEqual({ stored: 0, refused: 2 });
  expect((await stores.tasks.get('a'))?.status).toBe('running');
});
