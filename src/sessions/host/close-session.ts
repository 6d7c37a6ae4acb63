// Closes a session whose agent ended: last proofs, the record, and what the next session should know.

import type { TerminalExit } from '../../kernel/terminal.ts';
import { blockRemoval, removeBlocksOf } from '../channels/file/remove-block.ts';
import { removePlace } from '../places.ts';
import type { PreparedSession } from '../prepared.ts';
import type { Session } from '../session.ts';
import type { HostingParts } from './run-session.ts';
import type { SessionServer } from './serve.ts';

export interface Closing {
  readonly session: Session;
  readonly server: SessionServer;
  readonly startedAt: number;
  readonly exit: TerminalExit;
  readonly lastLines: string;
  /** Resolves when what the agent asked for is done. */
  readonly commands: () => Promise<unknown>;
}

/** Whatever fails on the way, the server is closed and the folder removed. */
export async function closeSession(
  { project, context }: Pick<HostingParts, 'project' | 'context'>,
  { id, agent, place }: Pick<PreparedSession, 'id' | 'agent' | 'place'>,
  { session, server, startedAt, exit, lastLines, commands }: Closing,
): Promise<void> {
  try {
    await session.end();
    await commands();
    removeBlocksOf(session.deliveries.all(), blockRemoval(project));
    await server.ended(exit.status, lastLines);
    await project.emit({ kind: 'session-ended', session: id, agent: agent.name, status: exit.status });
    await context.keepConversation(agent.name, startedAt);
    await context.leaveWork(agent.name, startedAt, id);
  } finally {
    await server.close();
    await session.close();
    removePlace(place);
  }
}
