// What a session does besides carrying texts: its startup context, what the agent asks of it, and the block in an
// instruction file, which goes when it has done its work.

import { readContinuity } from '../context/continuity.ts';
import { type DeliveryRecord, isEnded } from '../kernel/delivery.ts';
import { isAtLeast } from '../kernel/receipt.ts';
import type { InBandCommand } from '../sessions/in-band.ts';
import type { Session } from '../sessions/session.ts';
import { deliverStartup as startDelivery, typedLine } from '../sessions/startup.ts';
import type { Project } from './project.ts';
import { newDeliveryId, type PreparedSession, startupText } from './session.ts';

export function deliverStartup(session: Session, { startup, agent }: PreparedSession): Promise<void> {
  return startDelivery(session, startup, agent.interactive);
}

export function typeLine(session: Session, text: string): Promise<unknown> {
  return session.deliver(typedLine(newDeliveryId(), text));
}

/** What the agent asks of its session. */
export async function obey(project: Project, session: Session, command: InBandCommand): Promise<void> {
  if (command.kind === 'load') {
    await typeLine(session, await startupText(project));
    return;
  }
  const said = readContinuity(command.content, `->continuity:${command.kind}`);
  const record = {
    ...said,
    id: project.newId('con'),
    savedAt: new Date(project.clock.now()).toISOString(),
    by: 'agent',
  } as const;
  await (await project.writeStores()).continuity.append(record);
  await project.emit({ kind: 'continuity-saved', continuity: record.id, by: 'agent' });
}

/** The block in an instruction file has done its work once the model was given it, or when its time is over. */
export function removeBlockWhenDone(project: Project, session: Session): void {
  session.onDelivery((delivery) => {
    if (!delivery.placedOn.includes('file')) return;
    const isOver = isEnded(delivery) && project.clock.now() >= Date.parse(delivery.deadline);
    if (isOver || isAtLeast(delivery.proof, 'served')) void removeBlockOf(project, delivery);
  });
}

/** A block whose reader is gone has no further use: the next session is told anew. */
export async function removeOwnBlock(project: Project, session: Session): Promise<void> {
  for (const delivery of session.deliveries.all()) await removeBlockOf(project, delivery);
}

export async function removeBlockOf(project: Project, { id, file, placedOn }: DeliveryRecord): Promise<void> {
  if (!placedOn.includes('file')) return;
  const { removeBlocks } = await import('../sessions/instruction-block/managed-block-file.ts');
  removeBlocks(project.root, { id }, file === undefined ? undefined : [file]);
}
