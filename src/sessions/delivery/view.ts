// What a session sees with regard to one delivery, from its screen and a few facts. Pure: the facts are handed in.

import { typedText } from '../../context/texts/delivery-text.ts';
import type { Interactive } from '../../kernel/agent.ts';
import type { DeliveryRecord } from '../../kernel/delivery.ts';
import type { Matcher } from '../../kernel/matcher.ts';
import type { Screen } from '../../kernel/screen.ts';
import { showsEnd, showsOurs } from '../composer-line.ts';
import { isAtBottom, type Readiness } from '../readiness.ts';
import { type AgentSignals, type KnownVersion, type RestFacts, restOf } from '../rest.ts';
import { timeOf } from './record.ts';
import type { DeliveryView } from './step.ts';

/** What is known of an agent's screen. sessions/watch.ts keeps it up to date. */
export interface WatchedScreen {
  readonly verdict: Readiness;
  readonly screen: Screen;
  /** When the verdict or the composer last changed. */
  readonly since: number;
  /** When anything on the screen last changed. */
  readonly changedAt: number;
  /** When it last changed outside the composer, clocks and a person's own lines aside. */
  readonly movedAt: number;
  /** When the agent last showed something known; its start until then. */
  readonly knownAt: number;
  /** When it last worked on a turn. */
  readonly busyAt: number | undefined;
  /** How often it began to work, and when it last did. */
  readonly turns: number;
  readonly workBeganAt: number | undefined;
}

export interface SeenFacts {
  readonly now: number;
  readonly agent: Interactive;
  readonly match: Matcher;
  /** How long readiness must hold before it is used. */
  readonly stableMs: number;
  readonly personAt: number | undefined;
  readonly held: string | undefined;
  /** The agent itself, and no program it started, reads from the terminal. */
  readonly hasTerminal: boolean;
  readonly signals: AgentSignals;
  readonly version: KnownVersion;
}

export function viewOf(delivery: DeliveryRecord, watched: WatchedScreen, facts: SeenFacts): DeliveryView {
  const { now, personAt, held, version } = facts;
  const { verdict, screen, busyAt } = watched;
  const rest = restOf(restFacts(watched, facts));
  const isTall =
    verdict.state === 'unrecognised' && showsEnd(facts.agent.composer, screen, typedText(delivery), facts.match);
  return {
    now,
    readiness: verdict,
    stableMs: now - watched.since,
    restInMs: rest.inMs,
    isMoving: rest.isMoving,
    hasBeenUsed: watched.turns > 0 || lastInput(facts) !== undefined,
    unknownMs: now - watched.knownAt,
    isOursShown: isTall || showsOurs(facts.agent.composer, verdict.composer, typedText(delivery), facts.match),
    isTall,
    hasWorked: busyAt !== undefined && busyAt >= timeOf(delivery.stageAt),
    // What an agent shows while it starts may look like work; without input there is no turn.
    hasHadTurn: watched.turns > 0 && lastInput(facts) !== undefined,
    isIdShown: isIdShown(delivery, watched),
    isQueued: isAtBottom(facts.agent.queued, screen, facts.match),
    canType: screen.hasBracketedPaste && facts.hasTerminal,
    ...(personAt === undefined ? {} : { personAt }),
    ...(held === undefined ? {} : { held }),
    ...(version.caution === undefined ? {} : { caution: version.caution }),
  };
}

/** What decides whether it may be typed into. */
export function restFacts(
  { since, movedAt, workBeganAt }: Pick<WatchedScreen, 'since' | 'movedAt' | 'workBeganAt'>,
  facts: Omit<SeenFacts, 'match' | 'held' | 'hasTerminal'>,
): RestFacts {
  const { now, stableMs, agent, signals, version } = facts;
  const { isMeasured, asksWithinMs } = version;
  const inputAt = lastKeys(facts);
  const given = inputAt === undefined ? {} : { inputAt };
  const { quietMs } = agent;
  const screen = { since, movedAt, workBeganAt };
  return { ...signals, ...given, ...screen, now, stableMs, quietMs, asksWithinMs, isMeasured };
}

/** By whomever. */
function lastKeys({ signals, personAt }: Pick<SeenFacts, 'signals' | 'personAt'>): number | undefined {
  const given = [signals.inputAt, personAt].filter((at) => at !== undefined);
  return given.length === 0 ? undefined : Math.max(...given);
}

function lastInput(facts: SeenFacts): number | undefined {
  return lastKeys(facts) ?? facts.signals.promptAt;
}

/** As something that was sent: on the screen, and not in the composer. */
function isIdShown({ id }: DeliveryRecord, { verdict, screen }: WatchedScreen): boolean {
  const { composer } = verdict;
  const inComposer = composer.kind === 'text' && composer.text.includes(id);
  return !inComposer && screen.lines.some((line) => line.includes(id));
}
