import { expect, test } from 'vitest';
import type { DeliveryRecord, DeliveryStage } from '../kernel/delivery.ts';
import type { NewEvent } from '../kernel/events.ts';
import { memoryStores } from '../stores/memory.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { openDeliveries } from './deliveries.ts';
import type { NewDelivery } from './delivery/record.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const STAGES: readonly DeliveryStage[] = ['queued', 'typing', 'typed', 'placed', 'submitting', 'submitted', 'ended'];

async function queue(most = 100) {
  const clock = manualClock(NOON);
  const stores = memoryStores();
  const events: NewEvent[] = [];
  let count = 0;
  const open = () =>
    openDeliveries({
      session: 's1',
      agent: 'codex',
      stores,
      emit: async (event) => void events.push(event),
      now: () => clock.now(),
      newId: (prefix) => `${prefix}_${++count}`,
      most,
      onChange: () => undefined,
    });
  return { clock, stores, events, open, deliveries: await open() };
}

function text(id: string, part: Partial<NewDelivery> = {}): NewDelivery {
  const usual = { moment: 'prompt', priority: 'normal', text: 'read this', ladder: ['typed'] } as const;
  return { id, ...usual, required: 'submitted', ...part };
}

/** As version 0.1 before the stages had fields of their own: the same members in every stage. */
function storedBefore(stage: DeliveryStage): DeliveryRecord {
  const record = {
    id: `fw_${stage}`,
    session: 's1',
    moment: 'prompt',
    priority: 'normal',
    text: 'read this',
    queuedAt: '2026-01-01T11:59:00.000Z',
    deadline: '2026-01-01T12:29:00.000Z',
    proof: 'placed',
    channel: 'typed',
    attempts: 1,
    waiting: 'agent-busy',
    stage,
    stageAt: '2026-01-01T11:59:30.000Z',
    ladder: ['typed', 'file'],
    rung: 0,
    placedOn: ['typed'],
    presses: 2,
    notBefore: '2026-01-01T11:59:31.000Z',
    required: 'served',
    ...(stage === 'ended' ? { outcome: 'uncertain', reason: 'the session ended before the proof' } : {}),
  };
  return record as unknown as DeliveryRecord;
}

test('a record that an older version stored is read as one of its stage, and without what belongs to others', async () => {
  const { stores, open } = await queue();
  for (const stage of STAGES) await stores.deliveries.put(`fw_${stage}`, storedBefore(stage), 0);
  const { waiting, presses, notBefore, ...common } = storedBefore('ended') as unknown as Record<string, unknown>;
  const { outcome, reason, ...facts } = common;
  const of = (stage: DeliveryStage) => ({ ...facts, id: `fw_${stage}`, stage });
  expect((await open()).all()).toEqual([
    { ...of('queued'), waiting, notBefore },
    of('typing'),
    of('typed'),
    { ...of('placed'), waiting },
    { ...of('submitting'), waiting, presses },
    { ...of('submitted'), waiting },
    { ...of('ended'), outcome, reason },
  ]);
});

test('what a later version added to a record stays in it', async () => {
  const { stores, open } = await queue();
  const later: DeliveryRecord = Object.assign(storedBefore('typed'), { colour: 'green' });
  await stores.deliveries.put(later.id, later, 0);
  expect((await open()).get(later.id)).toMatchObject({ stage: 'typed', colour: 'green' });
});

test('a full queue refuses the newest of the lowest priority, with a receipt', async () => {
  const { deliveries, stores, events, clock } = await queue(2);
  await deliveries.accept(text('fw_1', { priority: 'low' }));
  await clock.advance(1000);
  await deliveries.accept(text('fw_2', { priority: 'low' }));
  await deliveries.accept(text('fw_3'));
  expect(deliveries.open().map(({ id }) => id)).toEqual(['fw_1', 'fw_3']);
  expect(await stores.receipts.read()).toMatchObject([
    { value: { delivery: 'fw_2', outcome: 'failed', reason: 'refused: the queue is full' } },
  ]);
  expect(events.map(({ kind }) => kind)).toEqual([
    'delivery-queued',
    'delivery-queued',
    'delivery-ended',
    'injection:failed',
    'delivery-queued',
  ]);
});

test('a full queue that holds nothing less important refuses the new text', async () => {
  const { deliveries } = await queue(1);
  await deliveries.accept(text('fw_1'));
  await expect(deliveries.accept(text('fw_2'))).rejects.toMatchObject({ code: 'conflict' });
});

test('a text that is there already is not queued a second time', async () => {
  const { deliveries, events } = await queue();
  const first = await deliveries.accept(text('fw_1'));
  expect(await deliveries.accept(text('fw_1', { text: 'another' }))).toBe(first);
  expect(events).toHaveLength(1);
});
