// Leases by the server's clock: machines whose clocks differ by minutes would else take tasks from living owners. How far our clock is
// off is measured now and then, and added to the times of claims.

import type { TaskStore } from '../../kernel/task.ts';

/** A clock that is set while we run is noticed within this time. */
const MEASURED_FOR_MS = 30_000;

export function byServerTime(tasks: TaskStore, serverNow: () => Promise<number>): TaskStore {
  let measured: { readonly offset: number; readonly at: number; readonly wall: number } | undefined;
  const offset = async (): Promise<number> => {
    const [at, wall] = [performance.now(), Date.now()];
    const isOld = measured === undefined || at - measured.at > MEASURED_FOR_MS;
    // Both clocks go on alike, unless somebody set ours.
    const isSet = measured !== undefined && Math.abs(wall - measured.wall - (at - measured.at)) > 1000;
    if (measured !== undefined && !isOld && !isSet) return measured.offset;
    const there = await serverNow();
    const took = performance.now() - at;
    measured = { offset: Math.round(there - (wall + took / 2)), at, wall };
    return measured.offset;
  };
  return {
    ...tasks,
    claim: async (taskId, by) => tasks.claim(taskId, { ...by, now: by.now + (await offset()) }),
    renew: async (claim, lease) => tasks.renew(claim, { ...lease, now: lease.now + (await offset()) }),
    amend: async (record, now) => tasks.amend(record, now + (await offset())),
  };
}
