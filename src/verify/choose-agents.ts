// Which agents are verified, and which ways into each are tried. Decides from the catalogs of agents; starts nothing.

import { AGENTS } from '../agents/index.ts';
import type { Agent, Interactive } from '../kernel/agent.ts';
import type { HookFacts } from '../kernel/agent-hooks.ts';
import { ForewordError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import { recipes } from './lab/recipe.ts';
import type { Tried } from './measurement.ts';

export type DrivableAgent = Agent & { readonly interactive: Interactive };

/** Names of the agents that can be run against a model of ours. */
export const VERIFIABLE: readonly string[] = recipes.map(({ agent }) => agent);

/** Each once; all of them when none is named. Throws `bad-usage` for a name nobody knows, or an agent that cannot be run
 *  against a model of ours. */
export function chooseAgents(names: readonly string[]): readonly DrivableAgent[] {
  return (names.length === 0 ? VERIFIABLE : [...new Set(names)]).map(drivable);
}

function drivable(name: string): DrivableAgent {
  const agent = AGENTS.find((one) => one.name === name);
  if (agent?.interactive !== undefined && VERIFIABLE.includes(name)) {
    return { ...agent, interactive: agent.interactive };
  }
  if (agent !== undefined) {
    throw new ForewordError('bad-usage', `${name} cannot be run against a model of ours.`, {
      hint: `These can: ${VERIFIABLE.join(', ')}.`,
    });
  }
  const meant = nearest(name, VERIFIABLE);
  throw new ForewordError('bad-usage', `There is no agent "${name}".`, {
    hint: meant === undefined ? `There are ${VERIFIABLE.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

/** Throws `missing-program` when one that was named is not installed, or none at all is. */
export function requireInstalled(names: readonly string[], installed: readonly { readonly agent: string }[]): void {
  const missing = names.filter((name) => !installed.some(({ agent }) => agent === name));
  if (installed.length > 0 && missing.length === 0) return;
  const what = missing.length === 0 ? 'No agent that can be verified is' : `${missing.join(', ')} is not`;
  throw new ForewordError('missing-program', `${what} installed: it is not on the PATH.`, {
    hint: `Verified can be ${VERIFIABLE.join(', ')}. FOREWORD_LAB names a folder with agents besides those of the PATH.`,
  });
}

/** Whether we use this way with this agent. `hooks` is what is known of its hooks, if it has any. */
export function isOffered({ interactive }: DrivableAgent, hooks: HookFacts | undefined, tried: Tried): boolean {
  const { ladder, launch } = interactive;
  switch (tried) {
    case 'hook-session-start':
      return hooks?.events['session-start'] !== undefined;
    case 'hook-prompt':
      return hooks?.events.prompt !== undefined;
    case 'hook-first-tool':
      return hooks !== undefined && hooks.events[hooks.gate] !== undefined;
    case 'start-hook':
      return ladder.includes('hook') && launch?.hook !== undefined;
    case 'start-flag':
      return ladder.includes('flag') && launch?.prompt !== undefined;
    case 'start-typed':
      return ladder.includes('typed');
    case 'file':
      return ladder.includes('file');
  }
}
