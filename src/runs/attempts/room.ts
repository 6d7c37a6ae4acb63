// The room that an agent of a task runs in, or a check of its work: a box where the run has one for it.

import type { Agent } from '../../kernel/agent.ts';
import { type AgentRoom, type Boxable, openRoom } from '../box/box.ts';
import type { RunPorts } from '../ports.ts';

/** Without an agent: for a check. */
export async function roomFor(
  ports: Pick<RunPorts, 'boxes' | 'startProcess'>,
  agent: Agent | undefined,
  at: Boxable,
): Promise<AgentRoom> {
  return (await ports.boxes?.open(agent, at)) ?? openRoom(at.cwd, 'this run has no boxes', ports.startProcess);
}
