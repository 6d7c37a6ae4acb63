// Rings for tasks that somebody may claim: those that a commit released, those that were given back, and every few seconds, by one
// worker of the fleet, all of them. A bell that was lost costs seconds, never a task.

import { ForewordError, isForewordError } from '../kernel/errors.ts';
import type { FleetStore } from '../kernel/fleet.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Task, TaskRecord } from '../kernel/task.ts';
import { planRun, unblocked } from '../runs/loop/run-plan.ts';
import { type Bells, bellPriority, FIRST_PRIORITY } from './bells.ts';
import { fleetTask, needsBell } from './task-states.ts';

export interface RingParts {
  readonly stores: Stores;
  readonly bells: Pick<Bells, 'ring'>;
  /** Names this machine on the store. */
  readonly owner: string;
  readonly lockMs: number;
  /** The clock of this machine; the store corrects it. */
  now(): number;
}

/** Rung again at once: workers are busy with them for longer than until the next time. */
const MOST_AGAIN = 5_000;

export interface Swept {
  /** Tasks that are neither over nor impossible. */
  readonly open: number;
  readonly rung: number;
}

/** Throws `bad-usage` when the store is for one machine only. */
export function fleetOf({ fleet }: Pick<Stores, 'fleet'>): FleetStore {
  if (fleet !== undefined) return fleet;
  throw new ForewordError('bad-usage', 'Several machines need a store that all of them reach.', {
    hint: 'Use --store redis://HOST; another machine needs rediss:// with a user and a password before its name.',
  });
}

/** Runs that machines share and that are not merged. */
export async function sharedRuns({ runs }: Pick<Stores, 'runs'>): Promise<readonly RunRecord[]> {
  const all = (await runs.list()).map(({ value }) => value);
  return all.filter(({ remote, state }) => remote !== undefined && state === 'open');
}

/** Looks at every task of the shared runs: rings for those that are free or left, blocks those that can never be done, and
 *  takes back what a person's word freed. */
export async function sweep(parts: RingParts): Promise<Swept> {
  const runs = new Set((await sharedRuns(parts.stores)).map(({ id }) => id));
  const all = await parts.stores.tasks.list();
  const records = all.filter(({ run, task }) => run !== undefined && runs.has(run) && task !== undefined);
  const tasks = records.map(({ task }) => task as Task);
  const states = new Map(all.map(({ task_id, status, reason = '' }) => [task_id, { status, reason }]));
  for (const { task_id } of unblocked(tasks, states))
    if (await backInQueue(parts, task_id)) states.set(task_id, { status: 'queued', reason: '' });
  const plan = planRun(tasks, states);
  for (const { task, reason } of plan.impossible) await block(parts, task, reason);
  // Those under way first: their owner may be gone.
  const open = [...plan.running, ...plan.ready].slice(0, MOST_AGAIN);
  const byId = new Map(
    records.map((record) => [
      record.task_id,
      { ...record, status: states.get(record.task_id)?.status ?? record.status },
    ]),
  );
  const rung = await ring(
    parts,
    open.flatMap(({ task_id }) => byId.get(task_id) ?? []),
    () => true,
  );
  return { open: plan.ready.length + plan.running.length + plan.waiting.length, rung };
}

/** Rings for those of the tasks that need it; how many. They and their dependencies are read from the store. */
export async function ringFor(parts: RingParts, tasks: readonly Task[]): Promise<number> {
  const { stores } = parts;
  const found = await Promise.all(tasks.map(({ task_id }) => stores.tasks.get(task_id)));
  const records = found.flatMap((record) => record ?? []);
  const done = await Promise.all(records.map((record) => completedOf(stores, record)));
  const all = new Set(done.flatMap((one) => [...one]));
  return ring(parts, records, (id) => all.has(id));
}

async function ring(
  { stores, bells }: RingParts,
  records: readonly TaskRecord[],
  completed: (task: string) => boolean,
): Promise<number> {
  const fleet = fleetOf(stores);
  const leases = await fleet.leases(records.map(({ task_id }) => task_id));
  const now = await fleet.now();
  const due = records.flatMap((record, index) => {
    const state = fleetTask(record, leases[index] ?? { epoch: 0 }, { completed, now });
    const { task_id: task } = record;
    const priority = state.kind === 'left' ? FIRST_PRIORITY : bellPriority(record.task?.priority ?? 0);
    return needsBell(state) ? [{ task, epoch: state.epoch, priority, rungAt: now }] : [];
  });
  if (due.length > 0) await bells.ring(due);
  return due.length;
}

/** Which of the tasks that it depends on are completed. */
export async function completedOf(
  { tasks }: Pick<Stores, 'tasks'>,
  { status, task }: Pick<TaskRecord, 'status' | 'task'>,
): Promise<ReadonlySet<string>> {
  const wanted = status === 'queued' ? (task?.depends_on ?? []) : [];
  const records = await Promise.all(wanted.map((id) => tasks.get(id)));
  return new Set(records.flatMap((record) => (record?.status === 'completed' ? [record.task_id] : [])));
}

async function block({ stores, owner, lockMs, now }: RingParts, task: Task, reason: string): Promise<void> {
  const claim = await stores.tasks.claim(task.task_id, { owner, now: now(), leaseMs: lockMs });
  const record = claim && (await stores.tasks.get(task.task_id));
  if (claim === undefined || record === undefined) return;
  await stores.tasks.update(claim, { ...record, status: 'blocked', reason, updated_at: new Date(now()).toISOString() });
}

/** False when it is another one's word meanwhile. */
async function backInQueue({ stores, now }: RingParts, id: string): Promise<boolean> {
  const record = await stores.tasks.get(id);
  if (record?.status !== 'blocked') return false;
  const { reason: _, ...rest } = record;
  try {
    await stores.tasks.amend({ ...rest, status: 'queued', updated_at: new Date(now()).toISOString() }, now());
    return true;
  } catch (error) {
    if (isForewordError(error) && error.code === 'conflict') return false;
    throw error;
  }
}
