// What the next agent of a live session is given first: why it was switched, and where the work stands. Pure. The person's last
// prompt is not in it: that is put into the composer, so that the model gets it once.

import { buildCircuitBreakerContext } from '../../context/handover/handover.ts';
import { oneLine } from '../../kernel/safe-text.ts';

export interface SwitchFacts {
  readonly from: string;
  /** The limit that the agent hit; absent when the person just wants another one. */
  readonly limit?: string | undefined;
  /** What the session did so far, line by line. */
  readonly work: readonly string[];
}

const MOST_CHARS = 2048;
const MOST_LINE = 300;

export function handOverText({ from, limit, work }: SwitchFacts): string {
  const block = buildCircuitBreakerContext({
    failedProvider: from,
    failureReason: limit ?? 'the person switched to another agent',
  }).trimEnd();
  if (work.length === 0) return block;
  const lines = [`The session of ${oneLine(from, 40)} so far:`, ...work.map((line) => oneLine(line, MOST_LINE))];
  const room = MOST_CHARS - block.length - 2;
  while (lines.join('\n').length > room) lines.pop();
  return `${block}\n\n${lines.join('\n')}`;
}
