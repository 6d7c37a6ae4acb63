// The agent that another program wraps: a built-in one by its name, one made by `defineAgent`, or a description of its terminal.

import type { Agent, Interactive } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import { patternFault } from './pattern-fault.ts';
import { withReadinessPatterns } from './prepare-agent.ts';

export type WrappedAgent = string | Agent | Interactive;

const NEEDED = ['command', 'screens', 'composer', 'submit', 'proofs', 'ladder'] as const;

/** Throws `bad-usage` for an agent that is not known or not complete, and for a pattern that no linear-time engine takes. */
export function describedAgent(
  agents: readonly Agent[],
  agent: WrappedAgent,
  readinessPatterns: readonly string[],
): Interactive {
  if (!(typeof agent === 'string' || (typeof agent === 'object' && agent !== null)))
    throw new ForewordError('bad-usage', 'No agent was given.', {
      hint: 'Give the name of a built-in agent, or what defineAgent returns.',
    });
  const known = interactiveOf(agents, agent);
  for (const pattern of readinessPatterns) {
    const fault = patternFault(pattern);
    if (fault !== undefined) throw new ForewordError('bad-usage', `The pattern "${pattern}" cannot be used: ${fault}.`);
  }
  return withReadinessPatterns(known, readinessPatterns);
}

/** For people and records; a description alone has no name. */
export function nameOf(agent: WrappedAgent): string {
  if (typeof agent === 'string') return agent;
  return 'name' in agent ? agent.name : 'agent';
}

function interactiveOf(agents: readonly Agent[], agent: WrappedAgent): Interactive {
  const named = typeof agent === 'string' ? agents.find(({ name }) => name === agent) : agent;
  const found = named === undefined || !('env' in named) ? named : named.interactive;
  if (found === undefined)
    throw new ForewordError('bad-usage', `There is no agent "${nameOf(agent)}" with a terminal.`, {
      hint: `Those with one: ${agents.flatMap(({ name, interactive }) => (interactive === undefined ? [] : [name])).join(', ')}.`,
    });
  const missing = NEEDED.filter((key) => (found as Partial<Interactive>)[key] === undefined);
  if (missing.length === 0) return found as Interactive;
  throw new ForewordError('bad-usage', `The description of the agent has no ${missing.join(', no ')}.`, {
    hint: 'defineAgent fills in what is missing.',
  });
}
