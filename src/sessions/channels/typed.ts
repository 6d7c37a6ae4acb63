// Channel `typed`: one framed paste into the agent's composer, then the submit key by itself. Proof: `placed` when the
// composer shows the text, `submitted` when it emptied and a turn began. A body is written at most once; after that only
// the submit key is repeated, and only while the screen still shows our unsent text.

import { type DeliveryIn, type DeliveryRecord, isEnded } from '../../kernel/delivery.ts';
import { isAtLeast } from '../../kernel/receipt.ts';
import { channelOf, closeWindow, hasNextRung, nextRung } from '../delivery/ladder.ts';
import { end, enter, raise, submitted, timeOf } from '../delivery/record.ts';
import { type DeliveryRules, type DeliveryStep, type DeliveryView, moved, rests, waits } from '../delivery/step.ts';
import { againAfter, reasonNotAtRest, reasonNotToPress, reasonNotToType, waitingFor } from '../delivery/waiting.ts';
import type { ChannelRules } from './channel.ts';

/** The settings are those of an agent of one's own; the others have them. */
const UNSEEN =
  'the text was typed and did not show in the composer (composer.more and composer.placeholder of the agent say how it shows one)';
/** A written text that shows nowhere for this long is not waited for on this rung. */
const UNSEEN_MS = 30_000;
/** A text that was taken from the composer and proves itself by nothing further. */
const UNPROVEN_MS = 60_000;
const MOST_PRESSES = 10;
/** A submit key that comes later than this after its text is no part of one movement with it: the agent must be at rest. */
const AT_ONCE_MS = 2000;
/** Longer than the gap between two parts of one redraw; and how soon to look again at what may settle any moment. */
const SETTLED_MS = 100;
const AGAIN_MS = 110;

const evidence = {
  placed: () => 'the composer shows it',
  submitted: () => 'the composer emptied and a turn began',
};

/** It left the composer, and the model has not been given it: the turn before it runs. */
const QUEUED = 'queued by the agent';

export const typed = {
  placedBy: 'session',
  carriesText: true,
  worksLate: false,
  // A tool's output that names the id, such as a list of receipts, is not our text.
  isServedAs: (role: string) => role === 'user',
  evidence,
  isUsable: () => true,
  whenQueued,
  // Placed by another channel while this rung was in use.
  whenPlaced: (delivery) => rests(delivery),
} as const satisfies ChannelRules;

/** Nothing written yet. */
function whenQueued(delivery: DeliveryIn<'queued'>, view: DeliveryView, rules: DeliveryRules): DeliveryStep {
  if (view.unknownMs >= rules.readinessTimeoutMs && hasNextRung(delivery)) {
    const seconds = Math.round(view.unknownMs / 1000);
    return moved(nextRung(delivery, view.now, `no known screen for ${seconds} s`));
  }
  const reason = reasonNotToType(view, rules);
  if (reason !== undefined) return waits(delivery, reason, againAfter(reason));
  const early = timeOf(delivery.notBefore) - view.now;
  if (early > 0) return waits(delivery, 'agent-busy', early);
  if (view.restInMs > 0) return waits(delivery, reasonNotAtRest(view), view.restInMs);
  const opened: DeliveryRecord = {
    ...enter(delivery, view.now, { stage: 'typing' }),
    channel: 'typed',
    attempts: delivery.attempts + 1,
  };
  if (view.canType) return { delivery: { ...opened, placedOn: [...opened.placedOn, 'typed'] }, action: 'type' };
  const closed = { now: view.now, reason: 'the agent does not accept bracketed paste now' };
  return {
    delivery: closeWindow(opened, closed, rules),
    action: 'none',
    againMs: rules.retryBackoffs[0] ?? 1000,
  };
}

/** What is done with a body that was written and not yet submitted; `undefined` where there is none. One that
 *  shows after its rung was given up is still finished: it blocks the composer. */
export function whenWritten(
  delivery: DeliveryRecord,
  view: DeliveryView,
  rules: DeliveryRules,
): DeliveryStep | undefined {
  const isWritten = delivery.placedOn.includes('typed') && !isAtLeast(delivery.proof, 'submitted');
  if (!isWritten || !(view.isOursShown || channelOf(delivery) === 'typed')) return undefined;
  switch (delivery.stage) {
    case 'typing':
      // This process is not writing now: it finds out what became of the bytes as after a crash.
      return moved(enter(delivery, view.now, { stage: 'typed' }));
    case 'queued':
    case 'typed':
      return whenUnseen(delivery, view);
    case 'placed':
      return whenShown(delivery, view, rules);
    case 'submitting':
      return whenSubmitting(delivery, view, rules);
    case 'submitted':
    case 'ended':
      return rests(delivery);
  }
}

