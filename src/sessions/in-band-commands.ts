// What an agent asks of its session by a line it prints (sessions/in-band.ts finds those lines).

import type { Continuity } from '../kernel/continuity.ts';
import { newDeliveryId } from '../system/ids.ts';
import type { InBandCommand } from './in-band.ts';
import type { SessionProject } from './project.ts';
import type { Session } from './session.ts';
import { typedLine } from './startup.ts';

/** What sessions get from context/. */
export interface SessionContext {
  /** The startup context as it is now. */
  startupText(): Promise<string>;
  /** What an agent saved, read from its text. Throws `bad-input` when it makes no sense. */
  readContinuity(text: string, where: string): Omit<Continuity, 'id' | 'savedAt' | 'by'>;
  /** What a session that began at this time leaves for the next one; `undefined` when there is nothing. */
  continuity(startedAt: number): Promise<Continuity | undefined>;
}

/** Rejects when it cannot be done; nothing was saved then. */
export async function runCommand(
  parts: {
    readonly project: Pick<SessionProject, 'newId' | 'clock' | 'writeStores' | 'emit'>;
    readonly context: Pick<SessionContext, 'startupText' | 'readContinuity'>;
  },
  session: Pick<Session, 'deliver'>,
  command: InBandCommand,
): Promise<void> {
  const { project, context } = parts;
  if (command.kind === 'load') return typeLine(session, await context.startupText());
  const record: Continuity = {
    ...context.readContinuity(command.content, `->continuity:${command.kind}`),
    id: project.newId('con'),
    savedAt: new Date(project.clock.now()).toISOString(),
    by: 'agent',
  };
  await (await project.writeStores()).continuity.append(record);
  await project.emit({ kind: 'continuity-saved', continuity: record.id, by: 'agent' });
}

/** Typed when the agent is ready for it, and not by any other channel. */
export async function typeLine(session: Pick<Session, 'deliver'>, text: string): Promise<void> {
  await session.deliver(typedLine(newDeliveryId(), text));
}
