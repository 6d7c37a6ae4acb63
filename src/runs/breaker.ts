// Breaker: per agent, whether it may get work. A task's own failure (validation) has no event here: a breaker is about
// agents. The record is shared by every supervisor on a store, each of which reads it, advances it and writes it back at the
// version it read; a supervisor that is refused reads again (breakers.ts). So many supervisors make only one trial call.
//
// closed   The agent may get work. This is the state of an agent without a record, and can only be entered from `open` or
//          `trial`: by a success of a call that began when the pause was over, or by a failure that shows that the agent works
//          (the prompt was too long for it). It holds the times of failures that only count together:
//          a success forgets them, and those outside the window are dropped.
//          It goes to `open` when the agent announces that its allowance is nearly used up (until that resets), at the first quota, rate-limit, sign-in or set-up failure, since the next call would fail in
//          the same way, and when the other failures within the window reach the number in the rules.
// open     The agent gets no work until a time: the one it named, if that can be believed, else the pause of the rules.
//          Can only be entered from `closed` (streak 1), from `open` or `trial` when a call fails after the pause was over
//          (streak one higher, unless the agent lay untried for longer than its longest pause), and from `open` by a
//          failure that began before it opened and names a later time.
//          Calls that began before it opened may still end: their success is old information and changes nothing.
//          A new run ends a pause for signing in or setting up: whoever begins one may have done that. The agent is due then.
//          When the time has come, `availability` is `trial`, and it goes to `trial` with the first supervisor that stores it.
// trial    One supervisor makes one call. Can only be entered from `open` when its time has come, and from `trial` itself:
//          by the owner, who renews its lease while it works, or by another once the lease has ended, since the owner is
//          gone then. It is bound to a process, so it carries what is needed to open again: reason and streak.
//          It goes to `closed` when the call succeeds and to `open` when it fails.
//
// The streak counts openings in a row without a success between them: each doubles the pause, up to the longest. An agent
// that names a short time again and again was wrong before, so its pause is never shorter than the doubled one.
//
// Pure and total: a record with times nobody can read, or from a clock that was wrong, is due for a trial, never stuck.

import type { ErrorClass } from '../kernel/agent.ts';
import type { BreakerRecord } from '../kernel/breaker.ts';
import { isoTime, parseIsoTime } from '../kernel/iso-time.ts';
import { JUST_PASSED_MS } from './agent-output/reset-time.ts';

export type BreakerEvent =
  /** A run of the agent ended with an answer. */
  | { readonly kind: 'succeeded' }
  /** It could not work. `resetAt` in milliseconds since 1970, when it named a time. */
  | { readonly kind: 'failed'; readonly class: ErrorClass; readonly resetAt?: number }
  /** A supervisor wants to make the trial call, or goes on with its own. */
  | { readonly kind: 'trial-begun'; readonly owner: string; readonly leaseUntil: number }
  /** It worked, and announced that its allowance is nearly used up. The reason says how much; `resetAt` as above. */
  | { readonly kind: 'announced'; readonly reason: string; readonly resetAt?: number }
  /** A person began a run, and may have signed the agent in or set it up since. */
  | { readonly kind: 'run-begun' };

