import { expect, test } from 'vitest';
import type { ForewordEvent } from '../kernel/events.ts';
import type { Receipt } from '../kernel/receipt.ts';
import type { Stores } from '../kernel/stores.ts';
import { memoryStores } from '../stores/memory.ts';
import { openReader } from './reader.ts';

const AT = '2026-11-15T12:00:00.000Z';
const ended = (id: string, reason = 'exit'): ForewordEvent => ({
  id,
  at: AT,
  kind: 'agent-session-ended',
  agent: 'claude',
  session: 's1',
  reason,
});
const receipt = (id: string, evidence: string): Receipt => ({
  id,
  delivery: 'hunter2',
  session: 'hunter2',
  moment: 'prompt',
  channel: 'typed',
  proof: 'served',
  outcome: 'delivered',
  attempts: 1,
  durationMs: 5,
  at: AT,
  evidence,
});

function field() {
  const state = { identity: 'one', opened: 0, closed: 0, isBroken: false, spooled: [] as readonly ForewordEvent[] };
  let real = memoryStores();
  const open = async (): Promise<Stores> => {
    state.opened += 1;
    const journal = { ...real.journal, last: (count: number) => broken() ?? real.journal.last(count) };
    const close = async () => {
      state.closed += 1;
    };
    return { ...real, journal, close };
  };
  const broken = () => (state.isBroken ? Promise.reject(new Error('gone')) : undefined);
  const reader = openReader({
    identity: () => state.identity,
    open,
    spooled: () => state.spooled,
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
  });
  return {
    state,
    reader,
    stores: () => real,
    renew: () => {
      real = memoryStores();
    },
  };
}

test('the same arrays are returned as long as nothing is new, and only then', async () => {
  const { reader, stores } = field();
  await stores().journal.append(ended('e1'));
  const first = await reader.read();
  const second = await reader.read();
  expect(first.events.map(({ id }) => id)).toEqual(['e1']);
  expect(second.events).toBe(first.events);
  expect(second.receipts).toBe(first.receipts);
  await stores().journal.append(ended('e2'));
  expect((await reader.read()).events.map(({ id }) => id)).toEqual(['e1', 'e2']);
});

test('secrets are taken out, ids stay, and prompts are left out', async () => {
  const { reader, stores } = field();
  await stores().journal.append(ended('e1', 'hunter2'));
  const prompt = { kind: 'prompt-composed', task: 't', attempt: 1, original: 'long', handover: 'longer' };
  await stores().journal.append({ ...prompt, id: 'e2', at: AT } as ForewordEvent);
  await stores().receipts.append(receipt('r1', 'saw hunter2'));
  const { events, receipts } = await reader.read();
  expect(events[0]).toMatchObject({ reason: '[redacted]' });
  expect(events[1]).toMatchObject({ original: '', handover: '' });
  expect(receipts).toEqual([receipt('r1', 'saw [redacted]')]);
});

test('events of hooks are shown before a command imports them, and once', async () => {
  const { reader, stores, state } = field();
  await stores().journal.append(ended('e1'));
  state.spooled = [ended('e1'), ended('e2', 'hunter2'), ended('e2', 'hunter2')];
  const { events } = await reader.read();
  expect(events).toEqual([ended('e1'), ended('e2', '[redacted]')]);
  expect((await reader.read()).events).toBe(events);
  await stores().journal.append(ended('e2'));
  expect((await reader.read()).events).toEqual([ended('e1'), ended('e2')]);
});

test('another store in its place is read from its beginning', async () => {
  const { reader, stores, state, renew } = field();
  await stores().journal.append(ended('e1'));
  await reader.read();
  renew();
  await stores().journal.append(ended('e2'));
  state.identity = 'two';
  expect((await reader.read()).events.map(({ id }) => id)).toEqual(['e2']);
  expect([state.opened, state.closed]).toEqual([2, 1]);
});

test('a store that lost its entries is read from its beginning', async () => {
  const { reader, stores } = field();
  for (const id of ['e1', 'e2']) await stores().journal.append(ended(id));
  const opened = (await reader.read()).stores;
  const short = memoryStores();
  await short.journal.append(ended('e3'));
  Object.assign(opened.journal, { last: short.journal.last, read: short.journal.read });
  expect((await reader.read()).events.map(({ id }) => id)).toEqual(['e3']);
});

test('a store that fails is closed and opened again by the next reading', async () => {
  const { reader, state } = field();
  state.isBroken = true;
  await expect(reader.read()).rejects.toThrow('gone');
  expect([state.opened, state.closed]).toEqual([1, 1]);
  state.isBroken = false;
  await reader.read();
  await reader.close();
  expect([state.opened, state.closed]).toEqual([2, 2]);
});

test('readings at the same time are one', async () => {
  const { reader, state } = field();
  const [one, other] = await Promise.all([reader.read(), reader.read()]);
  expect(one).toBe(other);
  expect(state.opened).toBe(1);
});
