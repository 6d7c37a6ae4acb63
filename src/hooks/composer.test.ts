import { expect, test } from 'vitest';
import type { Header } from '../context/header.ts';
import { shownOf } from '../context/header-delta.ts';
import type { Stores } from '../kernel/stores.ts';
import { memoryStores } from '../stores/memory.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { type ComposerProject, changedHeader, startupText } from './composer.ts';

const HEADER: Header = {
  repo: { branch: 'main', head: '57507e3', recent_window: '180s' },
  pending: [],
  backlog: [{ id: 'fact-001', summary: 'Build src/factorial.py' }],
  hotspots: [],
  targets: [],
  policy: [],
  next_work: ['pick fact-001: Build src/factorial.py'],
  mode: 'propose',
};

/** Writes down what happens to it, in order. */
function project(openStores: () => Promise<Stores>) {
  const seen: string[] = [];
  const clock = manualClock();
  const real = memoryStores();
  const stores: Stores = { ...real, close: async () => void seen.push('store closed') };
  const opened: ComposerProject = {
    root: '/shop',
    clock,
    budgetChars: 6000,
    openStores,
    emptyStores: async () => memoryStores(),
    composeStartup: async (_, { budgetChars, unavailable }) => {
      seen.push(`startup of ${budgetChars}`);
      return { text: ['STARTUP', ...unavailable].join(' without '), header: HEADER };
    },
    composeHeader: async () => HEADER,
    renderHeader: (part) => Object.keys(part).join(' '),
    removeExpiredBlocks: () => void seen.push('blocks removed'),
    close: async () => void seen.push('closed'),
  };
  return { open: () => opened, stores, seen, clock };
}

const locked = async (): Promise<Stores> => {
  throw new Error('The store /shop/.foreword/foreword.db is locked.');
};

test('a startup text is composed from the store, within the smaller budget, and everything is closed', async () => {
  const one = project(async () => one.stores);
  expect(await startupText(one.open, 5000)).toEqual({ text: 'STARTUP', shown: shownOf(HEADER), faults: [] });
  expect(one.seen).toEqual(['blocks removed', 'startup of 5000', 'store closed', 'closed']);
  const other = project(async () => other.stores);
  await startupText(other.open, 7000);
  expect(other.seen).toContain('startup of 6000');
  expect(one.clock.pending + other.clock.pending).toBe(0);
});

test('without its store a startup text names what is missing, with paths from the root', async () => {
  const { open, clock } = project(locked);
  expect(await startupText(open, 5000)).toEqual({
    text: 'STARTUP without the store (The store .foreword/foreword.db is locked)',
    shown: shownOf(HEADER),
    faults: ['the store could not be read: The store .foreword/foreword.db is locked'],
  });
  expect(clock.pending).toBe(0);
});

test('a store that does not reply is given up after 500 ms, and closed should it reply later', async () => {
  let reply: (stores: Stores) => void = () => expect.fail('not asked');
  const opening = new Promise<Stores>((resolve) => {
    reply = resolve;
  });
  const one = project(() => opening);
  const composed = startupText(one.open, 5000);
  await one.clock.advance(499);
  expect(one.seen).toEqual(['blocks removed']);
  await one.clock.advance(1);
  expect(await composed).toMatchObject({ text: 'STARTUP without the store (no answer within 500 ms)' });
  reply(one.stores);
  await opening;
  await Promise.resolve();
  expect(one.seen).toContain('store closed');
  expect(one.clock.pending).toBe(0);
});

test('a prompt gets what changed in the header', async () => {
  const one = project(async () => one.stores);
  const all = await changedHeader(one.open, undefined, 1000);
  expect(all.text).toContain('next_work');
  const before = { ...shownOf(HEADER), mode: ['patch'] };
  expect(await changedHeader(one.open, before, 1000)).toEqual({ text: 'mode', shown: shownOf(HEADER), faults: [] });
  expect(await changedHeader(one.open, shownOf(HEADER), 1000)).toMatchObject({ text: '' });
});

test('without the store nothing counts as changed', async () => {
  const { open } = project(locked);
  const before = shownOf(HEADER);
  expect(await changedHeader(open, before, 1000)).toEqual({
    text: '',
    shown: before,
    faults: ['the store could not be read: The store .foreword/foreword.db is locked'],
  });
});

test('the project is closed when composing fails', async () => {
  const one = project(async () => one.stores);
  const opened = { ...one.open(), emptyStores: locked, openStores: locked };
  await expect(startupText(() => opened, 5000)).rejects.toThrow('is locked');
  expect(one.seen).toEqual(['blocks removed', 'closed']);
});
