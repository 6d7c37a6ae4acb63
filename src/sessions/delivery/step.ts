// What goes into one step of the delivery machine and what comes out of it. The machine is machine.ts beside this file.

import { type DeliveryIn, type DeliveryRecord, isEnded, type Placement } from '../../kernel/delivery.ts';
import type { Channel, Proof } from '../../kernel/receipt.ts';
import type { Readiness } from '../readiness.ts';

/** What a session sees at one moment, with regard to one delivery. */
export interface DeliveryView {
  readonly now: number;
  readonly readiness: Readiness;
  /** How long this verdict has held, on an unchanged composer. */
  readonly stableMs: number;
  /** How long until it may be typed into, if nothing changes (rest.ts); 0: now. */
  readonly restInMs: number;
  /** Only the rule for moving screens holds it up. */
  readonly isMoving: boolean;
  /** Something was given to the agent since its start, or it worked. */
  readonly hasBeenUsed: boolean;
  /** How long the agent has shown nothing that is known (starting, not recognised), from its launch on. */
  readonly unknownMs: number;
  /** The composer shows this delivery's text and nothing else. */
  readonly isOursShown: boolean;
  /** It is taller than the screen, which shows nothing but its end. */
  readonly isTall: boolean;
  /** The agent worked since our bytes went out. */
  readonly hasWorked: boolean;
  /** The agent worked at all since this host watches it. */
  readonly hasHadTurn: boolean;
  /** The delivery's id is on the screen outside of the composer: as something that was sent. */
  readonly isIdShown: boolean;
  /** The agent shows that a text which was submitted waits for the end of a turn. */
  readonly isQueued: boolean;
  /** Raw mode and framed pastes are on, and the agent itself has the terminal. */
  readonly canType: boolean;
  /** When a person last pressed a key here. */
  readonly personAt?: number;
  /** Why nothing may be typed whatever the screen shows: `paused`, `suspended`. */
  readonly held?: string;
  /** What a person can do where the screen may be misread. */
  readonly caution?: string;
}

export type DeliveryEvent =
  | { readonly kind: 'looked'; readonly view: DeliveryView }
  /** All bytes of the body were taken. */
  | { readonly kind: 'typed'; readonly now: number }
  /** It could not be written: `bytes` of it were. */
  | { readonly kind: 'type-failed'; readonly now: number; readonly bytes: number; readonly reason: string }
  | { readonly kind: 'pressed'; readonly now: number }
  /** A channel other than typing holds the body now: the file was replaced, the hook printed, the launch carried it. */
  | ({ readonly kind: 'placed'; readonly now: number; readonly channel: Channel } & Placement)
  /** A channel other than typing cannot be used or did not work. */
  | { readonly kind: 'refused'; readonly now: number; readonly channel: Channel; readonly reason: string }
  | {
      readonly kind: 'proved';
      readonly now: number;
      readonly proof: Proof;
      readonly evidence: string;
      readonly channel?: Channel;
    }
  /** What it says is out of date: nothing is written yet, and this text takes its place. */
  | { readonly kind: 'reworded'; readonly text: string }
  /** The turn that it began got no answer of the model. */
  | { readonly kind: 'unanswered'; readonly now: number; readonly reason: string }
  /** A new host found the record and does not know what its predecessor still did. */
  | { readonly kind: 'found-again'; readonly now: number }
  /** The agent ended. */
  | { readonly kind: 'gone'; readonly now: number };

/** What the session must do now. `type` and `press` are done only after the record was stored; `place` is done by the
 *  channel of the rung in use. */
export type DeliveryAction = 'none' | 'type' | 'press' | 'place';

export interface DeliveryStep {
  readonly delivery: DeliveryRecord;
  readonly action: DeliveryAction;
  /** Milliseconds after which to look again even if nothing happens. */
  readonly againMs?: number;
}

export interface DeliveryRules {
  readonly stableMs: number;
  readonly personMs: number;
  readonly submitDelayMs: number;
  readonly readinessTimeoutMs: number;
  readonly retryBackoffs: readonly number[];
  readonly fileFallbackAfterAttempts: number;
  readonly sendNotificationOnFailure: boolean;
}

/** The record moved on: look at it again at once, unless it is over. */
export function moved(delivery: DeliveryRecord): DeliveryStep {
  return { delivery, action: 'none', againMs: isEnded(delivery) ? 60_000 : 0 };
}

type Waiting = DeliveryIn<'queued' | 'placed' | 'submitting' | 'submitted'>;

/** It stays where it is and waits for `reason`; the record is the same where it waited for that already. */
export function waits(delivery: Waiting, reason: string, againMs?: number): DeliveryStep {
  const next = delivery.waiting === reason ? delivery : { ...delivery, waiting: reason };
  return { delivery: next, action: 'none', ...(againMs === undefined ? {} : { againMs }) };
}

/** It stays where it is, and nothing holds it up. */
export function rests(delivery: DeliveryRecord, againMs?: number): DeliveryStep {
  return { delivery: withoutWaiting(delivery), action: 'none', ...(againMs === undefined ? {} : { againMs }) };
}

export function withoutWaiting(delivery: DeliveryRecord): DeliveryRecord {
  if (!('waiting' in delivery)) return delivery;
  const { waiting: _, ...rest } = delivery;
  return rest;
}
