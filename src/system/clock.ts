// The system clock: the only implementation of kernel/clock.ts outside of tests (house rule one-clock).

import type { Clock } from '../kernel/clock.ts';

/** setTimeout fires at once for a longer time. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, LONGEST_TIMER_MS));
      signal?.addEventListener('abort', done);
      if (signal?.aborted === true) done();
    }),
};
