// Watches an agent's screen: feeds the output in, reads the verdict at most every few milliseconds, and knows since when
// it holds. Does nothing while the agent writes nothing.

import type { Interactive } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Matcher } from '../kernel/matcher.ts';
import type { LiveScreen, Screen } from '../kernel/screen.ts';
import type { Terminal } from '../kernel/terminal.ts';
import type { WatchedScreen } from './delivery/view.ts';
import { type Readiness, readReadiness } from './readiness.ts';

/** Redraws come in bursts; one look per burst is enough, and a person does not notice the delay. */
const LOOK_EVERY_MS = 40;

export interface ScreenWatch extends WatchedScreen {
  /** Counts bytes, so that others notice whether anything was written. */
  readonly bytes: number;
  /** Looks now, at everything written so far. */
  look(): Promise<void>;
  onChange(listener: () => void): void;
  close(): void;
}

export function watchScreen(parts: {
  readonly terminal: Terminal;
  readonly screen: LiveScreen;
  readonly agent: Interactive;
  readonly match: Matcher;
  readonly clock: Clock;
}): ScreenWatch {
  const { terminal, screen, agent, match, clock } = parts;
  const listeners: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let shown = screen.read();
  let verdict = readReadiness(agent, shown, match);
  let key = keyOf(verdict);
  let since = clock.now();
  let knownAt = since;
  let changedAt = since;
  let busyAt: number | undefined;
  let bytes = 0;
  let turns = 0;
  let isGone = false;
  let outputAt = since;

  const judge = (): void => {
    const before = shown;
    shown = screen.read();
    if (!isSame(before, shown)) changedAt = clock.now();
    verdict = isGone
      ? { state: 'gone', evidence: 'the agent ended', composer: { kind: 'absent' } }
      : readReadiness(agent, shown, match);
    const now = clock.now();
    if (verdict.state !== 'starting' && verdict.state !== 'unrecognised') knownAt = now;
    if (verdict.state === 'busy') {
      if (!key.startsWith('busy\n')) turns += 1;
      busyAt = now;
    }
    const next = keyOf(verdict);
    if (next !== key) {
      key = next;
      // What output did a moment ago holds since then. A resize or a frame that was never finished comes without output.
      since = now - outputAt > 2 * LOOK_EVERY_MS ? now : outputAt;
    }
    for (const listener of listeners) listener();
  };
  const look = async (): Promise<void> => {
    await screen.settled();
    if (!isClosed) judge();
  };
  terminal.onOutput((chunk) => {
    bytes += chunk.length;
    outputAt = clock.now();
    screen.feed(chunk);
    timer ??= setTimeout(() => {
      timer = undefined;
      void look();
    }, LOOK_EVERY_MS);
  });
  terminal.onExit(() => {
    isGone = true;
    void look();
  });
  return {
    get verdict() {
      return verdict;
    },
    get screen() {
      return shown;
    },
    get since() {
      return since;
    },
    get changedAt() {
      return changedAt;
    },
    get knownAt() {
      return knownAt;
    },
    get busyAt() {
      return busyAt;
    },
    get turns() {
      return turns;
    },
    get bytes() {
      return bytes;
    },
    look,
    onChange: (listener) => {
      listeners.push(listener);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

function isSame(one: Screen, other: Screen): boolean {
  return one.lines.length === other.lines.length && one.lines.every((line, row) => line === other.lines[row]);
}

/** What must stay the same for a verdict to count as stable: the state, and what the composer holds. */
function keyOf(verdict: Readiness): string {
  return `${verdict.state}\n${verdict.asks ?? ''}\n${verdict.composer.kind === 'text' ? verdict.composer.text : verdict.composer.kind}`;
}
