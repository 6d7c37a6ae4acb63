// A clock that stands still until it is told to move: time is no source of chance in tests.

import type { Clock } from '../core/clock.ts';

export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export function manualClock(startMs = 1_800_000_000_000): ManualClock {
  let now = startMs;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
