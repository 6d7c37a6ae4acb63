import { describe, expect, it } from 'vitest';
import type { DeliveryRecord } from '../../kernel/delivery.ts';
import { leastImportant, nextInLine, waitingBehind } from './line.ts';
import { readStoredDelivery, type StoredDelivery } from './record.ts';

const AT = '2026-03-01T12:00:00.000Z';
const READY = { state: 'ready', evidence: '> ', composer: { kind: 'empty' } } as const;
const BUSY = { state: 'busy', evidence: 'Working', composer: { kind: 'empty' } } as const;

function delivery(part: Partial<StoredDelivery> = {}): DeliveryRecord {
  return readStoredDelivery({
    id: 'fw_abcd',
    session: 's1',
    moment: 'session-start',
    priority: 'startup',
    text: 'read this',
    queuedAt: AT,
    deadline: AT,
    proof: 'queued',
    attempts: 0,
    stage: 'queued',
    stageAt: AT,
    ladder: ['typed', 'file', 'notice'],
    rung: 0,
    placedOn: [],
    required: 'served',
    ...part,
  });
}

describe('the line', () => {
  it('has startup before normal before low, first come first served, and finishes what was begun', () => {
    const low = delivery({ id: 'l', priority: 'low' });
    const normal = delivery({ id: 'n1', priority: 'normal' });
    const later = delivery({ id: 'n2', priority: 'normal' });
    const startup = delivery({ id: 's' });
    expect(nextInLine([low, normal, later, startup])?.id).toBe('s');
    expect(nextInLine([low, later, normal])?.id).toBe('n2');
    expect(nextInLine([startup, delivery({ stage: 'placed', id: 'b', priority: 'low' })])?.id).toBe('b');
    expect(nextInLine([delivery({ id: 'h', ladder: ['hook', 'typed'] }), low])?.id).toBe('l');
    expect(nextInLine([delivery({ stage: 'submitted' })])).toBeUndefined();
  });

  it('lets those behind wait for what the first one waits for, and leaves alone what waits for a hook', () => {
    const first = delivery({ id: 'a', waiting: 'draft in composer' });
    const second = delivery({ id: 'b' });
    expect(waitingBehind(second, first, READY)).toEqual({ ...second, waiting: 'draft in composer' });
    expect(waitingBehind(second, delivery({ id: 'a' }), BUSY)).toEqual({ ...second, waiting: 'agent-busy' });
    expect(waitingBehind(second, delivery({ id: 'a' }), READY)).toBe(second);
    expect(waitingBehind(first, first, READY)).toBeUndefined();
    expect(waitingBehind(delivery({ id: 'h', ladder: ['hook', 'typed'] }), first, READY)).toBeUndefined();
    expect(waitingBehind(delivery({ id: 's', stage: 'submitted' }), first, READY)).toBeUndefined();
  });

  it('makes room by the newest of the lowest priority that is not begun', () => {
    const low = delivery({ id: 'l', priority: 'low' });
    const begun = delivery({ id: 'b', priority: 'low', stage: 'typed' });
    const newer = delivery({ id: 'n', priority: 'low', queuedAt: '2026-03-01T12:00:05.000Z' });
    expect(leastImportant([low, begun, newer], 'normal')).toBe(newer);
    expect(leastImportant([low, begun, newer], 'low')).toBeUndefined();
  });
});
