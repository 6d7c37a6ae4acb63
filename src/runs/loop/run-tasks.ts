// The run: works through the tasks of a file until no task is left that can be done. Any number of runs may share a store;
// a claim keeps two from doing the same task, and another run takes over a task whose owner died.

import { isForewordError } from '../../kernel/errors.ts';
import type { Claim, Task, TaskRecord, TaskStatus } from '../../kernel/task.ts';
import { runTask } from '../attempts/run-task.ts';
import type { Budget } from '../budget/budget.ts';
import type { RunPorts, RunSettings } from '../ports.ts';
import type { RunReport } from '../run-options.ts';
import { planRun, type RunPlan, type TaskStates } from './run-plan.ts';
import { openTaskTurns, type TaskTurns } from './step-aside.ts';

/** How long to wait before the next look at the store while other runs have every open task. */
const LOOK_AGAIN_MS = 1000;
/** How old the states of tasks may be with which the next one is chosen. */
const RECENT_MS = 5000;

/** `tasks` are already in the store (enlistTasks). */
export async function runTasks(
  ports: RunPorts,
  settings: RunSettings,
  what: { readonly tasks: readonly Task[]; readonly signal: AbortSignal; readonly budget?: Budget | undefined },
): Promise<RunReport> {
  const startedAt = ports.clock.now();
  const mine = new Set<string>();
  const known = openStates(ports, what.tasks);
  const turns = openTaskTurns(ports, settings, what.tasks);
  const first = planRun(what.tasks, await known.now());
  const todo = first.ready.length + first.waiting.length + first.running.length + first.impossible.length;
  const { lineup, installed } = settings;
  const missing = lineup.filter((name) => !installed.has(name));
  await ports.emit({ kind: 'run-started', tasks: todo, lineup, ...(missing.length === 0 ? {} : { missing }) });
  const failed = new AbortController();
  const worker = async (): Promise<void> => {
    // One for each: many listeners on the same one read as a leak.
    const signal = AbortSignal.any([what.signal, failed.signal]);
    while (!signal.aborted) {
      await what.budget?.lookAgain();
      if (what.budget?.reached() !== undefined) return;
      const taken = await takeNext(ports, settings, { ...what, mine, known, turns });
      if (taken === 'nothing left') return;
      if (taken === 'wait') {
        await ports.clock.wait(LOOK_AGAIN_MS, signal);
        continue;
      }
      const { task } = taken;
      const mayStepAside = async (lookedAt?: number) => {
        const { ready } = planRun(what.tasks, await known.now());
        const others = ready.filter(({ task_id }) => !mine.has(task_id));
        return turns.mayStepAside(task, others, lookedAt);
      };
      await runTask(ports, settings, { ...taken, signal, budget: what.budget, mayStepAside })
        .catch((error: unknown) => {
          // Another supervisor owns it now: our writes were refused, and there is other work.
          if (!isForewordError(error) || error.code !== 'stale-owner') throw error;
        })
        .finally(() => mine.delete(task.task_id));
      turns.ended(task);
      await known.readAgain(task.task_id);
    }
  };
  const workers = Array.from({ length: settings.concurrency }, () =>
    worker().catch((error: unknown) => {
      // The others give back what they have under way before the run ends.
      failed.abort();
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  const reached = what.budget?.close();
  await Promise.all(workers);
  const states = await known.now();
  const statuses = Object.fromEntries(
    what.tasks.map(({ task_id }) => [task_id, states.get(task_id)?.status ?? 'queued'] as const),
  );
  const count = (status: TaskStatus) => Object.values(statuses).filter((each) => each === status).length;
  await ports.emit({
    kind: 'run-finished',
    completed: count('completed'),
    failed: count('failed'),
    blocked: count('blocked'),
    needsReview: count('needs-review'),
    durationMs: ports.clock.now() - startedAt,
    isInterrupted: what.signal.aborted,
  });
  const isLeft = Object.values(statuses).some((status) => status === 'queued' || status === 'running');
  const over = isLeft && reached !== undefined ? { reached } : {};
  return { statuses, isInterrupted: what.signal.aborted, ...over };
}

type Taken = { readonly task: Task; readonly claim: Claim } | 'wait' | 'nothing left';

interface Taking {
  readonly tasks: readonly Task[];
  readonly mine: Set<string>;
  readonly known: KnownStates;
  readonly turns: TaskTurns;
}

/** Records that are a moment old are enough to begin a task, which only its claim decides; not to give one up, or to find that
 *  nothing is left. */
async function takeNext(ports: RunPorts, settings: RunSettings, what: Taking): Promise<Taken> {
  const recent = planRun(what.tasks, await what.known.recent());
  const soon = recent.impossible.length > 0 ? 'wait' : await takeFrom(ports, settings, { ...what, plan: recent });
  if (typeof soon !== 'string') return soon;
  return takeFrom(ports, settings, { ...what, plan: planRun(what.tasks, await what.known.now()) });
}

async function takeFrom(
  ports: RunPorts,
  settings: RunSettings,
  { plan, mine, known, turns }: Taking & { readonly plan: RunPlan },
): Promise<Taken> {
  for (const { task, reason } of plan.impossible) {
    await block(ports, settings, { task, reason });
    await known.readAgain(task.task_id);
  }
  // Tasks that a dead supervisor left come first: they were begun first, and commits keep the order of the file.
  const open = [...plan.running, ...plan.ready].filter(({ task_id }) => !mine.has(task_id));
  for (const task of await turns.order(open)) {
    // Taken by another worker meanwhile.
    if (mine.has(task.task_id)) continue;
    const claim = await claimTask(ports, settings, task);
    if (claim === undefined) continue;
    mine.add(task.task_id);
    await ports.emit({ kind: 'task-claimed', task: task.task_id, owner: claim.owner });
    return { task, claim };
  }
  return plan.running.length + plan.ready.length > 0 ? 'wait' : 'nothing left';
}

/** A queued task, one whose lease has ended, or one whose owner is known to be dead. */
async function claimTask(ports: RunPorts, settings: RunSettings, task: Task): Promise<Claim | undefined> {
  const { tasks } = ports.stores;
  const by = { owner: settings.owner, now: ports.clock.now(), leaseMs: settings.leaseMs };
  const claim = await tasks.claim(task.task_id, by);
  if (claim !== undefined) return claim;
  const holder = await tasks.holder(task.task_id);
  if (holder === undefined || ports.isAlive(holder.owner)) return undefined;
  return tasks.claim(task.task_id, { ...by, over: holder });
}

async function block(
  ports: RunPorts,
  settings: RunSettings,
  what: { readonly task: Task; readonly reason: string },
): Promise<void> {
  const claim = await claimTask(ports, settings, what.task);
  const record = claim && (await ports.stores.tasks.get(what.task.task_id));
  if (claim === undefined || record === undefined) return;
  const { task_id } = what.task;
  const updated_at = new Date(ports.clock.now()).toISOString();
  await ports.stores.tasks.update(claim, { ...record, status: 'blocked', reason: what.reason, updated_at });
  await ports.emit({ kind: 'task-finished', task: task_id, status: 'blocked', attempts: 0, reason: what.reason });
}

interface KnownStates {
  /** As the store has them. */
  now(): Promise<TaskStates>;
  /** What others did in the last seconds may be missing: with a thousand tasks, reading all of them for each would take longer
   *  than anything else. */
  recent(): Promise<TaskStates>;
  /** After a task that this run worked on. */
  readAgain(task: string): Promise<void>;
}

function openStates(ports: RunPorts, tasks: readonly Task[]): KnownStates {
  const wanted = new Set(tasks.flatMap((task) => [task.task_id, ...task.depends_on]));
  let states = new Map<string, Pick<TaskRecord, 'status'>>();
  let readAt = Number.NEGATIVE_INFINITY;
  const now = async () => {
    const at = ports.clock.now();
    const all = await ports.stores.tasks.list();
    const ours = all.filter(({ task_id }) => wanted.has(task_id));
    // Not the records themselves, which would stay in memory.
    states = new Map(ours.map(({ task_id, status }) => [task_id, { status }]));
    readAt = at;
    return states;
  };
  return {
    now,
    recent: async () => (Math.abs(ports.clock.now() - readAt) < RECENT_MS ? states : now()),
    readAgain: async (task) => {
      const record = await ports.stores.tasks.get(task);
      if (record !== undefined) states.set(task, { status: record.status });
    },
  };
}
