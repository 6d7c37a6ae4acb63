// What the stores must agree on beyond their shapes: how ids become keys, how times are ordered, what belongs to which
// group, and the wording of the refusals. Anything decided here is decided once for memory, SQLite and Redis.

import type { DeliveryRecord } from '../kernel/delivery.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { SessionWork } from '../kernel/session-work.ts';
import { type Claim, FINISHED, type TaskRecord } from '../kernel/task.ts';

/** Ids are any text; keys hold no NUL (SQLite's driver stops reading there) and no lone surrogate (not UTF-8, so two
 *  ids would become one). JSON's escaping gives that, leaves everyday ids as they are, and can be undone. It also
 *  escapes newlines, which makes a newline a safe separator beside a key. */
export function keyOf(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

export function idOf(key: string): string {
  return JSON.parse(`"${key}"`) as string;
}

/** For ordering: ISO times with different offsets or precision compare as points in time. Unreadable counts as 1970. */
export function instantOf(iso: string | undefined): number {
  const at = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? 0 : at;
}

export function isFinished(record: TaskRecord): boolean {
  return FINISHED.includes(record.status);
}

/** The record as a claim leaves it. A takeover keeps the time: the status did not change. */
export function asRunning(record: TaskRecord, now: number): TaskRecord {
  if (record.status === 'running') return record;
  return { ...record, status: 'running', updated_at: new Date(now).toISOString() };
}

/** Which group a versioned record is listed under; deliveries by their session, works by their tree. */
export const GROUP_OF = {
  breakers: () => undefined,
  deliveries: (value: DeliveryRecord) => value.session,
  sessions: () => undefined,
  runs: () => undefined,
  works: (value: SessionWork) => (value.facts === undefined ? undefined : (value.tree ?? 'main')),
} as const;

export function staleOwner(claim: Claim): ForewordError {
  return new ForewordError(
    'stale-owner',
    `${claim.owner} no longer owns task ${claim.taskId}: its claim ${claim.token} ended or was taken over.`,
    { hint: 'Stop working on the task. This write was not stored.' },
  );
}

export function attemptTaken(taskId: string, given: number, next: number): ForewordError {
  return new ForewordError('conflict', `Attempt ${given} of task ${taskId} was refused: the next one is ${next}.`, {
    hint: 'Read the attempts again; another writer may have been first.',
  });
}

export function stillHeld(taskId: string, owner: string): ForewordError {
  return new ForewordError('conflict', `Task ${taskId} cannot be changed: ${owner} is working on it.`, {
    hint: 'Wait until that run is done, or stop it first.',
  });
}

export function unknownTask(taskId: string): ForewordError {
  return new ForewordError('unknown-task', `There is no task ${taskId} in the store.`, {
    hint: 'Check the id; `foreword status` lists the tasks.',
  });
}

export function assertSameTask(claim: Claim, record: TaskRecord): void {
  if (claim.taskId === record.task_id) return;
  throw new ForewordError('internal', `A claim of task ${claim.taskId} was used to write task ${record.task_id}.`);
}