/** It was written, and the composer did not show it yet. */
function whenUnseen(delivery: DeliveryIn<'queued' | 'typed'>, view: DeliveryView): DeliveryStep {
  if (view.isOursShown) {
    const shown = enter(delivery, view.now, { stage: 'placed' });
    return moved(raise(shown, { proof: 'placed', channel: 'typed', evidence: evidence.placed() }));
  }
  // It was never seen in the composer, so that a turn began shows nothing about it.
  if (view.isIdShown && isTaken(view, delivery)) return moved(taken(delivery, view.now));
  const since = view.now - timeOf(delivery.stageAt);
  if (since < UNSEEN_MS) return rests(delivery, UNSEEN_MS - since);
  const reason = UNSEEN;
  return delivery.stage === 'typed' && hasNextRung(delivery)
    ? moved(nextRung(delivery, view.now, reason))
    : moved(end(delivery, view.now, { outcome: 'uncertain', reason }));
}

/** The composer showed our text: submit it, unless a person typed in between. */
function whenShown(delivery: DeliveryIn<'placed'>, view: DeliveryView, rules: DeliveryRules): DeliveryStep {
  if (!view.isOursShown) {
    if (isTaken(view, delivery)) return moved(taken(delivery, view.now, 'a person submitted it, and a turn began'));
    const reason = view.readiness.composer.kind === 'text' ? 'draft in composer' : waitingFor(view);
    return reason === undefined ? rests(delivery, AGAIN_MS) : waits(delivery, reason, AGAIN_MS);
  }
  const reason = reasonNotToPress(view, timeOf(delivery.stageAt));
  if (reason !== undefined) return waits(delivery, reason, 500);
  const since = view.now - timeOf(delivery.stageAt);
  if (since < rules.submitDelayMs) return rests(delivery, rules.submitDelayMs - since);
  if (since > AT_ONCE_MS && view.restInMs > 0) return waits(delivery, reasonNotAtRest(view), view.restInMs);
  return press(delivery, view.now, 1);
}

function whenSubmitting(delivery: DeliveryIn<'submitting'>, view: DeliveryView, rules: DeliveryRules): DeliveryStep {
  const since = view.now - timeOf(delivery.stageAt);
  if (!view.isOursShown) {
    if (isTaken(view, delivery)) return moved(taken(delivery, view.now));
    if (view.isQueued) return waits({ ...delivery, evidence: QUEUED }, QUEUED, 500);
    // Some agents hide the composer while they work: the end of the turn will show it. After a crash the screen comes first.
    if (since < UNPROVEN_MS || view.readiness.state === 'busy' || view.stableMs < rules.stableMs)
      return rests(delivery, AGAIN_MS);
    const reason = 'the composer emptied, and nothing shows that a turn began';
    return moved(end(delivery, view.now, { outcome: 'uncertain', reason }));
  }
  // Nobody else can use the composer while it holds our text, so the last pause is kept up for a while.
  const pause = rules.retryBackoffs[delivery.presses - 1] ?? rules.retryBackoffs.at(-1);
  if (pause === undefined || delivery.presses >= MOST_PRESSES) {
    if (since < UNPROVEN_MS) return rests(delivery, 1000);
    const reason = 'the agent did not take the submit key; the text is still in the composer';
    return moved(end(delivery, view.now, { outcome: 'uncertain', reason }));
  }
  if (since < pause) return rests(delivery, pause - since);
  const reason = reasonNotToPress(view, timeOf(delivery.stageAt));
  if (reason !== undefined) return waits(delivery, reason, 500);
  if (view.restInMs > 0) return waits(delivery, reasonNotAtRest(view), view.restInMs);
  return press(delivery, view.now, delivery.presses + 1);
}

function press(delivery: DeliveryRecord, now: number, presses: number): DeliveryStep {
  return { delivery: enter(delivery, now, { stage: 'submitting', presses }), action: 'press' };
}

/** The agent took the text: its composer is there and empty, not in the middle of a redraw, and a turn began. A composer
 *  that is hidden proves nothing: the text may still be in it. One that the agent queued has no turn yet. Where a person typed since, the turn may be theirs. */
function isTaken(view: DeliveryView, delivery: DeliveryRecord): boolean {
  const isPersons = view.personAt !== undefined && view.personAt >= timeOf(delivery.stageAt);
  const hasTurnBegun = view.isIdShown || (view.hasWorked && !isPersons);
  return hasTurnBegun && !view.isQueued && view.readiness.composer.kind === 'empty' && view.stableMs >= SETTLED_MS;
}

function taken(delivery: DeliveryRecord, now: number, seen = evidence.submitted()): DeliveryRecord {
  return submitted(delivery, now, { channel: 'typed', evidence: seen });
}

/** Between the first byte of a body and its submit key: a person's keys must not come in between. */
export function isBeingTyped(delivery: DeliveryRecord): boolean {
  if (isEnded(delivery) || channelOf(delivery) !== 'typed') return false;
  return delivery.stage === 'typing' || delivery.stage === 'typed' || delivery.stage === 'placed';
}
