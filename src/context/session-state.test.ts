import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { makeStamp } from '../kernel/stamp.ts';
import { run as runRecord } from '../stores/contract/samples.ts';
import { watchedStores } from '../stores/guard.ts';
import { memoryStores } from '../stores/memory.ts';
import { keepSessionState, sessionStateDump } from './session-state.ts';

const NOW = Date.UTC(2026, 0, 1);

function kept(write: (text: string) => void) {
  const stores = memoryStores();
  const failures: string[] = [];
  const state = keepSessionState({
    stores,
    project: 'shop',
    historySize: 5,
    maxBlockers: 10,
    now: () => NOW,
    redact: (text) => text.replaceAll('secret', '[redacted]'),
    write,
    onFailure: async (reason) => {
      failures.push(reason);
    },
  });
  return { stores: watchedStores(stores, state.changed), state, failures };
}

const record = (task_id: string) =>
  ({ task_id, status: 'queued', intent: 'a secret', updated_at: '2026-01-01T00:00:00Z' }) as const;

test('the last dump shows the last change, and changes in a row are gathered', async () => {
  const dumps: string[] = [];
  const { stores, state } = kept((text) => dumps.push(text));
  await Promise.all(Array.from({ length: 50 }, (_, index) => stores.tasks.add(record(`t${index}`))));
  const claim = await stores.tasks.claim('t7', { owner: 'me', now: NOW, leaseMs: 1000 });
  await state.settled();
  expect(claim).toBeDefined();
  expect(JSON.parse(dumps.at(-1) ?? '')).toMatchObject({
    project: 'shop',
    updated_at: '2026-01-01T00:00:00.000Z',
    running: [{ task_id: 't7', intent: 'a [redacted]' }],
  });
  expect(dumps.length).toBeLessThan(52);
});

test('the project is called as the task file that was run last calls it', async () => {
  const dumps: string[] = [];
  const { stores, state } = kept((text) => dumps.push(text));
  const run = (id: string, at: string) => ({ ...runRecord(id), updatedAt: `2026-01-0${at}T00:00:00.000Z` });
  await stores.runs.put('r1', { ...run('r1', '2'), project: 'webshop' }, 0);
  await stores.runs.put('r2', { ...run('r2', '1'), project: 'older' }, 0);
  await stores.runs.put('r3', run('r3', '3'), 0);
  await stores.tasks.add(record('a'));
  await state.settled();
  expect(JSON.parse(dumps.at(-1) ?? '')).toMatchObject({ project: 'webshop' });
});

test('a dump that fails is reported and fails nothing', async () => {
  const { stores, state, failures } = kept(() => {
    throw new Error('no room');
  });
  await stores.tasks.add(record('a'));
  await state.settled();
  expect(failures).toEqual(['no room']);
  expect(await stores.tasks.list()).toHaveLength(1);
});

test('a project that asks for the dump has it in its folder; one that cannot be written is noted and in the journal', async () => {
  const root = temporaryFolder('state-dump');
  const notes: string[] = [];
  const project = (isDumped: boolean) => ({
    root,
    config: { project: 'shop', state: { dump: isDumped }, history: { size: 5, maxBlockers: 10 } },
    clock: { now: () => NOW },
    stamp: makeStamp((prefix) => `${prefix}_1`, { now: () => NOW }),
    redact: (text: string) => text,
    note: (text: string) => notes.push(text),
  });
  expect(sessionStateDump(project(false))).toBeUndefined();
  const stores = memoryStores();
  const dump = sessionStateDump(project(true))?.(stores) ?? expect.fail('no dump');
  const file = join(root, '.foreword/session-state.json');
  dump.changed();
  await dump.settled();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ project: 'shop' });
  rmSync(file);
  mkdirSync(file);
  dump.changed();
  await dump.settled();
  expect(notes).toEqual([expect.stringContaining('session-state.json was not written: ')]);
  expect(await stores.journal.read()).toMatchObject([{ value: { kind: 'state-dump-failed' } }]);
  rmSync(root, { recursive: true });
});
