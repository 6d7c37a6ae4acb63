// What follows from a changed record: the events that are emitted, and the receipt of one that ended.

import { type DeliveryIn, type DeliveryRecord, isEnded, outcomeOf } from '../../kernel/delivery.ts';
import type { NewEvent } from '../../kernel/events.ts';
import { isAtLeast, type Receipt } from '../../kernel/receipt.ts';
import { withInjectionEvents } from './injection-events.ts';
import { channelOf } from './ladder.ts';

/** In the order in which they happened. `afterMs`: since it was accepted. */
export function eventsOf(
  before: DeliveryRecord,
  next: DeliveryRecord,
  { agent, afterMs }: { readonly agent: string; readonly afterMs: number },
): readonly NewEvent[] {
  const whose = { delivery: next.id, session: next.session, agent };
  const channel = next.channel === undefined ? {} : { channel: next.channel };
  const events: NewEvent[] = [];
  if (next.attempts > before.attempts && next.channel !== undefined) {
    const { attempts: attempt, priority } = next;
    events.push({ kind: 'delivery-attempted', ...whose, attempt, channel: next.channel, priority });
  }
  const to = channelOf(next);
  if (next.rung > before.rung && to !== undefined)
    events.push({ kind: 'delivery-escalated', ...whose, to, reason: next.reason ?? '' });
  if (next.proof !== before.proof && isAtLeast(next.proof, before.proof)) {
    const { proof, evidence = '' } = next;
    events.push({ kind: 'delivery-proved', ...whose, proof, ...channel, evidence, afterMs });
  }
  if (isEnded(next) && next.outcome !== outcomeOf(before)) {
    const { moment, outcome, proof, attempts } = next;
    const reason = next.reason === undefined ? {} : { reason: next.reason };
    const ended = { moment, outcome, proof, ...channel, ...reason, attempts, durationMs: afterMs };
    events.push({ kind: 'delivery-ended', ...whose, ...ended });
  }
  return withInjectionEvents(events);
}

/** Whether this change is an end that has no receipt yet: it ended, or a late proof changed how. */
export function isNewEnd(before: DeliveryRecord, next: DeliveryRecord): next is DeliveryIn<'ended'> {
  return isEnded(next) && (next.outcome !== outcomeOf(before) || next.proof !== before.proof);
}

export function receiptOf(
  ended: DeliveryIn<'ended'>,
  { id, at, durationMs }: Pick<Receipt, 'id' | 'at' | 'durationMs'>,
): Receipt {
  const { moment, proof, outcome, reason, evidence, attempts } = ended;
  return {
    id,
    delivery: ended.id,
    session: ended.session,
    moment,
    channel: ended.channel ?? channelOf(ended) ?? ended.ladder.at(-1) ?? 'notice',
    proof,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(evidence === undefined ? {} : { evidence }),
    at,
    attempts,
    durationMs,
  };
}
