// What the attempts of a task used in one session of their agent. Pure.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import { addUsage, type Usage } from '../../kernel/usage.ts';

/** `undefined` when no attempt had that session. */
export function usedInSession(
  attempts: readonly Pick<AttemptRecord, 'session' | 'usage'>[],
  session: string,
): Usage | undefined {
  const same = attempts.filter((attempt) => attempt.session === session);
  if (same.length === 0) return undefined;
  const { runs: _, withoutTokens: __, withoutCost: ___, ...usage } = addUsage(same.map(({ usage: used }) => used));
  return usage;
}
