// Which task comes next: pure, from the task file and the store's records. Every supervisor on a store plans alike;
// what keeps two from doing the same task is the claim.

import type { Task, TaskRecord } from '../../kernel/task.ts';

export interface RunPlan {
  /** Tasks that can be claimed now, in order. */
  readonly ready: readonly Task[];
  /** Tasks that can never be done in this run, each with its reason. */
  readonly impossible: readonly { readonly task: Task; readonly reason: string }[];
  /** Tasks under way, here or elsewhere: their owner may die, so they are looked at again. */
  readonly running: readonly Task[];
  /** Tasks that wait for those under way. */
  readonly waiting: readonly Task[];
}

/** Of each task, by its id, only what a plan needs. */
export type TaskStates = ReadonlyMap<string, Pick<TaskRecord, 'status'>>;

/** `tasks` in the order of the file. A lower priority comes first; equal ones stay in the order of the file. */
export function planRun(tasks: readonly Task[], records: TaskStates): RunPlan {
  const plan = {
    ready: [] as Task[],
    impossible: [] as { task: Task; reason: string }[],
    running: [] as Task[],
    waiting: [] as Task[],
  };
  const impossible = new Set<string>();
  const queued = tasks.filter((task) => records.get(task.task_id)?.status === 'queued');
  // A task that cannot be done blocks those that depend on it, however long the chain.
  for (let grown = true; grown; ) {
    grown = false;
    for (const task of queued) {
      const reason = impossible.has(task.task_id) ? undefined : whyImpossible(task, records, impossible);
      if (reason === undefined) continue;
      impossible.add(task.task_id);
      plan.impossible.push({ task, reason });
      grown = true;
    }
  }
  // The sort is stable: equal priority keeps the order of the file.
  for (const task of [...tasks].sort((a, b) => a.priority - b.priority)) {
    const status = records.get(task.task_id)?.status;
    if (status === 'running') plan.running.push(task);
    if (status !== 'queued' || impossible.has(task.task_id)) continue;
    const isReady = task.depends_on.every((id) => records.get(id)?.status === 'completed');
    (isReady ? plan.ready : plan.waiting).push(task);
  }
  return plan;
}

/** Tasks that were blocked by others (never those whose agents could not work), which are in their way no more: a person accepted,
 *  rejected or undid what they depend on. */
export function unblocked(
  tasks: readonly Task[],
  records: ReadonlyMap<string, Pick<TaskRecord, 'status' | 'reason'>>,
): readonly Task[] {
  const freed = new Set<string>();
  const isBlocked = ({ task_id, depends_on }: Task): boolean => {
    const { status, reason = '' } = records.get(task_id) ?? {};
    const isByOthers = depends_on.some((id) => reason.startsWith(`depends on ${id}, `));
    return status === 'blocked' && isByOthers && !freed.has(task_id);
  };
  const isOpen = (id: string): boolean =>
    freed.has(id) || ['queued', 'running', 'completed'].includes(records.get(id)?.status ?? '');
  // One that is free again frees those that depend on it.
  for (let size = -1; size < freed.size; ) {
    size = freed.size;
    for (const task of tasks) if (isBlocked(task) && task.depends_on.every(isOpen)) freed.add(task.task_id);
  }
  return tasks.filter(({ task_id }) => freed.has(task_id));
}

function whyImpossible(task: Task, records: TaskStates, impossible: ReadonlySet<string>): string | undefined {
  for (const id of task.depends_on) {
    const status = records.get(id)?.status;
    if (status === undefined) return `depends on ${id}, which does not exist`;
    if (impossible.has(id)) return `depends on ${id}, which cannot be done`;
    if (status === 'needs-review') return `depends on ${id}, which needs review: foreword accept ${id}, or reject it`;
    if (status === 'failed' || status === 'blocked') return `depends on ${id}, which is ${status}`;
  }
  return undefined;
}
