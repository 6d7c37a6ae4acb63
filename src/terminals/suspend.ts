// Ctrl-Z: an agent that stops itself, as it would in a shell. Its shell sees only this process, so this one gives the terminal
// back and stops as well, and continues the agent when it is continued.
//
// Agents do it in two ways. Some stop with a signal that nobody can ignore. Others send the signal of the terminal to their
// group, which the system ignores for an agent in a terminal of ours, since no shell of that terminal could continue it; such
// an agent has switched off its modes before that, and is stopped here.

import { setTimeout as sleep } from 'node:timers/promises';
import type { TerminalJob } from '../kernel/terminal.ts';
import type { TerminalModes } from './terminal-modes.ts';

export interface SuspendParts {
  /** Nothing is ever suspended without one. */
  readonly job: TerminalJob | undefined;
  readonly modes: Pick<TerminalModes, 'pastesEnded'>;
  /** The person's terminal becomes the shell's. */
  readonly letGo: () => Promise<void>;
  /** And ours again; `isRedrawn`: the agent draws its screen by itself. */
  readonly takeBack: (isRedrawn: boolean) => void;
}

/** An agent that does nothing within this time does not suspend itself. */
const WATCH_MS = 2_000;
const LOOK_EVERY_MS = 40;
/** Ctrl-Z as a byte, and as terminals report it that were asked for more about each key. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const SUSPEND_KEY = /\x1a|\x1b\[122;5(?::1)?u|\x1b\[27;5;122~/;

export function watchSuspend(parts: SuspendParts): { seen(keys: Uint8Array): void; close(): void } {
  const { job, modes } = parts;
  let watchUntil = 0;
  let isWatching = false;

  const watch = async (of: TerminalJob): Promise<void> => {
    const before = modes.pastesEnded;
    while (performance.now() < watchUntil) {
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
      const isStopped = of.isStopped();
      if (isStopped || modes.pastesEnded > before) return suspend(of, isStopped);
    }
  };
  const suspend = async (of: TerminalJob, isStopped: boolean): Promise<void> => {
    watchUntil = 0;
    // Its last words before it stopped.
    await sleep(LOOK_EVERY_MS);
    of.stop();
    await parts.letGo();
    // The whole job, as the terminal would. Ignored where no shell could continue us: then we go on at once.
    process.kill(0, 'SIGTSTP');
    parts.takeBack(isStopped);
    of.continue();
  };
  return {
    seen: (keys) => {
      if (job === undefined || !SUSPEND_KEY.test(Buffer.from(keys).toString('latin1'))) return;
      watchUntil = performance.now() + WATCH_MS;
      if (isWatching) return;
      isWatching = true;
      void watch(job).finally(() => {
        isWatching = false;
      });
    },
    close: () => {
      watchUntil = 0;
    },
  };
}
