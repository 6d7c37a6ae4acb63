// Rest: whether an agent may be typed into now. A screen that reads ready is not enough: rules name the signs of work that
// were seen, and another version, a setting or a command of the person's may show none of them. So nothing is typed into a
// screen that moves, unless something other than the screen says that no turn is running. Measured: working agents that were
// misread never stood still for more than 331 ms, idle ones for 6 s and more.

import type { LaunchHook } from '../kernel/agent.ts';
import type { ReadinessSignalName } from '../kernel/session.ts';
import type { TranscriptText } from '../kernel/transcript.ts';

/** What is known of the agent from elsewhere than its screen. Times in milliseconds. */
export interface AgentSignals {
  /** When its start hook ran, or it printed the line: it is up. A hook only of an agent that runs it at launch, before any prompt. */
  readonly upAt?: number;
  /** It printed that it is up: its own word, which needs no version that is known. */
  readonly hasSaidUp?: true;
  /** When anything was last given to it, by anybody: keys, a paste, a prompt of its launch. Absent: nothing since its start. */
  readonly inputAt?: number;
  /** When it last took a prompt, by its hook. */
  readonly promptAt?: number;
  /** When its transcript last showed a turn that goes on. */
  readonly activeAt?: number;
  /** When a turn last ended, by its hook or its transcript. */
  readonly turnEndedAt?: number;
}

/** With what one of our hooks reported. `ranAt` is when the agent started the hook: on a busy machine the report comes much later, and a
 *  prompt may have come between. */
export function withReport(
  signals: AgentSignals,
  report: { readonly event: string; readonly isSubagent?: boolean; readonly ranAt?: number },
  { now, firesAt }: { readonly now: number; readonly firesAt: LaunchHook['firesAt'] | undefined },
): AgentSignals {
  if (report.isSubagent === true) return signals;
  if (report.event === 'session-start' && firesAt === 'launch') return { ...signals, upAt: now };
  if (report.event === 'prompt') return { ...signals, promptAt: now };
  if (report.event !== 'stop') return signals;
  return { ...signals, turnEndedAt: Math.max(signals.turnEndedAt ?? 0, Math.min(report.ranAt ?? now, now)) };
}

/** Whether one of these lines of its screen is the one by which an agent says that it is up. With anything beside it, it is a
 *  quotation. */
export function saysReady(lines: readonly string[]): boolean {
  return lines.some((line) => line.trim() === '->foreword:ready');
}

/** With what its screen says. That counts until anything is given to it: later it may show any file. */
export function withScreen(signals: AgentSignals, lines: readonly string[], now: number): AgentSignals {
  const isHeard = [signals.upAt, signals.inputAt, signals.promptAt].some((at) => at !== undefined);
  if (isHeard || !saysReady(lines)) return signals;
  return { ...signals, upAt: now, hasSaidUp: true };
}

/** With what its transcript shows, in the order in which it was written. Only the record's own time says when a turn ended: by now
 *  the next one may have begun. */
export function withTexts(signals: AgentSignals, texts: readonly TranscriptText[], now: number): AgentSignals {
  let { activeAt, turnEndedAt } = signals;
  const isNew = [signals.inputAt, signals.promptAt, turnEndedAt].every((at) => at === undefined);
  // What has no time of its own was written before what follows it.
  let before = now;
  for (const text of texts.toReversed()) {
    const at = timeOf(text);
    before = Math.min(before, at ?? before);
    if (text.isSubagent === true || text.isRetold === true || SILENT.includes(text.kind)) continue;
    // An agent may begin its log by replacing a history that nobody saw.
    if (text.kind === 'forgotten' && isNew && activeAt === undefined) continue;
    if (text.kind !== 'ended') activeAt = Math.max(activeAt ?? 0, at === undefined ? before : Math.min(at, now));
    else if (at !== undefined) turnEndedAt = Math.max(turnEndedAt ?? 0, Math.min(at, now));
  }
  return {
    ...signals,
    ...(activeAt === undefined ? {} : { activeAt }),
    ...(turnEndedAt === undefined ? {} : { turnEndedAt }),
  };
}

/** They say nothing about a turn. */
const SILENT: readonly TranscriptText['kind'][] = ['step', 'printed', 'taken'];

