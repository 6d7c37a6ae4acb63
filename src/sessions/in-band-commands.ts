// What an agent asks of its session by a line it prints (sessions/in-band.ts finds those lines).

import { keptLine } from '../context/texts/delivery-text.ts';
import type { Continuity } from '../kernel/continuity.ts';
import type { Proof } from '../kernel/receipt.ts';
import { newDeliveryId } from '../system/ids.ts';
import type { InBandCommand } from './in-band.ts';
import type { SessionProject } from './project.ts';
import type { Session } from './session.ts';
import { typedLine } from './startup.ts';

/** What sessions get from context/. */
export interface SessionContext {
  /** The startup context as it is now. */
  startupText(): Promise<string>;
  /** What an agent saved, read from its text as far as it goes; `kept`: what of it was kept as text, and why. */
  readContinuity(text: string): {
    readonly continuity: Omit<Continuity, 'id' | 'savedAt' | 'by'>;
    readonly kept: readonly string[];
  };
  /** Removes what would make the agent delete the conversation of a session that began at this time. Never rejects. */
  keepConversation(agent: string, startedAt: number): Promise<void>;
  /** Keeps what a session of this agent did, which began at this time and is over; `host` is the id of our session around it. Never rejects. */
  leaveWork(agent: string, startedAt: number, host: string): Promise<void>;
  /** What it did so far, while it goes on, line by line; `owner` keeps it, this process where it is absent. Never rejects. */
  runningWork(agent: string, startedAt: number, owner?: string): Promise<readonly string[]>;
}

/** Rejects when it cannot be done; nothing was saved then. The agent gets a line where its words were not understood. */
export async function runCommand(
  parts: {
    readonly project: Pick<SessionProject, 'newId' | 'clock' | 'writeStores' | 'emit'>;
    readonly context: Pick<SessionContext, 'startupText' | 'readContinuity'>;
    /** Of what the agent is typed in reply. */
    readonly required: Proof;
  },
  session: Pick<Session, 'deliver'>,
  command: InBandCommand,
): Promise<void> {
  const { project, context, required } = parts;
  if (command.kind === 'load') return typeLine(session, await context.startupText(), required);
  const { continuity, kept } = context.readContinuity(command.content);
  const record: Continuity = {
    ...continuity,
    id: project.newId('con'),
    savedAt: new Date(project.clock.now()).toISOString(),
    by: 'agent',
  };
  await (await project.writeStores()).continuity.append(record);
  await project.emit({ kind: 'continuity-saved', continuity: record.id, by: 'agent' });
  if (kept.length > 0) await typeLine(session, keptLine(command.kind, kept), required);
}

/** Typed when the agent is ready for it, and not by any other channel. */
export async function typeLine(session: Pick<Session, 'deliver'>, text: string, required: Proof): Promise<void> {
  await session.deliver(typedLine(newDeliveryId(), text, required));
}