/** Settings under `breaker`. */
export interface BreakerRules {
  /** Quota without a reset time that can be believed. */
  readonly quotaMs: number;
  /** Not signed in, or not set up. */
  readonly authMs: number;
  /** Anything else: the first pause, doubled at each opening up to the last. */
  readonly firstPauseMs: number;
  readonly lastPauseMs: number;
  /** The number of failures within the window that opens it, for failures that may be chance. */
  readonly strikes: number;
  readonly strikeWindowMs: number;
  /** A reset time further ahead is a misreading. */
  readonly furthestResetMs: number;
  /** The longest lease of a trial, whatever its owner requests. */
  readonly longestTrialMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const DEFAULT_BREAKER_RULES: BreakerRules = {
  quotaMs: HOUR_MS,
  authMs: HOUR_MS,
  firstPauseMs: MINUTE_MS,
  lastPauseMs: 15 * MINUTE_MS,
  strikes: 3,
  strikeWindowMs: 5 * MINUTE_MS,
  furthestResetMs: 7 * 24 * HOUR_MS,
  longestTrialMs: HOUR_MS,
};

/** Clocks of machines on one store differ by less; a record from further in the future is from a clock since set back. */
const CLOCK_SKEW_MS = MINUTE_MS;

export type Availability =
  | { readonly kind: 'yes' }
  /** The supervisor that stores `trial-begun` may try it. */
  | { readonly kind: 'trial' }
  /** `until` is when to ask again. `isTried`: somebody makes the trial call now, which may end at any moment. */
  | { readonly kind: 'no'; readonly until: number; readonly reason: string; readonly isTried: boolean };

export function closedBreaker(agent: string): BreakerRecord {
  return { agent, state: 'closed', failures: [] };
}

/** No record means that the agent never failed. */
export function availability(breaker: BreakerRecord | undefined, now: number): Availability {
  if (breaker === undefined || breaker.state === 'closed') return { kind: 'yes' };
  const [since, until] =
    breaker.state === 'open' ? [breaker.openedAt, breaker.until] : [breaker.begunAt, breaker.leaseUntil];
  const from = parseIsoTime(since);
  const end = parseIsoTime(until);
  if (from === undefined || end === undefined || end <= from) return { kind: 'trial' };
  if (now >= end || now < from - CLOCK_SKEW_MS) return { kind: 'trial' };
  const isTried = breaker.state === 'trial';
  return { kind: 'no', until: Math.min(end, now + end - from), reason: breaker.reason, isTried };
}

/** Returns the same object when nothing changes, so that nothing need be written. After `trial-begun` the caller has the
 *  trial only if the result is in trial with the caller as owner and the write of it is accepted; when the write is
 *  refused, call `availability` with the record that is stored now. */
export function advance(breaker: BreakerRecord, event: BreakerEvent, now: number, rules: BreakerRules): BreakerRecord {
  switch (event.kind) {
    case 'succeeded':
      return afterAnswer(breaker, now);
    case 'failed':
      return afterFailure(breaker, event, { now, rules });
    case 'trial-begun':
      return afterTrialBegun(breaker, event, { now, rules });
    case 'announced':
      return afterAnnounced(breaker, event, { now, rules });
    case 'run-begun':
      return waitsForPerson(breaker, now) ? { ...breaker, until: isoTime(now) } : breaker;
  }
}

interface Setting {
  readonly now: number;
  readonly rules: BreakerRules;
}

type Failed = Extract<BreakerEvent, { kind: 'failed' }>;

/** The agent gets no work while it is open: a success that arrives then began before, and is old information. */
function afterAnswer(breaker: BreakerRecord, now: number): BreakerRecord {
  if (breaker.state === 'closed') return breaker.failures.length === 0 ? breaker : closedBreaker(breaker.agent);
  return isUntried(breaker, now) ? breaker : closedBreaker(breaker.agent);
}

function afterFailure(breaker: BreakerRecord, event: Failed, setting: Setting): BreakerRecord {
  // The agent read the prompt and found it too long: it works, and another task may fit.
  if (event.class === 'context') return breaker.state === 'closed' ? breaker : afterAnswer(breaker, setting.now);
  if (breaker.state === 'closed') return strike(breaker, event, setting);
  if (!isUntried(breaker, setting.now)) {
    return opened(breaker.agent, event, { ...setting, streak: nextStreak(breaker, setting) });
  }
  // One that began before it opened. It can only make the pause longer, and is no new failure in a row.
  if (opensAtOnce(event.class) && breaker.state === 'open') {
    const other = opened(breaker.agent, event, { ...setting, streak: breaker.streak ?? 1 });
    return other.until > breaker.until ? other : breaker;
  }
  return breaker;
}

/** Open until the allowance resets. It did not fail, so this is no opening in a row. */
function afterAnnounced(
  breaker: BreakerRecord,
  event: Extract<BreakerEvent, { kind: 'announced' }>,
  { now, rules }: Setting,
): BreakerRecord {
  const { reason, resetAt } = event;
  const isNamed = resetAt !== undefined && resetAt > now && resetAt <= now + rules.furthestResetMs;
  const until = isoTime(isNamed ? resetAt : now + rules.quotaMs);
  if (breaker.state === 'open' && isUntried(breaker, now) && breaker.until >= until) return breaker;
  return { agent: breaker.agent, state: 'open', reason, openedAt: isoTime(now), until, streak: 1 };
}

function strike(breaker: Extract<BreakerRecord, { state: 'closed' }>, event: Failed, setting: Setting): BreakerRecord {
  const { now, rules } = setting;
  if (opensAtOnce(event.class)) return opened(breaker.agent, event, { ...setting, streak: 1 });
  const lately = breaker.failures.filter((text) => {
    const at = parseIsoTime(text);
    return at !== undefined && at > now - rules.strikeWindowMs && at <= now + CLOCK_SKEW_MS;
  });
  if (lately.length + 1 >= rules.strikes) return opened(breaker.agent, event, { ...setting, streak: 1 });
  return { ...breaker, failures: [...lately, isoTime(now)] };
}

type Open = Extract<BreakerRecord, { state: 'open' }>;

function opened(agent: string, event: Failed, setting: Setting & { readonly streak: number }): Open {
  const { now, rules, streak } = setting;
  const pauseMs = pauseOf(event.class, streak, rules);
  const named = namedReset(event, setting);
  // An agent that names a short time again and again was wrong before: the pause is never shorter than the doubled one.
  const isDoubted = event.class === 'rate_limit' && streak > 1;
  const until = named === undefined ? now + pauseMs : isDoubted ? Math.max(named, now + pauseMs) : named;
  return { agent, state: 'open', reason: event.class, openedAt: isoTime(now), until: isoTime(until), streak };
}

function pauseOf(errorClass: ErrorClass, streak: number, rules: BreakerRules): number {
  if (errorClass === 'quota') return rules.quotaMs;
  if (isSetup(errorClass)) return rules.authMs;
  return Math.min(rules.firstPauseMs * 2 ** (streak - 1), rules.lastPauseMs);
}

/** Only limits end at a time that can be named. One that just passed is over soon: clocks differ by a little. */
function namedReset(event: Failed, { now, rules }: Setting): number | undefined {
  if (event.class !== 'quota' && event.class !== 'rate_limit') return undefined;
  const { resetAt } = event;
  const isLikely = resetAt !== undefined && resetAt > now - JUST_PASSED_MS && resetAt <= now + rules.furthestResetMs;
  return isLikely ? (resetAt > now ? resetAt : now + rules.firstPauseMs) : undefined;
}

/** The streak ends when an agent was not tried for longer than its longest pause: a failure then is unrelated. */
function nextStreak(breaker: Exclude<BreakerRecord, { state: 'closed' }>, { now, rules }: Setting): number {
  const end = parseIsoTime(breaker.state === 'open' ? breaker.until : breaker.leaseUntil);
  const goesOn = end !== undefined && now <= end + rules.lastPauseMs;
  return goesOn ? (breaker.streak ?? 1) + 1 : 1;
}

function afterTrialBegun(
  breaker: BreakerRecord,
  event: Extract<BreakerEvent, { kind: 'trial-begun' }>,
  { now, rules }: Setting,
): BreakerRecord {
  const isOwn = breaker.state === 'trial' && breaker.owner === event.owner;
  if (breaker.state === 'closed' || (!isOwn && availability(breaker, now).kind !== 'trial')) return breaker;
  return {
    agent: breaker.agent,
    state: 'trial',
    reason: breaker.reason,
    owner: event.owner,
    begunAt: isoTime(now),
    leaseUntil: isoTime(Math.min(event.leaseUntil, now + rules.longestTrialMs)),
    streak: breaker.streak ?? 1,
  };
}

/** Open and not yet due. */
function isUntried(breaker: BreakerRecord, now: number): boolean {
  return breaker.state === 'open' && availability(breaker, now).kind === 'no';
}

/** Only somebody who signs the agent in or sets it up can end what keeps it from work. */
function waitsForPerson(breaker: BreakerRecord, now: number): breaker is Open {
  return breaker.state === 'open' && isSetup(breaker.reason) && isUntried(breaker, now);
}

export function isSetup(reason: string): boolean {
  return reason === 'auth' || reason === 'setup';
}

/** The others may be chance, and open it only when they come together. */
function opensAtOnce(errorClass: ErrorClass): boolean {
  return errorClass === 'quota' || errorClass === 'rate_limit' || isSetup(errorClass);
}