/** When it was written, in milliseconds; `undefined` where the agent does not say. */
export function timeOf({ at = '' }: TranscriptText): number | undefined {
  const ms = /^\d+$/.test(at) ? Number(at) : Date.parse(at);
  return Number.isNaN(ms) ? undefined : ms;
}

/** What is known of the version that runs. */
export interface KnownVersion {
  /** The screen rules were made with it, or `foreword verify` tried it here: its signals count. */
  readonly isMeasured: boolean;
  /** For a person, where the screen may be misread: what to do about it. */
  readonly caution?: string;
  /** The folder is not trusted, and the question about it follows the composer within this time. */
  readonly asksWithinMs?: number;
}

export interface RestFacts extends AgentSignals {
  readonly now: number;
  /** Since when the screen reads as it does. */
  readonly since: number;
  /** When the screen last changed outside the composer. */
  readonly movedAt: number;
  /** When the screen last began to show work; absent: never. */
  readonly workBeganAt?: number | undefined;
  /** How long a reading must hold before it is used. */
  readonly stableMs: number;
  /** The agent's own figure for standing still, where it needs more than others. */
  readonly quietMs?: number | undefined;
  readonly asksWithinMs?: number | undefined;
  readonly isMeasured: boolean;
}

export interface Rest {
  /** Milliseconds until it may be typed into, if nothing changes; 0: now. */
  readonly inMs: number;
  /** Only the rule for moving screens holds it up. */
  readonly isMoving: boolean;
}

export const STILL_MS = 1000;
const STABLE_WHEN_UP_MS = 50;

export function restOf(facts: RestFacts): Rest {
  const { now, since, movedAt } = facts;
  const unstableMs = Math.max(0, stableMsOf(facts) - (now - since));
  const stillMs = isKnownIdle(facts) ? 0 : Math.max(STILL_MS, facts.quietMs ?? 0);
  const movingMs = Math.max(0, stillMs - (now - movedAt));
  return { inMs: Math.max(unstableMs, movingMs), isMoving: movingMs > unstableMs };
}

function stableMsOf(facts: RestFacts): number {
  const { stableMs, asksWithinMs, inputAt, promptAt, workBeganAt } = facts;
  // Whoever gave it something has answered.
  const isUnused = inputAt === undefined && promptAt === undefined && workBeganAt === undefined;
  const mayAsk = asksWithinMs !== undefined && isUnused;
  if (mayAsk) return Math.max(stableMs, asksWithinMs);
  return isFreshlyUp(facts) ? Math.min(STABLE_WHEN_UP_MS, stableMs) : stableMs;
}

/** Its start hook ran, or it said so, and nothing was given to it since. */
function isFreshlyUp(facts: RestFacts): boolean {
  const { isMeasured, hasSaidUp, upAt, inputAt, promptAt, workBeganAt } = facts;
  const isUnused = inputAt === undefined && promptAt === undefined && workBeganAt === undefined;
  return (isMeasured || hasSaidUp === true) && upAt !== undefined && isUnused;
}

/** Something other than the screen says that no turn is running: nothing was given to it yet, or the turn ended after the
 *  last thing that was. Work that the screen or the transcript showed to begin later counts against both. So do keys while it
 *  worked: the agent may have kept them for the next turn, which it then begins by itself. */
function isKnownIdle(facts: RestFacts): boolean {
  const { isMeasured, inputAt, turnEndedAt, workBeganAt } = facts;
  if (!isMeasured) return false;
  if (turnEndedAt === undefined)
    return [inputAt, workBeganAt, facts.promptAt, facts.activeAt].every((at) => at === undefined);
  return isEnded(facts, turnEndedAt) && (inputAt ?? 0) <= (workBeganAt ?? Number.POSITIVE_INFINITY);
}

function isEnded({ inputAt, promptAt, activeAt, workBeganAt }: RestFacts, turnEndedAt: number): boolean {
  return turnEndedAt >= Math.max(inputAt ?? 0, promptAt ?? 0, activeAt ?? 0, workBeganAt ?? 0);
}

/** By what a screen that reads ready counts as ready: design 000's names. */
export function signalOf(facts: RestFacts): ReadinessSignalName {
  if (isFreshlyUp(facts)) return 'explicit_ready';
  const { turnEndedAt } = facts;
  return turnEndedAt !== undefined && isEnded(facts, turnEndedAt) ? 'first_response_complete' : 'prompt_detected';
}
