// A clock that stands still until it is told to move: time is no source of chance in tests.

import type { Clock } from '../kernel/clock.ts';

export interface ManualClock extends Clock {
  /** Moves the time and lets every wait that has ended go on. */
  advance(ms: number): Promise<void>;
  /** Waits that have not ended; 0 at the end of a test, or something was left behind. */
  readonly pending: number;
}

export function manualClock(startMs = 1_800_000_000_000): ManualClock {
  let now = startMs;
  const waits = new Set<{ readonly until: number; readonly end: () => void }>();
  return {
    now: () => now,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const wait = {
          until: now + ms,
          end: () => {
            waits.delete(wait);
            signal?.removeEventListener('abort', wait.end);
            resolve();
          },
        };
        waits.add(wait);
        signal?.addEventListener('abort', wait.end);
        if (signal?.aborted === true || ms <= 0) wait.end();
      }),
    advance: async (ms) => {
      now += ms;
      for (const wait of [...waits]) if (wait.until <= now) wait.end();
      await new Promise((resolve) => setImmediate(resolve));
    },
    get pending() {
      return waits.size;
    },
  };
}
