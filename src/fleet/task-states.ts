// A task of a fleet as every worker sees it, from the records of the store alone. Workers and the queue die at any moment, so nothing
// is kept beside the records: `fleetTask` reads the state, `advance` says what each event makes of it, and the two agree (the test
// carries out every event on a store and compares).
//
// The epoch is the newest token of the task's claims. It only grows, and it names the bells of a task: a bell for epoch 3 is another
// job than that for epoch 4, so a task that was given back can be rung for while the old job is still being ended.
//
// held     Waits for tasks that it depends on. Can only be entered at the start, or from `over` when a person takes the task back
//          while a dependency is open again. No bell is rung for it.
// free     May be claimed. Can only be entered from `held`, with the commit of its last dependency (in the same write: nothing
//          releases it but the record of that task), from `claimed` and `left` when its owner gives it back, and from `over` when
//          a person wants it done again. A bell is due.
// claimed  One worker has it. Can only be entered from `free`, and from `left` by another worker, each time with the next epoch. Its
//          owner renews the claim beside its work, and ends its agents by its own clock before the lease ends (lock-clock.ts).
// left     The lease ended: the owner died, stands still or cannot reach the store. Can only be entered from `claimed`. A bell is
//          due. The old owner may come back before anybody claims it: then its renewal or its result still counts, since its token is
//          the newest. After the next claim the store refuses it.
// over     Completed, failed, blocked or for a person to look at. Can only be entered from `claimed` and `left` by the owner, and
//          from `held` and `free` when a task it depends on can no longer be done.

import type { TaskLease } from '../kernel/fleet.ts';
import type { TaskRecord, TaskStatus } from '../kernel/task.ts';

export type FleetTask =
  | { readonly kind: 'held'; readonly epoch: number; readonly waitsFor: readonly string[] }
  | { readonly kind: 'free'; readonly epoch: number }
  | { readonly kind: 'claimed'; readonly epoch: number; readonly owner: string; readonly endsAt: number }
  | { readonly kind: 'left'; readonly epoch: number; readonly owner: string }
  | { readonly kind: 'over'; readonly epoch: number; readonly status: OverStatus };

export type OverStatus = Exclude<TaskStatus, 'queued' | 'running'>;

export type FleetEvent =
  | { readonly kind: 'dependency-completed'; readonly task: string }
  | { readonly kind: 'claimed'; readonly owner: string; readonly endsAt: number }
  | { readonly kind: 'renewed'; readonly endsAt: number }
  | { readonly kind: 'lease-ended' }
  | { readonly kind: 'given-back' }
  | { readonly kind: 'ended'; readonly status: OverStatus };

/** What is not possible in a state changes nothing. */
export function advance(task: FleetTask, event: FleetEvent): FleetTask {
  const { epoch } = task;
  const isOwned = task.kind === 'claimed' || task.kind === 'left';
  switch (event.kind) {
    case 'dependency-completed': {
      if (task.kind !== 'held') return task;
      const waitsFor = task.waitsFor.filter((id) => id !== event.task);
      return waitsFor.length === 0 ? { kind: 'free', epoch } : { ...task, waitsFor };
    }
    case 'claimed':
      if (task.kind !== 'free' && task.kind !== 'left') return task;
      return { kind: 'claimed', epoch: epoch + 1, owner: event.owner, endsAt: event.endsAt };
    case 'renewed':
      return isOwned ? { kind: 'claimed', epoch, owner: task.owner, endsAt: event.endsAt } : task;
    case 'lease-ended':
      return task.kind === 'claimed' ? { kind: 'left', epoch, owner: task.owner } : task;
    case 'given-back':
      return isOwned ? { kind: 'free', epoch } : task;
    case 'ended':
      // A task that waits, or that nobody has, can only end because of those it depends on.
      if (task.kind === 'over' || (!isOwned && event.status !== 'blocked')) return task;
      return { kind: 'over', epoch, status: event.status };
  }
}

/** `completed`: which of the tasks that it depends on are. */
export function fleetTask(
  record: Pick<TaskRecord, 'status' | 'task'>,
  lease: TaskLease,
  at: { readonly completed: (task: string) => boolean; readonly now: number },
): FleetTask {
  const { epoch, owner = '', endsAt = 0 } = lease;
  if (record.status === 'running') {
    return endsAt < at.now ? { kind: 'left', epoch, owner } : { kind: 'claimed', epoch, owner, endsAt };
  }
  if (record.status !== 'queued') return { kind: 'over', epoch, status: record.status };
  const waitsFor = (record.task?.depends_on ?? []).filter((id) => !at.completed(id));
  return waitsFor.length === 0 ? { kind: 'free', epoch } : { kind: 'held', epoch, waitsFor };
}

/** Whether somebody has to be woken for it. */
export function needsBell(task: FleetTask): boolean {
  return task.kind === 'free' || task.kind === 'left';
}
