// Closes a session that died without reporting it: its host was killed, and in a PTY its agent with it. What the agent
// had not been given ends as failed or uncertain, with a receipt, so that it is listed and can be sent again.

import { isForewordError } from '../kernel/errors.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { Stores } from '../kernel/stores.ts';
import { openDeliveries } from './deliveries.ts';
import { advance } from './delivery/machine.ts';
import type { DeliveryRules } from './delivery/step.ts';

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
  },
): Promise<void> {
  const { stores, now, evidence } = parts;
  const found = await stores.sessions.get(id);
  if (found === undefined || found.value.endedAt !== undefined) return;
  const { agent } = found.value;
  const onChange = (): void => undefined;
  try {
    const deliveries = await openDeliveries({ ...parts, session: id, agent, most: Number.POSITIVE_INFINITY, onChange });
    for (const one of deliveries.open())
      await deliveries.change(advance(one, { kind: 'gone', now: now() }, RULES).delivery);
  } catch (error) {
    if (isForewordError(error) && error.code === 'stale-owner') return;
    throw error;
  }
  const endedAt = new Date(now()).toISOString();
  await stores.sessions.put(id, { ...found.value, readiness: 'gone', evidence, endedAt }, found.version);
}
