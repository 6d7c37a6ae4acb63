import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DeliveryRecord } from '../../../kernel/delivery.ts';
import { temporaryFolder } from '../../../testing/fake-session.ts';
import { manualClock } from '../../../testing/manual-clock.ts';
import { readStoredDelivery, type StoredDelivery } from '../../delivery/record.ts';
import { writeBlock } from './managed-block-file.ts';
import { blockRemoval, removeBlocksOf, removeBlockWhenDone } from './remove-block.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

function delivery(part: Partial<StoredDelivery> = {}): DeliveryRecord {
  return readStoredDelivery({
    id: 'fw_1',
    session: 's1',
    moment: 'session-start',
    priority: 'startup',
    text: 'read this',
    queuedAt: '2026-01-01T11:50:00.000Z',
    deadline: '2026-01-01T12:00:00.000Z',
    proof: 'placed',
    attempts: 1,
    stage: 'placed',
    stageAt: '2026-01-01T11:51:00.000Z',
    ladder: ['file'],
    rung: 0,
    placedOn: ['file'],
    file: 'AGENTS.md',
    required: 'served',
    ...part,
  });
}

function session(now: number) {
  const removed: unknown[] = [];
  const listeners: ((one: DeliveryRecord) => void)[] = [];
  const removeBlocks = (...given: readonly unknown[]) => {
    removed.push(given);
    return [];
  };
  const onDelivery = (listener: (one: DeliveryRecord) => void) => {
    listeners.push(listener);
    return () => undefined;
  };
  const removal = { now: () => now, removeBlocks };
  removeBlockWhenDone({ onDelivery }, removal);
  return { removed, removal, change: (one: DeliveryRecord) => listeners[0]?.(one) };
}

test('a block is removed once the model was given it', () => {
  const { removed, change } = session(NOON - 1);
  change(delivery());
  change(delivery({ stage: 'submitted', proof: 'submitted' }));
  expect(removed).toEqual([]);
  change(delivery({ stage: 'ended', outcome: 'delivered', proof: 'served' }));
  expect(removed).toEqual([[{ id: 'fw_1' }, ['AGENTS.md']]]);
});

test('a block is removed when the model was given it before the delivery ended', () => {
  const { removed, change } = session(NOON - 1);
  change(delivery({ stage: 'queued', proof: 'served' }));
  expect(removed).toEqual([[{ id: 'fw_1' }, ['AGENTS.md']]]);
});

test('a block that nobody was seen to read stays until its deadline', () => {
  const ended = delivery({ stage: 'ended', outcome: 'uncertain' });
  const early = session(NOON - 1);
  early.change(ended);
  expect(early.removed).toEqual([]);
  const late = session(NOON);
  late.change(delivery());
  expect(late.removed).toEqual([]);
  late.change(ended);
  expect(late.removed).toHaveLength(1);
});

test('a delivery that is in no file removes nothing', () => {
  const { removed, change } = session(NOON);
  change(delivery({ placedOn: ['typed'], stage: 'ended', outcome: 'delivered', proof: 'served' }));
  expect(removed).toEqual([]);
});

test('at the end of a session all of its blocks go, also where the file is not known', () => {
  const { removed, removal } = session(NOON);
  const { file: _, ...elsewhere } = delivery({ id: 'fw_2' });
  removeBlocksOf([delivery(), elsewhere as DeliveryRecord, delivery({ id: 'fw_3', placedOn: [] })], removal);
  expect(removed).toEqual([
    [{ id: 'fw_1' }, ['AGENTS.md']],
    [{ id: 'fw_2' }, undefined],
  ]);
});

test('removing a block leaves the file as it was, and the block of another delivery where it is', () => {
  const root = temporaryFolder();
  const removal = blockRemoval({ root, clock: manualClock(NOON) });
  const path = join(root, 'AGENTS.md');
  writeFileSync(path, '# Rules\n');
  const block = { id: 'fw_1', body: 'hello', expiresAt: '2026-01-01T12:00:00.000Z' };
  expect(writeBlock(root, 'AGENTS.md', block).kind).toBe('written');
  removeBlocksOf([delivery({ id: 'fw_2' }), delivery({ placedOn: ['typed'] })], removal);
  expect(readFileSync(path, 'utf8')).toContain('hello');
  removeBlocksOf([delivery()], removal);
  expect(readFileSync(path, 'utf8')).toBe('# Rules\n');
});
