// A line on the terminal while something takes longer than a second, with the seconds, so that a person sees that it goes on.

import { openProgress } from './progress.ts';

/** Rejects as `work` does. */
export async function working<T>(
  call: { has(flag: string): boolean },
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const progress = openProgress({ isQuiet: call.has('json') });
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const timer = setInterval(() => progress.show(`${text}, ${seconds()} s`), 500);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    progress.close();
  }
}
