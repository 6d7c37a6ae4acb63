// Delivery: the life of one text to one session. The record survives the host's death; sessions/delivery/machine.ts decides
// the next step from the record and what the session sees.

import type { LaunchHook } from './agent.ts';
import type { Channel, Moment, Outcome, Proof } from './receipt.ts';

export const PRIORITIES = ['startup', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The fields of every stage. More than 12 members, because this is the stored record: one row per delivery, whatever its
 *  stage. */
export interface DeliveryFacts {
  readonly id: string;
  readonly session: string;
  readonly moment: Moment;
  readonly priority: Priority;
  /** The accepted body; context/texts/delivery-text.ts adds the id and the request to acknowledge. */
  readonly text: string;
  /** ISO time it was accepted. */
  readonly queuedAt: string;
  /** ISO time after which foreword gives up. */
  readonly deadline: string;
  readonly proof: Proof;
  /** The evidence for the proof. */
  readonly evidence?: string;
  /** The channel the proof is about, or the one in use. */
  readonly channel?: Channel;
  /** How often there was a chance to type it, whatever the result. */
  readonly attempts: number;
  /** ISO time the stage was entered. */
  readonly stageAt: string;
  /** The channels that may be used, best first; `rung` is the index of the one in use. */
  readonly ladder: readonly Channel[];
  readonly rung: number;
  /** Channels that hold the body; each at most once. */
  readonly placedOn: readonly Channel[];
  /** The instruction file that has its block, from the root of the project. */
  readonly file?: string;
  /** The proof that makes it count as delivered. */
  readonly required: Proof;
  /** The same for channels that can prove less. */
  readonly requiredOn?: Readonly<Partial<Record<Channel, Proof>>>;
  /** The launch put it into the conversation: it goes to the model with the person's first prompt, whenever that is. */
  readonly awaitsPrompt?: boolean;
  /** The whole reply code; `text` never contains it. */
  readonly code?: string;
  /** Why the last attempt or channel failed; for an ended delivery, why it is not delivered. */
  readonly reason?: string;
}

/** Why it waits, for a person; absent when it does not wait. */
export interface Waits {
  readonly waiting?: string;
}

/** The fields of each single stage. sessions/delivery/machine.ts describes the stages. */
export type DeliveryState =
  | ({
      readonly stage: 'queued';
      /** ISO time before which nothing is typed: the pause after a failed attempt. */
      readonly notBefore?: string;
      /** The launch carries a hook that will print it; when the agent runs that hook. */
      readonly hookFiresAt?: LaunchHook['firesAt'];
    } & Waits)
  | { readonly stage: 'typing' }
  | { readonly stage: 'typed' }
  | ({ readonly stage: 'placed' } & Waits)
  /** `presses`: how often the submit key was sent. */
  | ({ readonly stage: 'submitting'; readonly presses: number } & Waits)
  /** It waits for an answer of the model, and the last turn got none. */
  | ({ readonly stage: 'submitted' } & Waits)
  | { readonly stage: 'ended'; readonly outcome: Outcome };

export type DeliveryStage = DeliveryState['stage'];
export type DeliveryRecord = DeliveryFacts & DeliveryState;
export type DeliveryIn<Stage extends DeliveryStage> = Extract<DeliveryRecord, { readonly stage: Stage }>;

/** The evidence that a channel holds the body. */
export interface Placement {
  readonly evidence: string;
  /** The instruction file that has it in a block. */
  readonly file?: string;
}

/** The time limit of a delivery, from the moment it is accepted. */
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

/** Why it waits; `undefined` when it does not wait. */
export function waitingReasonOf(delivery: DeliveryRecord): string | undefined {
  return 'waiting' in delivery ? delivery.waiting : undefined;
}

/** The proof that makes it count as delivered on its channel. */
export function requiredProofOf({ channel, required, requiredOn }: DeliveryFacts): Proof {
  return (channel === undefined ? undefined : requiredOn?.[channel]) ?? required;
}
