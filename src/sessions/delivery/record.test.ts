import { describe, expect, it } from 'vitest';
import { type DeliveryRecord, outcomeOf } from '../../kernel/delivery.ts';
import { advance } from './machine.ts';
import { acceptedDelivery } from './record.ts';
import type { DeliveryRules } from './step.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const RULES: DeliveryRules = {
  stableMs: 300,
  personMs: 3000,
  submitDelayMs: 100,
  readinessTimeoutMs: 30_000,
  retryBackoffs: [1000, 2000],
  fileFallbackAfterAttempts: 3,
  sendNotificationOnFailure: true,
};

describe('the proof that is required', () => {
  const byHook: DeliveryRecord = acceptedDelivery(
    {
      id: 'fw_abcd',
      moment: 'session-start',
      priority: 'startup',
      text: 'read this',
      ladder: ['hook', 'typed'],
      required: 'served',
      requiredOn: { hook: 'submitted' },
    },
    's1',
    NOW,
  );
  const proved = (record: DeliveryRecord, proof: 'submitted' | 'served') =>
    advance(record, { kind: 'proved', now: NOW, proof, evidence: 'seen' }, RULES).delivery;

  it('is less on a channel that can prove less, and only there', () => {
    const placed = advance(byHook, { kind: 'placed', now: NOW, channel: 'hook', evidence: 'printed' }, RULES).delivery;
    expect(placed).toMatchObject({ stage: 'placed', channel: 'hook' });
    expect(outcomeOf(placed)).toBeUndefined();
    expect(proved(placed, 'submitted')).toMatchObject({ proof: 'submitted', outcome: 'delivered', channel: 'hook' });
    const refused = advance(byHook, { kind: 'refused', now: NOW, channel: 'hook', reason: 'did not run' }, RULES);
    const byTyping = { ...refused.delivery, placedOn: ['typed'], channel: 'typed' } as const;
    expect(outcomeOf(proved(byTyping, 'submitted'))).toBeUndefined();
    expect(proved(byTyping, 'served')).toMatchObject({ outcome: 'delivered' });
  });
});
