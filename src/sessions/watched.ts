// What is known of an agent's screen after each look: what it reads as and since when, when it moved, when the agent worked.
// Pure: a look is a screen and its time. watch.ts does the looking.

import type { Interactive } from '../kernel/agent.ts';
import type { Matcher } from '../kernel/matcher.ts';
import type { Screen } from '../kernel/screen.ts';
import { composerRows } from './composer-line.ts';
import type { WatchedScreen } from './delivery/view.ts';
import { movingPart } from './moving-part.ts';
import { type Readiness, readReadiness } from './readiness.ts';

export interface Watched extends WatchedScreen {
  /** What must stay the same for a reading to count as stable. */
  readonly key: string;
  readonly moving: string;
}

export interface Look {
  readonly screen: Screen;
  readonly now: number;
  /** Since when the screen is as it is; when absent, since the look. */
  readonly since?: number | undefined;
  /** The agent ended, whatever the screen shows. */
  readonly isGone?: boolean;
}

export interface LookedBy {
  readonly agent: Interactive;
  readonly match: Matcher;
}

export function firstLook({ screen, now }: Look, by: LookedBy): Watched {
  const verdict = readReadiness(by.agent, screen, by.match);
  return {
    verdict,
    screen,
    key: keyOf(verdict),
    moving: movingIn(screen, now, by),
    since: now,
    changedAt: now,
    movedAt: now,
    knownAt: now,
    busyAt: undefined,
    workBeganAt: undefined,
    turns: 0,
  };
}

export function nextLook(before: Watched, look: Look, by: LookedBy): Watched {
  const { screen, now } = look;
  const verdict: Readiness =
    look.isGone === true
      ? { state: 'gone', evidence: 'the agent ended', composer: { kind: 'absent' } }
      : readReadiness(by.agent, screen, by.match);
  const key = keyOf(verdict);
  const moving = movingIn(screen, now, by);
  const isBusy = verdict.state === 'busy';
  const hasBegun = isBusy && before.verdict.state !== 'busy';
  const isKnown = verdict.state !== 'starting' && verdict.state !== 'unrecognised';
  return {
    verdict,
    screen,
    key,
    moving,
    since: key === before.key ? before.since : (look.since ?? now),
    changedAt: isSame(before.screen, screen) ? before.changedAt : now,
    movedAt: moving === before.moving ? before.movedAt : now,
    knownAt: isKnown ? now : before.knownAt,
    busyAt: isBusy ? now : before.busyAt,
    workBeganAt: hasBegun ? now : before.workBeganAt,
    turns: before.turns + (hasBegun ? 1 : 0),
  };
}

function movingIn(screen: Screen, now: number, { agent, match }: LookedBy): string {
  return movingPart(agent, screen, { rows: composerRows(agent.composer, screen, match), now });
}

function isSame(one: Screen, other: Screen): boolean {
  return one.lines.length === other.lines.length && one.lines.every((line, row) => line === other.lines[row]);
}

/** The state, and what the composer holds. */
function keyOf({ state, asks = '', composer }: Readiness): string {
  return `${state}\n${asks}\n${composer.kind === 'text' ? composer.text : composer.kind}`;
}
