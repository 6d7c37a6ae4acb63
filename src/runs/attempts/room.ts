// The room that an agent of a task runs in, or a check of its work: a box where the run has one for it.

import type { HeaderEnv } from '../../context/header.ts';
import type { Agent } from '../../kernel/agent.ts';
import { type AgentRoom, type Boxable, openRoom } from '../box/box.ts';
import type { RunPorts } from '../ports.ts';

/** What the header says of it. A box leaves the network on: the agent needs its service. */
export function envOf({ isBoxed }: Pick<AgentRoom, 'isBoxed'>): HeaderEnv {
  return { box: isBoxed ? 'bubblewrap' : 'none', network: 'on' };
}

/** Without an agent: for a check. */
export async function roomFor(
  ports: Pick<RunPorts, 'boxes' | 'startProcess'>,
  agent: Agent | undefined,
  at: Boxable,
): Promise<AgentRoom> {
  return (await ports.boxes?.open(agent, at)) ?? openRoom(at.cwd, 'this run has no boxes', ports.startProcess);
}
