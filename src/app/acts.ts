// What a session does besides carrying texts: its startup context, what the agent asks of it, and the block in an
// instruction file, which goes when it has done its work.

import { readContinuity } from '../context/continuity.ts';
import { type DeliveryRecord, isEnded } from '../kernel/delivery.ts';
import { isAtLeast } from '../kernel/receipt.ts';
import type { InBandCommand } from '../sessions/in-band.ts';
import type { Session } from '../sessions/session.ts';
import type { Project } from './project.ts';
import { newDeliveryId, type PreparedSession, startupText } from './session.ts';

export async function deliverStartup(project: Project, session: Session, prepared: PreparedSession): Promise<void> {
  const { startup } = prepared;
  if (startup === undefined) return;
  const { id, text, code, ladder, launched, required, requiredOn } = startup;
  const proofs = { required, ...(requiredOn === undefined ? {} : { requiredOn }) };
  await session.deliver({ id, moment: 'session-start', priority: 'startup', text, code, ladder, ...proofs });
  if (launched === 'flag') await session.placed(id, 'flag', { evidence: 'the launch carried it as the first prompt' });
  if (launched === 'hook') giveUpOnHook(project, session, prepared);
}

/** A hook that does not run though it should have is followed by the next way in. */
function giveUpOnHook(project: Project, session: Session, prepared: PreparedSession): void {
  const { watch } = session;
  const id = prepared.startup?.id ?? '';
  const isAtLaunch = prepared.agent.interactive.launch?.hook?.firesAt === 'launch';
  const timer = setInterval(() => {
    const delivery = session.deliveries.get(id);
    if (delivery === undefined || delivery.stage !== 'queued' || delivery.rung > 0) return clearInterval(timer);
    const isDue = isAtLaunch ? watch.verdict.state === 'ready' : watch.turns > 0;
    if (!isDue || project.clock.now() - watch.since < HOOK_GRACE_MS) return undefined;
    clearInterval(timer);
    void session.placed(id, 'hook', { refused: 'the session-start hook did not run' });
    return undefined;
  }, 500);
  timer.unref();
}

const HOOK_GRACE_MS = 4000;

export async function typeLine(session: Session, text: string): Promise<void> {
  await session.deliver({
    id: newDeliveryId(),
    moment: 'session-start',
    priority: 'normal',
    text,
    ladder: ['typed'],
    required: 'submitted',
  });
}

/** What the agent asks of its session. */
export async function obey(project: Project, session: Session, command: InBandCommand): Promise<void> {
  if (command.kind === 'load') {
    await session.deliver({
      id: newDeliveryId(),
      moment: 'session-start',
      priority: 'normal',
      text: await startupText(project),
      ladder: ['typed'],
      required: 'submitted',
    });
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
