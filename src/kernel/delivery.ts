// Delivery: the life of one text to one session. The record survives the host's death; what may be done next is decided by
// sessions/delivery/machine.ts from the record and what the session sees.

import type { LaunchHook } from './agent.ts';
import type { Channel, Moment, Outcome, Proof } from './receipt.ts';

export const PRIORITIES = ['startup', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What every stage has. More than 12 members, because this is the stored record: one row per delivery, whatever its stage. */
export interface DeliveryFacts {
  readonly id: string;
  readonly session: string;
  readonly moment: Moment;
  readonly priority: Priority;
  /** The body as it was accepted; context/texts/delivery-text.ts adds the id and the request to acknowledge. */
  readonly text: string;
  /** ISO time it was accepted. */
  readonly queuedAt: string;
  /** ISO time after which it is given up. */
  readonly deadline: string;
  readonly proof: Proof;
  /** What the proof rests on. */
  readonly evidence?: string;
  /** The channel the proof is about, or the one in use. */
  readonly channel?: Channel;
  /** Windows that opened for it: places where it could be typed, whatever came of them. */
  readonly attempts: number;
  /** ISO time the stage was entered. */
  readonly stageAt: string;
  /** The channels that may be used, best first; `rung` is the index of the one in use. */
  readonly ladder: readonly Channel[];
  readonly rung: number;
  /** Channels that hold the body: each at most once. */
  readonly placedOn: readonly Channel[];
  /** The instruction file that has its block, from the root of the project. */
  readonly file?: string;
  /** The proof without which it is not called delivered. */
  readonly required: Proof;
  /** The same for channels that can prove less. */
  readonly requiredOn?: Readonly<Partial<Record<Channel, Proof>>>;
  /** The reply code, whole; it never stands in `text`. */
  readonly code?: string;
  /** Why the last window or rung failed; of an ended delivery, why it is not delivered. */
  readonly reason?: string;
}

/** Why it waits, as a person reads it; absent when it does not. */
export interface Waits {
  readonly waiting?: string;
}

/** What one stage has of its own. sessions/delivery/machine.ts describes the stages. */
export type DeliveryState =
  | ({
      readonly stage: 'queued';
      /** ISO time before which no window is used: the pause after one that failed. */
      readonly notBefore?: string;
      /** The launch carries a hook that will print it; when the agent runs that hook. */
      readonly hookFiresAt?: LaunchHook['firesAt'];
    } & Waits)
  | { readonly stage: 'typing' }
  | { readonly stage: 'typed' }
  | ({ readonly stage: 'placed' } & Waits)
  /** `presses`: how often the submit key was sent. */
  | ({ readonly stage: 'submitting'; readonly presses: number } & Waits)
  | { readonly stage: 'submitted' }
  | { readonly stage: 'ended'; readonly outcome: Outcome };

export type DeliveryStage = DeliveryState['stage'];
export type DeliveryRecord = DeliveryFacts & DeliveryState;
export type DeliveryIn<Stage extends DeliveryStage> = Extract<DeliveryRecord, { readonly stage: Stage }>;

/** What shows that a channel holds the body. */
export interface Placement {
  readonly evidence: string;
  /** The instruction file that has it in a block. */
  readonly file?: string;
}

/** Time a delivery has, from the moment it is accepted. */
export const DEADLINE_MS: Readonly<Record<Priority, number>> = {
  startup: 10 * 60_000,
  normal: 30 * 60_000,
  low: 2 * 60 * 60_000,
};

export function isEnded(delivery: DeliveryRecord): delivery is DeliveryIn<'ended'> {
  return delivery.stage === 'ended';
}

/** `undefined` while it is under way. */
export function outcomeOf(delivery: DeliveryRecord): Outcome | undefined {
  return isEnded(delivery) ? delivery.outcome : undefined;
}

/** What it waits for; `undefined` when it does not wait. */
export function waitingReasonOf(delivery: DeliveryRecord): string | undefined {
  return 'waiting' in delivery ? delivery.waiting : undefined;
}

/** The proof that makes it delivered, by the channel that it came. */
export function requiredProofOf({ channel, required, requiredOn }: DeliveryFacts): Proof {
  return (channel === undefined ? undefined : requiredOn?.[channel]) ?? required;
}
