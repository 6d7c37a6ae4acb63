// Watches an agent's screen: feeds the output in, reads the verdict at most every few milliseconds, and knows since when
// it holds. Does nothing while the agent writes nothing.

import type { Interactive } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Matcher } from '../kernel/matcher.ts';
import type { LiveScreen } from '../kernel/screen.ts';
import type { Terminal } from '../kernel/terminal.ts';
import type { WatchedScreen } from './delivery/view.ts';
import { firstLook, nextLook } from './watched.ts';

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
  const { terminal, screen, clock } = parts;
  const listeners: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isGone = false;
  let bytes = 0;
  let outputAt = clock.now();
  let watched = firstLook({ screen: screen.read(), now: clock.now() }, parts);

  const judge = (): void => {
    const now = clock.now();
    // What output did a moment ago holds since then. A resize or a frame that was never finished comes without output.
    const since = now - outputAt > 2 * LOOK_EVERY_MS ? now : outputAt;
    watched = nextLook(watched, { screen: screen.read(), now, since, isGone }, parts);
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
      return watched.verdict;
    },
    get screen() {
      return watched.screen;
    },
    get since() {
      return watched.since;
    },
    get changedAt() {
      return watched.changedAt;
    },
    get movedAt() {
      return watched.movedAt;
    },
    get knownAt() {
      return watched.knownAt;
    },
    get busyAt() {
      return watched.busyAt;
    },
    get workBeganAt() {
      return watched.workBeganAt;
    },
    get turns() {
      return watched.turns;
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
