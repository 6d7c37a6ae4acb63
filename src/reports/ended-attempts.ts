// Attempts rebuilt from their events: how each began, its verdict, how it ended. Metrics and effect both count these, so
// that they never disagree.

import type { ForewordEvent } from '../kernel/events.ts';

export interface EndedAttempt {
  readonly task: string;
  readonly agent: string;
  readonly occasion: 'first' | 'switch' | 'retry';
  readonly hadHandover: boolean;
  readonly isHeldOut: boolean;
  /** `undecided`: nothing follows about the work, because no check decided it, the agent could not work, or the
   *  attempt was interrupted. None of these depends on a hand-over. */
  readonly outcome: 'succeeded' | 'failed' | 'undecided';
  /** ISO time of its end. */
  readonly at: string;
}

/** Attempts under way, by task. */
export type Underway = ReadonlyMap<string, Begun>;

interface Begun {
  readonly started: Extract<ForewordEvent, { kind: 'attempt-started' }>;
  readonly needsReview: boolean;
}

export const NOTHING_UNDERWAY: Underway = new Map();

/** `ended` is there when the event ends an attempt whose beginning was seen. */
export function followAttempts(
  underway: Underway,
  event: ForewordEvent,
): { readonly underway: Underway; readonly ended?: EndedAttempt } {
  if (event.kind === 'attempt-started') {
    return { underway: new Map(underway).set(event.task, { started: event, needsReview: false }) };
  }
  if (event.kind !== 'validation-finished' && event.kind !== 'attempt-finished') return { underway };
  const begun = underway.get(event.task);
  if (begun === undefined || begun.started.attempt !== event.attempt) return { underway };
  if (event.kind === 'validation-finished') {
    const needsReview = event.outcome === 'needs-review';
    return { underway: new Map(underway).set(event.task, { ...begun, needsReview }) };
  }
  const rest = new Map(underway);
  rest.delete(event.task);
  const { task, agent, occasion, handover, isHeldOut } = begun.started;
  const outcome = outcomeOf(event, begun.needsReview);
  return {
    underway: rest,
    ended: { task, agent, occasion, hadHandover: handover !== 'none', isHeldOut, outcome, at: event.at },
  };
}

function outcomeOf(
  finished: Extract<ForewordEvent, { kind: 'attempt-finished' }>,
  needsReview: boolean,
): EndedAttempt['outcome'] {
  if (finished.exitReason === 'circuit_breaker' || finished.exitReason === 'interrupted') return 'undecided';
  if (finished.status === 'failed') return 'failed';
  return needsReview ? 'undecided' : 'succeeded';
}
