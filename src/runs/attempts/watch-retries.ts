// An agent that retries a service by itself: it may go on for minutes, or sleep for as long as the service asked, while
// another agent could work. A hiccup is left alone.

import type { Oneshot } from '../../kernel/agent.ts';
import type { ProcessRequest } from '../../kernel/process.ts';
import type { LineWatcher } from './watch-lines.ts';

/** Two retries further apart are two hiccups of a long run. */
const SOON_MS = 120_000;
/** Agents wait for some seconds before they retry for the first time; a longer silence is a limit. */
const LONGEST_PAUSE_MS = 10_000;
/** A longer line is no message of the program. */
const MAX_RETRY_LINE = 4096;

interface RetryWatch {
  /** Ends it when it reports a long wait, and at the second retry within two minutes. */
  readonly onLine: LineWatcher;
  /** Ends it when a retry is followed by silence. */
  readonly waits: NonNullable<ProcessRequest['waits']>;
}

/** `undefined` when the agent's data knows no such line. */
export function watchRetries(
  { retryLine, limitLine }: Pick<Oneshot, 'retryLine' | 'limitLine'>,
  matches: (pattern: string, line: string) => boolean,
  now: () => number = monotonic,
): RetryWatch | undefined {
  if (retryLine === undefined && limitLine === undefined) return undefined;
  const is = (pattern: string | undefined, line: string) =>
    pattern !== undefined && line.length <= MAX_RETRY_LINE && matches(pattern, line);
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    onLine: (line) => {
      if (is(limitLine, line)) return 'limit';
      if (!is(retryLine, line)) return undefined;
      const isAgain = now() - lastAt < SOON_MS;
      lastAt = now();
      return isAgain ? 'retrying' : undefined;
    },
    waits: { isWait: (line) => is(retryLine, line), mostMs: LONGEST_PAUSE_MS },
  };
}

function monotonic(): number {
  return performance.now();
}
