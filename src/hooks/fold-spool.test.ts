import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { memoryStores } from '../stores/memory.ts';
import { foldSpool } from './fold-spool.ts';
import { appendSpool, hasSpool, type SpoolEntry } from './spool.ts';

let stateFolder: string;
beforeEach(() => {
  stateFolder = temporaryFolder('fold-spool');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(stateFolder, { recursive: true, force: true });
});

const root = '/no/such/project';
const entry = (id: string): SpoolEntry => ({
  id,
  at: '2026-11-15T12:00:00.000Z',
  kind: 'context-served',
  agent: 'claude',
  session: 's',
  context: 'fw_1',
});

test('each entry of the spool is in the journal once, however often it was written', async () => {
  const { journal } = memoryStores();
  await journal.append(entry('a'));
  for (const id of ['a', 'b', 'b', 'c']) appendSpool(stateFolder, root, entry(id));
  await foldSpool({ stateFolder, root }, async () => journal);
  expect((await journal.read()).map(({ value }) => value.id)).toEqual(['a', 'b', 'c']);
  expect(hasSpool(stateFolder, root)).toBe(false);
});

test('without entries no store is opened', async () => {
  await foldSpool({ stateFolder, root }, () => expect.fail('opened'));
});

test('entries that could not be added are added by a command a minute later', async () => {
  appendSpool(stateFolder, root, entry('a'));
  await foldSpool({ stateFolder, root }, () => Promise.reject(new Error('the disk is full')));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  const { journal } = memoryStores();
  await foldSpool({ stateFolder, root }, async () => journal);
  expect((await journal.read()).map(({ value }) => value.id)).toEqual(['a']);
});
