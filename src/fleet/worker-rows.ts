// Workers of a fleet as `foreword status` lists them.

import { formatAge } from '../kernel/age.ts';
import type { QueueCounts, WorkerSign } from '../kernel/fleet.ts';
import { silentFor, stateOf } from './old-signs.ts';

export const WORKER_HEADS = [
  'worker',
  'state',
  'tasks',
  'jobs',
  'claims',
  'completed',
  'takeovers',
  'spooled',
  'lag',
  'agents',
  'last sign',
];

/** `now` by the store's clock. */
export function workerRows(signs: readonly WorkerSign[], now: number): readonly (readonly (string | number)[])[] {
  return signs.map((sign) => {
    const { id, tasks, concurrency, counts, lagMs, agents } = sign;
    const silentMs = silentFor(sign, now);
    return [
      id,
      stateOf(sign, now),
      `${tasks.length}/${concurrency}`,
      counts.jobs,
      counts.claims,
      counts.completed,
      counts.takeovers,
      counts.spooled,
      lagMs === undefined ? '' : lagText(lagMs),
      agents.join(', '),
      formatAge(silentMs),
    ];
  });
}

/** With more tasks than workers it is minutes. */
function lagText(ms: number): string {
  return ms < 10_000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
}

export function queueLine(
  { waiting, active, delayed, seenAt }: QueueCounts & { readonly seenAt: string },
  now: number,
) {
  const age = formatAge(silentFor({ seenAt }, now));
  return `Queue: ${waiting} waiting, ${active} at a worker, ${delayed} for another worker; seen ${age}.`;
}
