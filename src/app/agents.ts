// The agents of a project: the built-in catalog, joined to its settings.

import { AGENTS } from '../agents/index.ts';
import { type AgentSettingsOwner, configuredAgents } from '../config/agents.ts';
import type { Agent } from '../kernel/agent.ts';

/** Throws `bad-config` with every fault in their use. */
export function agentsOf(project: AgentSettingsOwner): readonly Agent[] {
  return configuredAgents(AGENTS, project);
}
