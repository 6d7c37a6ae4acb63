// Changes of a delivery's record: each stage is entered here and nowhere else, so that a record never carries what
// belongs to another stage. A proof only goes up, and the one that is required ends the delivery.

import type { LaunchHook } from '../../kernel/agent.ts';
import {
  DEADLINE_MS,
  type DeliveryFacts,
  type DeliveryIn,
  type DeliveryRecord,
  type DeliveryStage,
  type DeliveryState,
  isEnded,
  requiredProofOf,
} from '../../kernel/delivery.ts';
import { isoTime, parseIsoTime } from '../../kernel/iso-time.ts';
import { type Channel, isAtLeast, type Outcome, type Proof } from '../../kernel/receipt.ts';

/** A record as a store may hold it: an older version wrote `presses: 0` in every stage. */
export type StoredDelivery = DeliveryFacts & { readonly stage: DeliveryStage } & Partial<OwnFields>;

interface OwnFields {
  readonly waiting: string;
  readonly notBefore: string;
  readonly hookFiresAt: LaunchHook['firesAt'];
  readonly presses: number;
  readonly outcome: Outcome;
}

/** Everything a stage had of its own is gone, and the new one has its own. */
export function enter(delivery: DeliveryRecord, now: number, state: DeliveryState): DeliveryRecord {
  return { ...factsOf(delivery), stageAt: isoTime(now), ...state };
}

/** What a store gave, as a record of its stage. Fields that nobody here knows stay: a later version may have added them. */
export function readStoredDelivery(stored: StoredDelivery): DeliveryRecord {
  return { ...factsOf(stored), ...stateOf(stored) };
}

function factsOf(delivery: StoredDelivery): DeliveryFacts {
  const { stage: _, waiting: _w, notBefore: _n, hookFiresAt: _h, presses: _p, outcome: _o, ...facts } = delivery;
  return facts;
}

function stateOf({ stage, waiting, notBefore, hookFiresAt, presses, outcome }: StoredDelivery): DeliveryState {
  const waits = waiting === undefined ? {} : { waiting };
  switch (stage) {
    case 'queued':
      return {
        stage,
        ...waits,
        ...(notBefore === undefined ? {} : { notBefore }),
        ...(hookFiresAt === undefined ? {} : { hookFiresAt }),
      };
    case 'typing':
    case 'typed':
      return { stage };
    case 'placed':
    case 'submitted':
      return { stage, ...waits };
    case 'submitting':
      return { stage, presses: presses ?? 1, ...waits };
    case 'ended':
      return { stage, outcome: outcome ?? 'failed' };
  }
}

/** The same stage with a better proof; the same record when it is no better. */
export function raise<Delivery extends DeliveryRecord>(
  delivery: Delivery,
  { proof, channel, evidence }: { readonly proof: Proof; readonly channel?: Channel; readonly evidence: string },
): Delivery {
  if (isAtLeast(delivery.proof, proof)) return delivery;
  return { ...delivery, proof, evidence, ...(channel === undefined ? {} : { channel }) };
}

/** The agent took it as input. */
export function submitted(
  delivery: DeliveryRecord,
  now: number,
  seen: { readonly channel: Channel; readonly evidence: string },
): DeliveryRecord {
  return settle(raise(enter(delivery, now, { stage: 'submitted' }), { proof: 'submitted', ...seen }), now);
}

/** A proof from elsewhere: a transcript, a hook, the screen. */
export function proved(
  delivery: DeliveryRecord,
  now: number,
  found: { readonly proof: Proof; readonly evidence: string; readonly channel?: Channel },
): DeliveryRecord {
  const raised = raise(delivery, {
    ...(delivery.channel === undefined ? {} : { channel: delivery.channel }),
    ...found,
  });
  if (raised === delivery) return delivery;
  const isFurther = isAtLeast(raised.proof, 'submitted') && !isEnded(raised);
  return settle(isFurther ? enter(raised, now, { stage: 'submitted' }) : raised, now);
}

/** Delivered once the required proof is there, also when it had been given up. */
function settle(delivery: DeliveryRecord, now: number): DeliveryRecord {
  const isDelivered = isEnded(delivery) && delivery.outcome === 'delivered';
  if (isDelivered || !isAtLeast(delivery.proof, requiredProofOf(delivery))) return delivery;
  const { reason: _, ...rest } = enter(delivery, now, { stage: 'ended', outcome: 'delivered' });
  return rest;
}

export function end(
  delivery: DeliveryRecord,
  now: number,
  { outcome, reason }: { readonly outcome: Exclude<Outcome, 'delivered'>; readonly reason: string },
): DeliveryRecord {
  return { ...enter(delivery, now, { stage: 'ended', outcome }), reason };
}

/** `uncertain` where the body was placed somewhere, `failed` where it never was. */
export function giveUp(delivery: DeliveryRecord, now: number, reason: string): DeliveryRecord {
  return end(delivery, now, { outcome: delivery.placedOn.length > 0 ? 'uncertain' : 'failed', reason });
}

/** Milliseconds of an ISO time. What cannot be read counts as 1970: long ago. */
export function timeOf(iso: string | undefined): number {
  return parseIsoTime(iso ?? '') ?? 0;
}

/** What somebody wants delivered. */
export interface NewDelivery
  extends Pick<
    DeliveryFacts,
    'id' | 'moment' | 'priority' | 'text' | 'ladder' | 'required' | 'requiredOn' | 'awaitsPrompt' | 'code'
  > {
  readonly deadlineMs?: number;
  /** The launch brings a hook that prints it; when the agent runs that hook. */
  readonly hookFiresAt?: LaunchHook['firesAt'];
}

export function acceptedDelivery(given: NewDelivery, session: string, now: number): DeliveryIn<'queued'> {
  const { deadlineMs = DEADLINE_MS[given.priority], ...rest } = given;
  return {
    ...rest,
    session,
    queuedAt: isoTime(now),
    deadline: isoTime(now + deadlineMs),
    proof: 'queued',
    attempts: 0,
    stage: 'queued',
    stageAt: isoTime(now),
    rung: 0,
    placedOn: [],
  };
}
