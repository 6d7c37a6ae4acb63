// What the acts of a person need, and what they return. app/review.ts joins it.

import type { Stores } from '../../kernel/stores.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import type { CheckoutSource } from '../checkouts/index.ts';
import type { TaskFacts } from './decide.ts';

export interface ReviewParts {
  readonly source: CheckoutSource;
  readonly stores: Pick<Stores, 'tasks' | 'attempts' | 'runs'>;
  /** Milliseconds. */
  now(): number;
}

/** Nothing was changed. */
export interface RefusedAct {
  readonly kind: 'refused';
  readonly because: string;
  readonly hint: string;
}

export function refused(because: string, hint: string): RefusedAct {
  return { kind: 'refused', because, hint };
}

/** What decide.ts wants to know about a task; `undefined` when there is no such task. */
export async function taskFacts(
  stores: Pick<Stores, 'tasks' | 'attempts' | 'runs'>,
  id: string,
): Promise<TaskFacts | undefined> {
  const tasks = await stores.tasks.list();
  const task = tasks.find(({ task_id }) => task_id === id);
  if (task === undefined) return undefined;
  const run = task.run === undefined ? undefined : (await stores.runs.get(task.run))?.value;
  return { task, attempts: await stores.attempts.list(id), run, tasks };
}

/** The task is in the queue again. Its attempts so far do not count for its limits. */
export function backInQueue(
  task: TaskRecord,
  how: { readonly at: string; readonly attempts: number } & Pick<TaskRecord, 'rejected' | 'undone'>,
): TaskRecord {
  const { reason: _, result: _r, completed_at: _c, commit: _i, by: _b, merged: _m, ...rest } = task;
  const { rejected: _j, undone: _u, ...plain } = rest;
  const { at, attempts, ...more } = how;
  return { ...plain, ...more, status: 'queued', updated_at: at, countedFrom: attempts };
}
