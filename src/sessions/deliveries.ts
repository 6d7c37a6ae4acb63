// The deliveries of one session: a durable queue. What is accepted is stored before it is acknowledged; every change is
// stored before anything is done because of it; what ended leaves a receipt.

import { DEADLINE_MS, type DeliveryRecord, isEnded, PRIORITIES, type Priority } from '../kernel/delivery.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { NewEvent } from '../kernel/events.ts';
import { type Channel, isAtLeast, type Moment, type Proof } from '../kernel/receipt.ts';
import type { Stores } from '../kernel/stores.ts';

export interface NewDelivery {
  readonly id: string;
  readonly moment: Moment;
  readonly priority: Priority;
  readonly text: string;
  readonly ladder: readonly Channel[];
  readonly required: Proof;
  readonly requiredOn?: NonNullable<DeliveryRecord['requiredOn']>;
  readonly code?: string;
  readonly deadlineMs?: number;
}

export interface Deliveries {
  /** In the order of arrival, ended ones included. */
  all(): readonly DeliveryRecord[];
  open(): readonly DeliveryRecord[];
  get(id: string): DeliveryRecord | undefined;
  /** Stores it; one that is there already is answered as it is. Throws `conflict` when nothing of lower priority can
   *  make room. */
  accept(given: NewDelivery): Promise<DeliveryRecord>;
  /** Stores the change, tells what happened, and leaves a receipt at the end. */
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
  for (const { id, version, value } of await stores.deliveries.list(parts.session)) records.set(id, { version, value });
  const of = (delivery: DeliveryRecord) => ({ delivery: delivery.id, session: parts.session, agent: parts.agent });
  const open = () => [...records.values()].map(({ value }) => value).filter((one) => !isEnded(one));

  const store = async (value: DeliveryRecord): Promise<void> => {
    const version = records.get(value.id)?.version ?? 0;
    // Only this process writes the deliveries of a session it owns; being second means that it no longer does.
    if (!(await stores.deliveries.put(value.id, value, version)) && !(await isStored(value))) {
      throw new ForewordError('stale-owner', `Delivery ${value.id} was changed by another process.`, {
        hint: 'Another wrapper took the session over; this one stops.',
      });
    }
    records.set(value.id, { version: (records.get(value.id)?.version ?? version) + 1, value });
  };

  /** A write whose answer was lost is there all the same. */
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
    const isOver = isEnded(next) && (next.outcome !== before.outcome || next.proof !== before.proof);
    if (isOver) await leaveReceipt(next, durationMs);
    await store(next);
    parts.onChange(next);
    if (next.attempts > before.attempts && next.channel !== undefined) {
      const { attempts: attempt, channel, priority } = next;
      await emit({ kind: 'delivery-attempted', ...of(next), attempt, channel, priority });
    }
    const to = next.ladder[next.rung];
    if (next.rung > before.rung && to !== undefined)
      await emit({ kind: 'delivery-escalated', ...of(next), to, reason: next.reason ?? '' });
    const channel = next.channel === undefined ? {} : { channel: next.channel };
    if (next.proof !== before.proof && isAtLeast(next.proof, before.proof)) {
      const { proof, evidence = '' } = next;
      await emit({ kind: 'delivery-proved', ...of(next), proof, ...channel, evidence, afterMs: durationMs });
    }
    if (isEnded(next) && next.outcome !== before.outcome) {
      const { moment, outcome = 'failed', proof, reason, attempts } = next;
      await emit({
        kind: 'delivery-ended',
        ...of(next),
        moment,
        outcome,
        proof,
        ...channel,
        ...(reason === undefined ? {} : { reason }),
        attempts,
        durationMs,
      });
    }
  };

  const leaveReceipt = async (ended: DeliveryRecord, durationMs: number): Promise<void> => {
    const { moment, proof, outcome = 'failed', reason, evidence, attempts } = ended;
    await stores.receipts.append({
      id: parts.newId('rcp'),
      delivery: ended.id,
      session: parts.session,
      moment,
      channel: ended.channel ?? ended.ladder[ended.rung] ?? ended.ladder.at(-1) ?? 'notice',
      proof,
      outcome,
      ...(reason === undefined ? {} : { reason }),
      ...(evidence === undefined ? {} : { evidence }),
      at: new Date(now()).toISOString(),
      attempts,
      durationMs,
    });
  };

  /** The newest of the lowest priority makes room for what is more important; else the new one is refused. */
  const makeRoom = async (priority: Priority): Promise<void> => {
    const waiting = open();
    if (waiting.length < parts.most) return;
    const rank = (one: Priority) => PRIORITIES.indexOf(one);
    const lowest = waiting.filter((one) => one.stage === 'queued' && rank(one.priority) > rank(priority));
    const newest = lowest.sort((a, b) => rank(b.priority) - rank(a.priority) || (a.queuedAt < b.queuedAt ? 1 : -1))[0];
    if (newest === undefined) {
      throw new ForewordError('conflict', `${parts.most} texts wait for session ${parts.session}; it takes no more.`, {
        hint: 'Wait until some are delivered, or raise session.queueSize.',
      });
    }
    const stageAt = new Date(now()).toISOString();
    await change({ ...newest, stage: 'ended', stageAt, outcome: 'failed', reason: 'refused: the queue is full' });
  };

  return {
    all: () => [...records.values()].map(({ value }) => value),
    open,
    get: (id) => records.get(id)?.value,
    accept: async (given) => {
      const known = records.get(given.id)?.value;
      if (known !== undefined) return known;
      await makeRoom(given.priority);
      const at = now();
      const { deadlineMs = DEADLINE_MS[given.priority], ...rest } = given;
      const value: DeliveryRecord = {
        ...rest,
        session: parts.session,
        queuedAt: new Date(at).toISOString(),
        deadline: new Date(at + deadlineMs).toISOString(),
        proof: 'queued',
        attempts: 0,
        stage: 'queued',
        stageAt: new Date(at).toISOString(),
        rung: 0,
        placedOn: [],
        presses: 0,
      };
      await store(value);
      await emit({ kind: 'delivery-queued', ...of(value), moment: value.moment, priority: value.priority });
      parts.onChange(value);
      return value;
    },
    change,
  };
}
