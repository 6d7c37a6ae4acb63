// How a worker is stopped: the first signal lets the tasks under way end, the second ends their agents and gives the tasks back, a
// third exits at once.

import type { Call } from './command.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** 128 and SIGTERM, as shells show it. */
const KILLED = 143;

export interface StoppedWorker {
  readonly drain: AbortSignal;
  readonly end: AbortSignal;
  /** Gives what kills every agent that runs, for a third signal. */
  killWith(kill: () => void): void;
  close(): void;
}

export function workerStops(call: Call): StoppedWorker {
  const [drain, end] = [new AbortController(), new AbortController()];
  let killAll: (() => void) | undefined;
  const stop = () => {
    if (end.signal.aborted) {
      killAll?.();
      process.exit(KILLED);
    }
    if (drain.signal.aborted) {
      call.out.note('foreword: ending the agents; their tasks are given back.');
      end.abort();
      return;
    }
    call.out.note(
      'foreword: no further task is taken; those under way go on. A second signal ends their agents and gives the tasks back.',
    );
    drain.abort();
  };
  call.whenUnread(() => undefined);
  for (const name of SIGNALS) process.on(name, stop);
  return {
    drain: drain.signal,
    end: end.signal,
    killWith: (kill) => {
      killAll = kill;
    },
    close: () => {
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
}
