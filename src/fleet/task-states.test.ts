import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Claim, TaskRecord } from '../kernel/task.ts';
import { memoryStores } from '../stores/memory.ts';
import { advance, type FleetEvent, type FleetTask, fleetTask, needsBell } from './task-states.ts';

const STATES: readonly FleetTask[] = [
  { kind: 'held', epoch: 3, waitsFor: ['dep'] },
  { kind: 'free', epoch: 3 },
  { kind: 'claimed', epoch: 3, owner: 'one', endsAt: 100 },
  { kind: 'left', epoch: 3, owner: 'one' },
  { kind: 'over', epoch: 3, status: 'completed' },
];
const EVENTS: readonly FleetEvent[] = [
  { kind: 'dependency-completed', task: 'dep' },
  { kind: 'claimed', owner: 'two', endsAt: 200 },
  { kind: 'renewed', endsAt: 200 },
  { kind: 'lease-ended' },
  { kind: 'given-back' },
  { kind: 'ended', status: 'completed' },
  { kind: 'ended', status: 'blocked' },
];

test('every event in every state', () => {
  const shown = ({ kind, epoch }: FleetTask) => (epoch === 3 ? kind : `${kind}+${epoch - 3}`);
  const rows = STATES.map((state) => [
    state.kind,
    ...EVENTS.map((event) => {
      const next = advance(state, event);
      return next === state ? '·' : shown(next);
    }),
  ]);
  const heads = ['', ...EVENTS.map((event) => ('status' in event ? event.status : event.kind))];
  const text = [heads, ...rows]
    .map((row) =>
      row
        .map((cell) => cell.padEnd(21))
        .join('')
        .trimEnd(),
    )
    .join('\n');
  expect(`\n${text}\n`).toMatchInlineSnapshot(`
    "
                         dependency-completed claimed              renewed              lease-ended          given-back           completed            blocked
    held                 free                 ·                    ·                    ·                    ·                    ·                    over
    free                 ·                    claimed+1            ·                    ·                    ·                    ·                    over
    claimed              ·                    ·                    claimed              left                 free                 over                 over
    left                 ·                    claimed+1            claimed              ·                    free                 over                 over
    over                 ·                    ·                    ·                    ·                    ·                    ·                    ·
    "
  `);
});

test('a bell is due exactly for tasks that somebody may claim', () => {
  expect(STATES.filter(needsBell).map(({ kind }) => kind)).toEqual(['free', 'left']);
});

/** One task `a` after `dep` on a store, and what can happen to it. Times are in milliseconds. */
async function openModel() {
  const stores = memoryStores();
  let now = 1000;
  let [claim, depClaim]: (Claim | undefined)[] = [];
  const at = () => new Date(now).toISOString();
  const record = (task_id: string, status: TaskRecord['status'], depends_on: readonly string[] = []) =>
    ({ task_id, status, intent: '', updated_at: at(), task: { task_id, depends_on } }) as unknown as TaskRecord;
  await stores.tasks.add(record('dep', 'queued'));
  await stores.tasks.add(record('a', 'queued', ['dep']));
  const state = async () => {
    const [lease = { epoch: 0 }] = (await stores.fleet?.leases(['a'])) ?? [];
    const isDone = (await stores.tasks.get('dep'))?.status === 'completed';
    return fleetTask((await stores.tasks.get('a')) as TaskRecord, lease, { completed: () => isDone, now });
  };
  const act = async (name: string): Promise<FleetEvent | undefined> => {
    const before = await state();
    now += 10;
    if (name === 'dep') {
      depClaim ??= await stores.tasks.claim('dep', { owner: 'x', now, leaseMs: 1e9 });
      if (depClaim !== undefined && before.kind === 'held')
        await stores.tasks.update(depClaim, record('dep', 'completed'));
      return { kind: 'dependency-completed', task: 'dep' };
    }
    if (name === 'claim') {
      if (before.kind === 'held') return undefined;
      const got = await stores.tasks.claim('a', { owner: 'w', now, leaseMs: 100 });
      if (got === undefined) return undefined;
      claim = got;
      return { kind: 'claimed', owner: 'w', endsAt: now + 100 };
    }
    if (name === 'wait') {
      now += 200;
      return { kind: 'lease-ended' };
    }
    if (claim === undefined) return undefined;
    const write =
      name === 'renew'
        ? stores.tasks.renew(claim, { now, leaseMs: 100 })
        : stores.tasks.update(claim, record('a', name === 'back' ? 'queued' : 'completed', ['dep']));
    const isStored = await write.then(
      () => true,
      () => false,
    );
    if (!isStored) return undefined;
    if (name === 'renew') return { kind: 'renewed', endsAt: now + 100 };
    return name === 'back' ? { kind: 'given-back' } : { kind: 'ended', status: 'completed' };
  };
  return { state, act };
}

test('what the store says after each event is what the machine says', async () => {
  const events = fc.array(fc.constantFrom('dep', 'claim', 'renew', 'wait', 'back', 'end'), { maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(events, async (names) => {
      const model = await openModel();
      let expected = await model.state();
      for (const name of names) {
        const event = await model.act(name);
        if (event !== undefined) expected = advance(expected, event);
        expect(await model.state()).toEqual(expected);
      }
    }),
    { numRuns: 200 },
  );
});
