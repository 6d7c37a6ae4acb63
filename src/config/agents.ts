// The agents of a project: the built-in ones, which the caller passes in, with what its configuration adds or changes.

import type { Agent } from '../kernel/agent.ts';
import { environment } from '../system/environment.ts';
import { compilePattern } from '../system/patterns/linear.ts';
import { findProgram } from '../system/processes/find-program.ts';
import type { Config } from './load.ts';
import { joinAgents } from './schemas/agents.ts';

export interface AgentSettingsOwner {
  readonly config: Pick<Config, 'agents'>;
  /** Throws `bad-config` with every fault in the settings about agents. */
  checkAgents(known: { readonly builtIn: readonly Agent[]; readonly compile: typeof compilePattern }): void;
}

/** Throws `bad-config` with every fault in their use. */
export function configuredAgents(builtIn: readonly Agent[], project: AgentSettingsOwner): readonly Agent[] {
  project.checkAgents({ builtIn, compile: compilePattern });
  return joinAgents(builtIn, project.config.agents);
}

/** Names of the agents whose program is installed and that can work without a terminal. */
export function installedAgents(agents: readonly Agent[], cwd: string): ReadonlySet<string> {
  const where = { path: environment().PATH ?? '', cwd };
  const there = agents.filter(
    ({ oneshot }) => oneshot !== undefined && findProgram(oneshot.command[0], where) !== undefined,
  );
  return new Set(there.map((agent) => agent.name));
}
