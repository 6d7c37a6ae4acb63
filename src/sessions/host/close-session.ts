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
  /** Resolves when what the agent asked for is done. */
  readonly commands: () => Promise<unknown>;
}

/** Whatever fails on the way, the server is closed and the folder removed. */
export async function closeSession(
  { project, context }: Pick<HostingParts, 'project' | 'context'>,
  { id, agent, place }: Pick<PreparedSession, 'id' | 'agent' | 'place'>,
  { session, server, startedAt, exit, commands }: Closing,
): Promise<void> {
  try {
    const stores = await project.writeStores();
    await session.end();
    await commands();
    removeBlocksOf(session.deliveries.all(), blockRemoval(project));
    await server.ended(exit.status);
    await project.emit({ kind: 'session-ended', session: id, agent: agent.name, status: exit.status });
    const left = await context.continuity(startedAt);
    if (left === undefined) return;
    await stores.continuity.append(left);
    await project.emit({ kind: 'continuity-saved', continuity: left.id, by: 'session-end' });
  } finally {
    await server.close();
    await session.close();
    removePlace(place);
  }
}
