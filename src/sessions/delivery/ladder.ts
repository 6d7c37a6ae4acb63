// The ladder of a delivery: which channel is in use, and when the next one is. It never goes back down: an agent that is
// sent the same text again and again starts to treat it as noise.

import { type DeliveryIn, type DeliveryRecord, requiredProofOf, waitingReasonOf } from '../../kernel/delivery.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import type { Channel } from '../../kernel/receipt.ts';
import { end, enter, giveUp } from './record.ts';
import type { DeliveryRules } from './step.ts';

/** The channel in use; `undefined` for a ladder without rungs. */
export function channelOf({ ladder, rung }: DeliveryRecord): Channel | undefined {
  return ladder[rung];
}

export function hasNextRung({ ladder, rung }: DeliveryRecord): boolean {
  return rung + 1 < ladder.length;
}

/** Queued for the next channel, or given up where there is none. */
export function nextRung(delivery: DeliveryRecord, now: number, reason: string): DeliveryRecord {
  const rung = delivery.rung + 1;
  const channel = delivery.ladder[rung];
  if (channel === undefined) return giveUp(delivery, now, reason);
  return { ...enter(delivery, now, { stage: 'queued' }), rung, channel, reason };
}

/** A window opened and nothing was written: pause, and after the configured number of them use the next channel. */
export function closeWindow(
  delivery: DeliveryRecord,
  { now, reason }: { readonly now: number; readonly reason: string },
  rules: DeliveryRules,
): DeliveryRecord {
  const { retryBackoffs } = rules;
  const pause = retryBackoffs[Math.min(delivery.attempts, retryBackoffs.length) - 1] ?? 0;
  const back: DeliveryRecord = {
    ...enter(delivery, now, { stage: 'queued', notBefore: isoTime(now + pause) }),
    placedOn: delivery.placedOn.filter((channel) => channel !== 'typed'),
    reason,
  };
  const isEnough = delivery.attempts >= rules.fileFallbackAfterAttempts;
  return isEnough && hasNextRung(delivery) ? nextRung(back, now, reason) : back;
}

/** Its deadline passed. What was never placed goes to a channel that needs no window, where there is one. */
export function overdue(delivery: Exclude<DeliveryRecord, DeliveryIn<'ended'>>, now: number): DeliveryRecord {
  const why = waitingReasonOf(delivery) ?? delivery.reason;
  const late = `the deadline passed${why === undefined ? '' : `: ${why}`}`;
  if (delivery.stage === 'queued' && hasNextRung(delivery)) return nextRung(delivery, now, late);
  if (delivery.placedOn.length === 0) return end(delivery, now, { outcome: 'failed', reason: late });
  const missing = `placed, and no ${requiredProofOf(delivery)} proof by the deadline`;
  const reason = delivery.stage === 'submitted' && why !== undefined ? `${missing}: ${why}` : missing;
  return end(delivery, now, { outcome: 'uncertain', reason });
}
