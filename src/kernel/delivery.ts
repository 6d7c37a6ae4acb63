// Delivery: the life of one text to one session. The record survives the wrapper's death; what may be done next is
// decided by sessions/delivery-machine.ts from the record and what is seen.

import type { Channel, Moment, Outcome, Proof } from './receipt.ts';

export const PRIORITIES = ['startup', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** `typing` is stored before the first byte is written and `submitting` before a submit key, so that after a crash
 *  nothing is ever written twice. */
export type Stage = 'queued' | 'typing' | 'typed' | 'placed' | 'submitting' | 'submitted' | 'ended';

export interface DeliveryRecord {
  readonly id: string;
  readonly session: string;
  readonly moment: Moment;
  readonly priority: Priority;
  /** What is placed: the id's line and, where it was asked for, the request to acknowledge included. */
  readonly text: string;
  /** ISO time it was accepted. */
  readonly queuedAt: string;
  /** ISO time after which it is given up. */
  readonly deadline: string;
  readonly proof: Proof;
  /** The channel the proof is about, or the one in use. */
  readonly channel?: Channel;
  /** Windows that opened for it: places where it could be typed, whatever came of them. */
  readonly attempts: number;
  /** Why it waits, in the words a person reads; absent when it does not. */
  readonly waiting?: string;

  readonly stage: Stage;
  /** ISO time the stage was entered. */
  readonly stageAt: string;
  /** The ways in that may be used, best first; `rung` is the one in use. */
  readonly ladder: readonly Channel[];
  readonly rung: number;
  /** Channels that hold the body: each at most once. */
  readonly placedOn: readonly Channel[];
  /** The instruction file that was given its block, from the root of the project. */
  readonly file?: string;
  readonly presses: number;
  /** ISO time before which no window is used: the pause after one that failed. */
  readonly notBefore?: string;
  /** The proof without which it is not called delivered. */
  readonly required: Proof;
  /** The same for ways in that can prove less. */
  readonly requiredOn?: Readonly<Partial<Record<Channel, Proof>>>;
  /** The reply code, whole; it never stands in `text`. */
  readonly code?: string;
  readonly outcome?: Outcome;
  readonly reason?: string;
  readonly evidence?: string;
}

/** What shows that a channel holds the body. */
export interface PlacedThere {
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

export function isEnded(delivery: DeliveryRecord): boolean {
  return delivery.stage === 'ended';
}

/** The proof that makes it delivered, by the way in that it came. */
export function requiredProofOf({ channel, required, requiredOn }: DeliveryRecord): Proof {
  return (channel === undefined ? undefined : requiredOn?.[channel]) ?? required;
}

/** Startup before normal before low; first come, first served within one. The list is in the order of arrival. Only
 *  what is to be written now stands in line: what waits for a hook or a proof does not hold others up. */
export function nextInLine(waiting: readonly DeliveryRecord[]): DeliveryRecord | undefined {
  const acting = waiting.filter((one) => ACTING.includes(one.ladder[one.rung] ?? 'notice'));
  // What was begun is finished first: two half-written texts would mix.
  const begun = acting.find((one) => BEGUN.includes(one.stage) && one.ladder[one.rung] === 'typed');
  if (begun !== undefined) return begun;
  const queued = acting.filter((one) => one.stage === 'queued');
  return PRIORITIES.flatMap((priority) => queued.filter((one) => one.priority === priority))[0];
}

const ACTING: readonly Channel[] = ['typed', 'file', 'notice'];
const BEGUN: readonly Stage[] = ['typing', 'typed', 'placed', 'submitting'];
