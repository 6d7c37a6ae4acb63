// What a session sees with regard to one delivery, from its screen and a few facts. Pure: the facts are handed in.

import { typedText } from '../../context/texts/delivery-text.ts';
import type { Interactive } from '../../kernel/agent.ts';
import type { DeliveryRecord } from '../../kernel/delivery.ts';
import type { Matcher } from '../../kernel/matcher.ts';
import type { Screen } from '../../kernel/screen.ts';
import { showsOurs } from '../composer-line.ts';
import type { Readiness } from '../readiness.ts';
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
  /** When the agent last showed something known; its start until then. */
  readonly knownAt: number;
  /** When it last worked on a turn. */
  readonly busyAt: number | undefined;
  /** How often it began to work. */
  readonly turns: number;
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
}

export function viewOf(delivery: DeliveryRecord, watched: WatchedScreen, facts: SeenFacts): DeliveryView {
  const { now, personAt, held } = facts;
  const { verdict, screen, busyAt } = watched;
  return {
    now,
    readiness: verdict,
    stableMs: stableFor(watched, facts),
    unknownMs: now - watched.knownAt,
    isOursShown: showsOurs(facts.agent.composer, verdict.composer, typedText(delivery), facts.match),
    hasWorked: busyAt !== undefined && busyAt >= timeOf(delivery.stageAt),
    hasHadTurn: watched.turns > 0,
    isIdShown: isIdShown(delivery, watched),
    canType: screen.hasBracketedPaste && facts.hasTerminal,
    ...(personAt === undefined ? {} : { personAt }),
    ...(held === undefined ? {} : { held }),
  };
}

/** How long the verdict holds. An agent that may look ready while a reply comes in must also have been quiet, once it
 *  has worked at all: at its start there is nothing that could come in. */
function stableFor(watched: WatchedScreen, { now, agent, stableMs }: SeenFacts): number {
  const held = now - watched.since;
  if (agent.quietMs === undefined || watched.busyAt === undefined || watched.verdict.state !== 'ready') return held;
  return Math.min(held, now - watched.changedAt - agent.quietMs + stableMs);
}

/** As something that was sent: on the screen, and not in the composer. */
function isIdShown({ id }: DeliveryRecord, { verdict, screen }: WatchedScreen): boolean {
  const { composer } = verdict;
  const inComposer = composer.kind === 'text' && composer.text.includes(id);
  return !inComposer && screen.lines.some((line) => line.includes(id));
}
