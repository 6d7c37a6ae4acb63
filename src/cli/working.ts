// A line on the terminal while something takes longer than a second, with the seconds, so that a person sees that it goes on.

import { openProgress, type ProgressTo } from './progress.ts';

/** For work that itself has something to say. */
export interface WorkingLine {
  /** Before anything else is printed; the line comes back below it. */
  clear(): void;
  /** There is no line while somebody is asked. */
  without<R>(asking: () => Promise<R>): Promise<R>;
  /** It does not come back: another program has the terminal now. */
  stop(): void;
}

const TICK_MS = 500;

/** Rejects as `work` does. */
export async function working<T>(
  call: { has(flag: string): boolean },
  text: string | (() => string),
  work: (line: WorkingLine) => Promise<T>,
  to?: ProgressTo,
): Promise<T> {
  const progress = openProgress({ isQuiet: call.has('json') }, to);
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  let isHeld = false;
  const timer = setInterval(() => {
    if (!isHeld) progress.show(`${typeof text === 'string' ? text : text()}, ${seconds()} s`);
  }, TICK_MS);
  timer.unref();
  const stop = (): void => {
    clearInterval(timer);
    progress.close();
  };
  const without: WorkingLine['without'] = async (asking) => {
    isHeld = true;
    progress.close();
    try {
      return await asking();
    } finally {
      isHeld = false;
    }
  };
  try {
    return await work({ clear: progress.close, without, stop });
  } finally {
    stop();
  }
}
