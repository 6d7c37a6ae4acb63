// The delivery machine: what is done next with one text, and when it is over. Pure: the same record and the same sight
// give the same step. Invariants: a body is written at most once per rung; after that only the submit key is repeated,
// and only while the screen still shows our unsent text; nothing is written into a dialog, a draft or a busy agent; an
// ended delivery stays ended, though a late proof still counts.

import { type DeliveryRecord, isEnded, type PlacedThere, requiredProofOf, type Stage } from '../kernel/delivery.ts';
import { isoTime, parseIsoTime } from '../kernel/iso-time.ts';
import { type Channel, isAtLeast, type Outcome, type Proof } from '../kernel/receipt.ts';
import type { Readiness } from './readiness.ts';

/** What a session sees at one moment, with regard to one delivery. */
export interface Sight {
  readonly now: number;
  readonly readiness: Readiness;
  /** How long this verdict has held, on an unchanged composer. */
  readonly stableMs: number;
  /** How long the agent has shown nothing that is known (starting, not recognised), from its launch on. */
  readonly unknownMs: number;
  /** The composer shows this delivery's text and nothing else. */
  readonly isOursShown: boolean;
  /** The agent worked since our bytes went out. */
  readonly hasWorked: boolean;
  /** The delivery's id stands on the screen outside of the composer: as something that was sent. */
  readonly isIdShown: boolean;
  /** Raw mode and framed pastes are on, and the agent itself has the terminal. */
  readonly canType: boolean;
  /** When a person last pressed a key here. */
  readonly personAt?: number;
  /** Why nothing may be typed whatever the screen says: `paused`, `breaker open`. */
  readonly held?: string;
}

export type Input =
  | { readonly kind: 'looked'; readonly sight: Sight }
  /** All bytes of the body were taken. */
  | { readonly kind: 'typed'; readonly now: number }
  /** It could not be written: `bytes` of it were. */
  | { readonly kind: 'type-failed'; readonly now: number; readonly bytes: number; readonly reason: string }
  | { readonly kind: 'pressed'; readonly now: number }
  /** A channel other than typing holds the body now: the file was replaced, the hook printed, the launch carried it. */
  | ({ readonly kind: 'placed'; readonly now: number; readonly channel: Channel } & PlacedThere)
  /** A channel other than typing cannot be used or did not work. */
  | { readonly kind: 'refused'; readonly now: number; readonly channel: Channel; readonly reason: string }
  | {
      readonly kind: 'proved';
      readonly now: number;
      readonly proof: Proof;
      readonly evidence: string;
      readonly channel?: Channel;
    }
  /** A new wrapper found the record and does not know what its predecessor still did. */
  | { readonly kind: 'found-again'; readonly now: number }
  /** The agent ended. */
  | { readonly kind: 'gone'; readonly now: number };

/** What the session must do now. `type` and `press` are done only after the record was stored. */
export type Action = 'none' | 'type' | 'press' | 'write-file' | 'notify';

