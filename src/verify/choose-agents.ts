// Which agents are verified, and which channels of each are tried. Decides from the catalogs of agents; starts nothing.

import { AGENTS } from '../agents/index.ts';
import { LABS } from '../agents/labs.ts';
import type { Agent, Interactive } from '../kernel/agent.ts';
import type { HookFacts } from '../kernel/agent-hooks.ts';
import { ForewordError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import { recipes } from './lab/recipe.ts';
import type { Tried } from './measurement.ts';

export type DrivableAgent = Agent & { readonly interactive: Interactive };

/** Names of the agents that can use the loopback model. */
export const VERIFIABLE: readonly string[] = recipes.map(({ agent }) => agent);

/** Each once; all of them when none is named. Throws `bad-usage` for an unknown name, or an agent that cannot use the
 *  loopback model. */
export function chooseAgents(names: readonly string[]): readonly DrivableAgent[] {
  return (names.length === 0 ? VERIFIABLE : [...new Set(names)]).map(drivable);
}

function drivable(name: string): DrivableAgent {
  const agent = AGENTS.find((one) => one.name === name);
  if (agent?.interactive !== undefined && VERIFIABLE.includes(name)) {
    return { ...agent, interactive: agent.interactive };
  }
  if (agent !== undefined) {
    throw new ForewordError('bad-usage', `foreword cannot measure ${name}: it cannot be pointed at a local model.`, {
      hint: `Use one of ${VERIFIABLE.join(', ')}.`,
    });
  }
  const meant = nearest(name, VERIFIABLE);
  throw new ForewordError('bad-usage', `There is no agent "${name}".`, {
    hint: meant === undefined ? `Use one of ${VERIFIABLE.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

/** Throws `missing-program` when a named agent, or every agent, is not installed. */
export function requireInstalled(names: readonly string[], installed: readonly { readonly agent: string }[]): void {
  const missing = names.filter((name) => !installed.some(({ agent }) => agent === name));
  if (installed.length > 0 && missing.length === 0) return;
  const what = missing.length === 0 ? 'No agent that can be verified is' : `${missing.join(', ')} is not`;
  throw new ForewordError('missing-program', `${what} installed: it is not on the PATH.`, {
    hint: `Install one of ${VERIFIABLE.join(', ')}, or set FOREWORD_LAB to a folder with agents.`,
  });
}

/** Whether we use this channel with this agent. `hooks` are the facts about its hooks, if it has any. */
export function isOffered({ name, interactive }: DrivableAgent, hooks: HookFacts | undefined, tried: Tried): boolean {
  const { ladder, launch } = interactive;
  switch (tried) {
    case 'hook-session-start':
      return hooks?.events['session-start'] !== undefined;
    case 'hook-prompt':
      return hooks?.events.prompt !== undefined;
    case 'hook-first-tool':
      return hooks !== undefined && hooks.events[hooks.gate] !== undefined;
    case 'hook-compaction':
      return hooks !== undefined && LABS[name]?.compactCommand !== undefined;
    case 'hook-subagent':
      return hooks?.events['subagent-start'] !== undefined && LABS[name]?.subagent !== undefined;
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
