// The agent that a program of somebody else's wraps: a built-in one by its name, or its own description.

import type { Agent, Interactive } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import { patternFault } from './pattern-fault.ts';
import { withReadinessPatterns } from './prepare-agent.ts';

/** Throws `bad-usage` for an agent that is not known and for a pattern that no linear-time engine takes. */
export function describedAgent(
  agents: readonly Agent[],
  agent: string | Interactive,
  readinessPatterns: readonly string[],
): Interactive {
  const known = typeof agent === 'string' ? agents.find(({ name }) => name === agent)?.interactive : agent;
  if (known === undefined)
    throw new ForewordError('bad-usage', `There is no agent "${String(agent)}" with a terminal.`);
  for (const pattern of readinessPatterns) {
    const fault = patternFault(pattern);
    if (fault !== undefined) throw new ForewordError('bad-usage', `The pattern "${pattern}" cannot be used: ${fault}.`);
  }
  return withReadinessPatterns(known, readinessPatterns);
}
