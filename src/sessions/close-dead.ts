// Closes a session that died without reporting it: its host was killed, and in a PTY its agent with it. What the agent
// had not been given ends as failed or uncertain, with a receipt, so that it is listed and can be sent again. What the agent wrote
// down is looked at a last time before: the host may have died before it saw an answer.

import { isForewordError } from '../kernel/errors.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { SessionRecord } from '../kernel/session.ts';
import type { Stores } from '../kernel/stores.ts';
import type { TranscriptText } from '../kernel/transcript.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';
import { advance } from './delivery/machine.ts';
import type { DeliveryEvent, DeliveryRules } from './delivery/step.ts';
import { searchProofs } from './proof-search.ts';

/** An end asks for no times. */
const RULES: DeliveryRules = {
  stableMs: 0,
  personMs: 0,
  submitDelayMs: 0,
  readinessTimeoutMs: 0,
  retryBackoffs: [],
  fileFallbackAfterAttempts: 0,
  sendNotificationOnFailure: false,
};

/** Where another process does the same at the same time, one of them does it. */
export async function closeDeadSession(
  id: string,
  parts: {
    readonly stores: Pick<Stores, 'sessions' | 'deliveries' | 'receipts'>;
    readonly emit: (event: NewEvent) => Promise<void>;
    readonly now: () => number;
    readonly newId: (prefix: string) => string;
    /** How it is known to be dead. */
    readonly evidence: string;
    /** What the agent wrote down; asked when it may prove something. */
    readonly transcript: (record: SessionRecord) => Promise<readonly TranscriptText[]>;
  },
): Promise<void> {
  const { stores, now, evidence } = parts;
  const found = await stores.sessions.get(id);
  if (found === undefined || found.value.endedAt !== undefined) return;
  const { agent } = found.value;
  const onChange = (): void => undefined;
  try {
    const deliveries = await openDeliveries({ ...parts, session: id, agent, most: Number.POSITIVE_INFINITY, onChange });
    await proveBy(deliveries, async () => parts.transcript(found.value), now());
    for (const one of deliveries.open())
      await deliveries.change(advance(one, { kind: 'gone', now: now() }, RULES).delivery);
  } catch (error) {
    if (isForewordError(error) && error.code === 'stale-owner') return;
    throw error;
  }
  const endedAt = new Date(now()).toISOString();
  await stores.sessions.put(id, { ...found.value, readiness: 'gone', evidence, endedAt }, found.version);
}

async function proveBy(
  deliveries: Deliveries,
  transcript: () => Promise<readonly TranscriptText[]>,
  now: number,
): Promise<void> {
  if (!deliveries.open().some(({ placedOn }) => placedOn.length > 0)) return;
  const match = { test: () => false };
  const found = searchProofs(deliveries.open(), await transcript(), { before: {}, ackPatterns: [], match });
  const apply = async (id: string, event: DeliveryEvent): Promise<void> => {
    const delivery = deliveries.get(id);
    if (delivery !== undefined) await deliveries.change(advance(delivery, event, RULES).delivery);
  };
  for (const { id, ...proof } of found.proofs) await apply(id, { kind: 'proved', now, ...proof });
  for (const { id, reason } of found.faults) await apply(id, { kind: 'unanswered', now, reason });
}
