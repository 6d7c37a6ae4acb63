// What a person is shown when the agent of a live session has reached a limit: how long, and the command that goes on with another
// agent. Pure.

import { oneLine } from '../../kernel/safe-text.ts';
import type { Talk } from '../seats/talk.ts';

/** `others`: agents to go on with, the best first. `undefined` while there is no limit. */
export function limitHint(
  { limit }: Talk,
  given: { readonly agent: string; readonly session: string; readonly others: readonly string[] },
): string | undefined {
  if (limit === undefined) return undefined;
  const next = given.others.find((name) => name !== given.agent) ?? 'AGENT';
  return oneLine(`${given.agent}: ${limit}; go on with: foreword switch ${next} ${given.session}`, 160);
}
