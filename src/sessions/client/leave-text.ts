// Leaves a text for a session whose host the person stopped with Ctrl-Z: it is stored, listed, and taken up by the host as soon as
// the person goes on.

import type { DeliveryRecord } from '../../kernel/delivery.ts';
import { isEnded } from '../../kernel/delivery.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import { newDeliveryId } from '../../system/ids.ts';
import { acceptedDelivery } from '../delivery/record.ts';
import { newCode } from '../new-delivery.ts';
import type { SessionProject } from '../project.ts';
import { type SentFields, sentText } from '../sent-text.ts';

export type LeaveParts = Pick<SessionProject, 'clock' | 'writeStores' | 'emit' | 'redact' | 'config'>;

/** Throws as a host that takes no more. */
export async function leaveText(
  { clock, writeStores, emit, redact, config }: LeaveParts,
  { id: session, agent, required = 'submitted' }: SessionRecord,
  message: SentFields,
): Promise<DeliveryRecord> {
  const { deliveries } = await writeStores();
  const most = config.session.queueSize;
  const open = (await deliveries.list(session)).filter(({ value }) => !isEnded(value));
  if (open.length >= most) {
    throw new ForewordError('conflict', `${most} texts wait for session ${session}; it takes no more.`, {
      hint: 'Run fg in its terminal, and wait until some are delivered.',
    });
  }
  const given = sentText(message, { required, newDeliveryId, newCode });
  const accepted = acceptedDelivery({ ...given, text: redact(given.text) }, session, clock.now());
  const value: DeliveryRecord = { ...accepted, waiting: 'suspended' };
  await deliveries.put(value.id, value, 0);
  const { id: delivery, moment, priority } = value;
  await emit({ kind: 'delivery-queued', delivery, session, agent, moment, priority });
  return value;
}