export interface Step {
  readonly delivery: DeliveryRecord;
  readonly action: Action;
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

/** A written text that shows nowhere for this long is not waited for on this rung. */
const UNSEEN_MS = 30_000;
/** A text that was taken from the composer and proves itself by nothing further. */
const UNPROVEN_MS = 60_000;
const MOST_PRESSES = 10;
/** Longer than the gap between two parts of one redraw; and how soon to look again at what may settle any moment. */
const SETTLED_MS = 100;
const AGAIN_MS = 110;
/** An agent that was launched with a prompt and is ready for so long without a turn. */
const IDLE_AFTER_LAUNCH_MS = 5000;

export function advance(delivery: DeliveryRecord, input: Input, rules: DeliveryRules): Step {
  if (input.kind === 'proved') return { delivery: prove(delivery, input), action: 'none' };
  if (isEnded(delivery)) return { delivery, action: 'none' };
  switch (input.kind) {
    case 'looked':
      return look(delivery, input.sight, rules);
    case 'typed':
      return stay(enter(delivery, 'typed', input.now));
    case 'type-failed':
      return input.bytes > 0
        ? stay(enter(delivery, 'typed', input.now))
        : stay(closeWindow(delivery, input.now, input.reason, rules));
    case 'pressed':
      return stay(delivery);
    case 'placed':
      return stay(placed(delivery, input));
    case 'refused':
      return stay(nextRung(delivery, input.now, `${input.channel}: ${input.reason}`));
    case 'found-again':
      // What was being written may or may not be there; the screen and the transcript will say.
      return stay(delivery.stage === 'typing' ? enter(delivery, 'typed', input.now) : delivery);
    case 'gone':
      return stay(afterEnd(delivery, input.now));
  }
}

function look(delivery: DeliveryRecord, sight: Sight, rules: DeliveryRules): Step {
  const channel = delivery.ladder[delivery.rung];
  if (sight.now >= timeOf(delivery.deadline)) {
    // A text that found no window is still left where the agent finds it later; a file waits for nobody.
    const isLeft = delivery.stage === 'queued' && (channel === 'file' || channel === 'notice');
    if (!isLeft) return stay(overdue(delivery, sight.now));
  }
  // A body that shows after its rung was given up is finished all the same: it blocks the composer.
  const isTyped = delivery.placedOn.includes('typed') && !isAtLeast(delivery.proof, 'submitted');
  if (isTyped && (sight.isOursShown || channel === 'typed')) return lookTyped(delivery, sight, rules);
  if (channel === 'flag' && delivery.stage === 'placed') return lookLaunched(delivery, sight);
  if (delivery.stage !== 'queued') return { delivery: without(delivery), action: 'none' };
  if (channel === undefined) return stay(end(delivery, sight.now, 'failed', delivery.reason ?? 'no way in is left'));
  if (channel === 'typed') return lookQueued(delivery, sight, rules);
  if (channel === 'file') return { delivery: without(delivery), action: 'write-file' };
  if (channel === 'notice') {
    if (!rules.sendNotificationOnFailure) return stay(nextRung(delivery, sight.now, 'notices are switched off'));
    return { delivery: without(delivery), action: 'notify' };
  }
  return { delivery: wait(delivery, waitingFor(sight) ?? 'first prompt'), action: 'none' };
}

/** The launch carried it as the first prompt. An agent that stands idle did not take it. */
function lookLaunched(delivery: DeliveryRecord, sight: Sight): Step {
  const { state, composer } = sight.readiness;
  // An agent that prints its arguments and a complaint shows the id as well.
  const isTurn = sight.hasWorked || (sight.isIdShown && composer.kind === 'empty');
  if (isTurn) return stay(submitted(delivery, sight.now, 'a turn began after the launch', 'flag'));
  if (state === 'ready' && composer.kind === 'empty' && sight.stableMs >= IDLE_AFTER_LAUNCH_MS)
    return stay(nextRung(delivery, sight.now, 'the agent did not take the prompt it was launched with'));
  const reason = waitingFor(sight);
  const againMs = state === 'ready' ? IDLE_AFTER_LAUNCH_MS - sight.stableMs : 5000;
  return { delivery: reason === undefined ? without(delivery) : wait(delivery, reason), action: 'none', againMs };
}

/** Nothing written yet. */
function lookQueued(delivery: DeliveryRecord, sight: Sight, rules: DeliveryRules): Step {
  if (sight.unknownMs >= rules.readinessTimeoutMs && delivery.rung + 1 < delivery.ladder.length) {
    return stay(nextRung(delivery, sight.now, `no screen that is known for ${Math.round(sight.unknownMs / 1000)} s`));
  }
  const reason = reasonToWait(sight, rules);
  if (reason !== undefined) return { delivery: wait(delivery, reason), action: 'none', againMs: againAfter(reason) };
  const early = timeOf(delivery.notBefore ?? '') - sight.now;
  if (early > 0) return { delivery: wait(delivery, 'agent-busy'), action: 'none', againMs: early };
  if (sight.stableMs < rules.stableMs)
    return { delivery: wait(delivery, 'agent-starting'), action: 'none', againMs: rules.stableMs - sight.stableMs };
  const attempt: DeliveryRecord = { ...without(delivery), channel: 'typed', attempts: delivery.attempts + 1 };
  const opened = enter(attempt, 'typing', sight.now);
  if (sight.canType) return { delivery: { ...opened, placedOn: [...opened.placedOn, 'typed'] }, action: 'type' };
  return {
    delivery: closeWindow(opened, sight.now, 'the agent does not take framed pastes now', rules),
    action: 'none',
    againMs: rules.retryBackoffs[0] ?? 1000,
  };
}

/** Our bytes are written. */
function lookTyped(delivery: DeliveryRecord, sight: Sight, rules: DeliveryRules): Step {
  const since = sight.now - timeOf(delivery.stageAt);
  switch (delivery.stage) {
    case 'typing':
      // Whoever looks is not writing: what became of the bytes is found out like after a crash.
      return stay(enter(delivery, 'typed', sight.now));
    case 'queued':
    case 'typed':
      if (sight.isOursShown) {
        const shown = enter(delivery, 'placed', sight.now);
        return { delivery: raise(shown, 'placed', 'typed', 'the composer shows it'), action: 'none', againMs: 0 };
      }
      // It was never seen in the composer, so that a turn began says nothing about it.
      if (sight.isIdShown && isTaken(sight, delivery))
        return stay(submitted(delivery, sight.now, 'the composer emptied and a turn began'));
      if (since < UNSEEN_MS) return { delivery: without(delivery), action: 'none', againMs: UNSEEN_MS - since };
      return delivery.rung + 1 < delivery.ladder.length && delivery.stage === 'typed'
        ? stay(nextRung(delivery, sight.now, 'the text was written and showed nowhere'))
        : stay(end(delivery, sight.now, 'uncertain', 'the text was written and showed nowhere'));
    case 'placed':
      return lookPlaced(delivery, sight, rules);
    case 'submitting':
      return lookSubmitting(delivery, sight, rules);
    default:
      return { delivery: without(delivery), action: 'none' };
  }
}

/** The composer showed our text: submit it, unless somebody else came in between. */
function lookPlaced(delivery: DeliveryRecord, sight: Sight, rules: DeliveryRules): Step {
  const since = sight.now - timeOf(delivery.stageAt);
  if (!sight.isOursShown) {
    if (isTaken(sight, delivery))
      return stay(submitted(delivery, sight.now, 'somebody submitted it, and a turn began'));
    const reason = sight.readiness.composer.kind === 'text' ? 'draft in composer' : waitingFor(sight);
    const next = reason === undefined ? without(delivery) : wait(delivery, reason);
    return { delivery: next, action: 'none', againMs: AGAIN_MS };
  }
  const reason = mayPress(sight, timeOf(delivery.stageAt));
  if (reason !== undefined) return { delivery: wait(delivery, reason), action: 'none', againMs: 500 };
  if (since < rules.submitDelayMs)
    return { delivery: without(delivery), action: 'none', againMs: rules.submitDelayMs - since };
  return press(delivery, sight.now);
}

function lookSubmitting(delivery: DeliveryRecord, sight: Sight, rules: DeliveryRules): Step {
  const since = sight.now - timeOf(delivery.stageAt);
  if (!sight.isOursShown) {
    if (isTaken(sight, delivery)) return stay(submitted(delivery, sight.now, 'the composer emptied and a turn began'));
    // Some agents hide the composer while they work: the end of the turn will tell. After a crash the screen comes first.
    if (since < UNPROVEN_MS || sight.readiness.state === 'busy' || sight.stableMs < rules.stableMs)
      return { delivery: without(delivery), action: 'none', againMs: AGAIN_MS };
    return stay(end(delivery, sight.now, 'uncertain', 'the composer emptied, and nothing shows that a turn began'));
  }
  // Nobody else can use the composer while it holds our text, so the last pause is kept up for a while.
  const pause = rules.retryBackoffs[delivery.presses - 1] ?? rules.retryBackoffs.at(-1);
  if (pause === undefined || delivery.presses >= MOST_PRESSES) {
    if (since < UNPROVEN_MS) return { delivery: without(delivery), action: 'none', againMs: 1000 };
    return stay(end(delivery, sight.now, 'uncertain', 'the submit key was not taken; the text stands in the composer'));
  }
  if (since < pause) return { delivery: without(delivery), action: 'none', againMs: pause - since };
  const reason = mayPress(sight, timeOf(delivery.stageAt));
  if (reason !== undefined) return { delivery: wait(delivery, reason), action: 'none', againMs: 500 };
  return press(delivery, sight.now);
}

function press(delivery: DeliveryRecord, now: number): Step {
  const pressing = enter({ ...without(delivery), presses: delivery.presses + 1 }, 'submitting', now);
  return { delivery: pressing, action: 'press' };
}

/** The agent took the text: its composer is there and empty, not in the middle of a redraw, and a turn began. A composer
 *  that is hidden proves nothing: the text may still stand in it. Where a person typed since, the turn may be theirs. */
function isTaken(sight: Sight, delivery: DeliveryRecord): boolean {
  const isPersons = sight.personAt !== undefined && sight.personAt >= timeOf(delivery.stageAt);
  const hasTurnBegun = sight.isIdShown || (sight.hasWorked && !isPersons);
  return hasTurnBegun && sight.readiness.composer.kind === 'empty' && sight.stableMs >= SETTLED_MS;
}

/** Why the submit key must not be sent though our text shows. A person who typed since may have added to it. */
function mayPress(sight: Sight, since: number): string | undefined {
  if (sight.held !== undefined) return sight.held;
  if (sight.personAt !== undefined && sight.personAt >= since) return 'human typing';
  if (!sight.canType) return 'screen not recognised';
  return sight.readiness.state === 'ready' ? undefined : (waitingFor(sight) ?? 'screen not recognised');
}

function reasonToWait(sight: Sight, rules: DeliveryRules): string | undefined {
  if (sight.held !== undefined) return sight.held;
  const reason = waitingFor(sight);
  if (reason !== undefined) return reason;
  const isTyping = sight.personAt !== undefined && sight.now - sight.personAt < rules.personMs;
  if (sight.readiness.composer.kind === 'text') return 'draft in composer';
  if (sight.readiness.composer.kind === 'absent') return 'screen not recognised';
  return isTyping ? 'human typing' : undefined;
}

/** The reason a screen gives; `undefined` when it is ready. */
export function waitingFor(sight: Pick<Sight, 'readiness'>): string | undefined {
  const { state, asks } = sight.readiness;
  switch (state) {
    case 'ready':
      return undefined;
    case 'starting':
      return 'agent-starting';
    case 'busy':
      return 'agent-busy';
    case 'asking':
      return asks === 'approval' ? 'approval pending' : `dialog: ${asks ?? 'a question'}`;
    case 'unrecognised':
      return 'screen not recognised';
    case 'gone':
      return 'the agent is gone';
  }
}

function againAfter(reason: string): number {
  return reason === 'human typing' ? 500 : 5000;
}

function stay(delivery: DeliveryRecord): Step {
  return { delivery, action: 'none', againMs: isEnded(delivery) ? 60_000 : 0 };
}

function wait(delivery: DeliveryRecord, waiting: string): DeliveryRecord {
  return delivery.waiting === waiting ? delivery : { ...delivery, waiting };
}

function without(delivery: DeliveryRecord): DeliveryRecord {
  if (delivery.waiting === undefined) return delivery;
  const { waiting: _, ...rest } = delivery;
  return rest;
}

/** What cannot be read counts as 1970: long ago. */
function timeOf(iso: string | undefined): number {
  return parseIsoTime(iso ?? '') ?? 0;
}

function enter(delivery: DeliveryRecord, stage: Stage, now: number): DeliveryRecord {
  return { ...without(delivery), stage, stageAt: isoTime(now) };
}

/** A window opened and nothing was written: pause, and after so many of them another way in. */
function closeWindow(delivery: DeliveryRecord, now: number, reason: string, rules: DeliveryRules): DeliveryRecord {
  const { retryBackoffs } = rules;
  const pause = retryBackoffs[Math.min(delivery.attempts, retryBackoffs.length) - 1] ?? 0;
  const back: DeliveryRecord = {
    ...enter(delivery, 'queued', now),
    placedOn: delivery.placedOn.filter((channel) => channel !== 'typed'),
    notBefore: isoTime(now + pause),
    reason,
  };
  const hasNext = delivery.rung + 1 < delivery.ladder.length;
  return hasNext && delivery.attempts >= rules.fileFallbackAfterAttempts ? nextRung(back, now, reason) : back;
}

function placed(delivery: DeliveryRecord, input: Extract<Input, { kind: 'placed' }>): DeliveryRecord {
  const isNew = !delivery.placedOn.includes(input.channel);
  const held: DeliveryRecord = {
    ...enter(delivery, 'placed', input.now),
    placedOn: isNew ? [...delivery.placedOn, input.channel] : delivery.placedOn,
    attempts: delivery.attempts + (isNew && delivery.channel !== input.channel ? 1 : 0),
    ...(input.file === undefined ? {} : { file: input.file }),
  };
  const raised = raise(held, 'placed', input.channel, input.evidence);
  // A notice tells that the text is there; the text itself did not get in.
  if (input.channel === 'notice') return end(raised, input.now, 'failed', delivery.reason ?? 'only a notice was shown');
  return raised;
}

function submitted(
  delivery: DeliveryRecord,
  now: number,
  evidence: string,
  channel: Channel = 'typed',
): DeliveryRecord {
  return settle(raise(enter(delivery, 'submitted', now), 'submitted', channel, evidence), now);
}

function prove(delivery: DeliveryRecord, input: Extract<Input, { kind: 'proved' }>): DeliveryRecord {
  const raised = raise(delivery, input.proof, input.channel ?? delivery.channel, input.evidence);
  if (raised === delivery) return delivery;
  const isFurther = isAtLeast(raised.proof, 'submitted') && !isEnded(raised);
  return settle(isFurther ? enter(raised, 'submitted', input.now) : raised, input.now);
}

/** Delivered once the proof asked for is there, also when it had been given up. */
function settle(delivery: DeliveryRecord, now: number): DeliveryRecord {
  if (!isAtLeast(delivery.proof, requiredProofOf(delivery)) || delivery.outcome === 'delivered') return delivery;
  const { reason: _, ...rest } = delivery;
  return { ...enter(rest, 'ended', now), outcome: 'delivered' };
}

function raise(delivery: DeliveryRecord, proof: Proof, channel: Channel | undefined, evidence: string): DeliveryRecord {
  if (isAtLeast(delivery.proof, proof)) return delivery;
  return { ...delivery, proof, evidence, ...(channel === undefined ? {} : { channel }) };
}

function nextRung(delivery: DeliveryRecord, now: number, reason: string): DeliveryRecord {
  const rung = delivery.rung + 1;
  const channel = delivery.ladder[rung];
  if (channel === undefined) {
    const isPlaced = delivery.placedOn.length > 0;
    return end(delivery, now, isPlaced ? 'uncertain' : 'failed', reason);
  }
  const { notBefore: _, ...rest } = delivery;
  return { ...enter(rest, 'queued', now), rung, channel, reason };
}

function overdue(delivery: DeliveryRecord, now: number): DeliveryRecord {
  const isPlaced = delivery.placedOn.length > 0;
  const why = delivery.waiting ?? delivery.reason;
  const detail = why === undefined ? '' : `: ${why}`;
  const isUnused = delivery.stage === 'queued' && delivery.rung + 1 < delivery.ladder.length;
  if (isUnused) return nextRung(delivery, now, `the deadline passed${detail}`);
  return isPlaced
    ? end(delivery, now, 'uncertain', `placed, and no ${requiredProofOf(delivery)} proof by the deadline`)
    : end(delivery, now, 'failed', `the deadline passed${detail}`);
}

function afterEnd(delivery: DeliveryRecord, now: number): DeliveryRecord {
  return delivery.placedOn.length > 0
    ? end(delivery, now, 'uncertain', 'the session ended before the proof')
    : end(delivery, now, 'failed', 'the session ended');
}

function end(delivery: DeliveryRecord, now: number, outcome: Outcome, reason: string): DeliveryRecord {
  return { ...enter(delivery, 'ended', now), outcome, reason };
}
