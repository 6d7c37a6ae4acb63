// The deliveries of one session: a durable queue. What is accepted is stored before it is acknowledged; every change is
// stored before anything is done because of it; what ended leaves a receipt.

import { type DeliveryRecord, isEnded, type Priority } from '../kernel/delivery.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { Stores } from '../kernel/stores.ts';
import { eventsOf, isNewEnd, receiptOf } from './delivery/changes.ts';
import { leastImportant } from './delivery/line.ts';
import { acceptedDelivery, end, type NewDelivery, readStoredDelivery } from './delivery/record.ts';

export interface Deliveries {
  /** In the order of arrival, ended ones included. */
  all(): readonly DeliveryRecord[];
  open(): readonly DeliveryRecord[];
  get(id: string): DeliveryRecord | undefined;
  /** Stores it; one that is there already is returned as it is. Throws `conflict` when nothing of lower priority can
   *  make room. */
  accept(given: NewDelivery): Promise<DeliveryRecord>;
  /** Takes up what others stored for this session since; whether there was anything. */
  adopt(): Promise<boolean>;
  /** Stores the change, emits what happened, and leaves a receipt at the end. */
  change(next: DeliveryRecord): Promise<void>;
}

export async function openDeliveries(parts: {
  readonly session: string;
  readonly agent: string;
  readonly stores: Pick<Stores, 'deliveries' | 'receipts'>;
  readonly emit: (event: NewEvent) => Promise<void>;
  readonly now: () => number;
  readonly newId: (prefix: string) => string;
  readonly most: number;
  /** Called after each change was stored. */
  readonly onChange: (next: DeliveryRecord) => void;
}): Promise<Deliveries> {
  const { stores, emit, now } = parts;
  const records = new Map<string, { version: number; value: DeliveryRecord }>();
  /** Their version is not known before the store has replied. */
  const storing = new Set<string>();
  const readNew = async (): Promise<readonly DeliveryRecord[]> => {
    const found = (await stores.deliveries.list(parts.session)).filter(
      ({ id }) => !records.has(id) && !storing.has(id),
    );
    for (const { id, version, value } of found) records.set(id, { version, value: readStoredDelivery(value) });
    return found.map(({ value }) => value);
  };
  await readNew();
  const open = () => [...records.values()].map(({ value }) => value).filter((one) => !isEnded(one));

  const store = async (value: DeliveryRecord): Promise<void> => {
    const version = records.get(value.id)?.version ?? 0;
    // Only this process writes the deliveries of a session it owns; being second means that it no longer does.
    if (!(await stores.deliveries.put(value.id, value, version)) && !(await isStored(value))) {
      throw new ForewordError('stale-owner', `Delivery ${value.id} was changed by another process.`, {
        hint: 'Another host took the session over; this one stops.',
      });
    }
    records.set(value.id, { version: (records.get(value.id)?.version ?? version) + 1, value });
  };

  /** A write whose reply was lost is still stored. */
  const isStored = async (value: DeliveryRecord): Promise<boolean> => {
    const found = await stores.deliveries.get(value.id);
    if (found === undefined || JSON.stringify(found.value) !== JSON.stringify(value)) return false;
    records.set(value.id, { version: found.version - 1, value });
    return true;
  };

  const change = async (next: DeliveryRecord): Promise<void> => {
    const before = records.get(next.id)?.value;
    if (before === undefined || before === next) return;
    const durationMs = now() - Date.parse(next.queuedAt);
    // The receipt first: an end without one would never be listed, a second one for the same end does no harm.
    if (isNewEnd(before, next)) {
      const given = { id: parts.newId('rcp'), at: new Date(now()).toISOString(), durationMs };
      await stores.receipts.append(receiptOf(next, given));
    }
    await store(next);
    parts.onChange(next);
    for (const event of eventsOf(before, next, { agent: parts.agent, afterMs: durationMs })) await emit(event);
  };

  const makeRoom = async (priority: Priority): Promise<void> => {
    const waiting = open();
    if (waiting.length < parts.most) return;
    const refused = leastImportant(waiting, priority);
    if (refused === undefined) {
      throw new ForewordError('conflict', `${parts.most} texts wait for session ${parts.session}; it takes no more.`, {
        hint: 'Wait until some are delivered, or raise session.queueSize.',
      });
    }
    await change(end(refused, now(), { outcome: 'failed', reason: 'refused: the queue is full' }));
  };

  return {
    all: () => [...records.values()].map(({ value }) => value),
    open,
    get: (id) => records.get(id)?.value,
    accept: async (given) => {
      const known = records.get(given.id)?.value;
      if (known !== undefined) return known;
      await makeRoom(given.priority);
      const value = acceptedDelivery(given, parts.session, now());
      storing.add(value.id);
      await store(value).finally(() => storing.delete(value.id));
      const { id: delivery, session, moment, priority } = value;
      await emit({ kind: 'delivery-queued', delivery, session, agent: parts.agent, moment, priority });
      parts.onChange(value);
      return value;
    },
    adopt: async () => {
      const found = await readNew();
      for (const one of found) parts.onChange(one);
      return found.length > 0;
    },
    change,
  };
}
