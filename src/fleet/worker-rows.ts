// Workers of a fleet as `foreword status` lists them.

import { formatAge } from '../kernel/age.ts';
import type { WorkerSign } from '../kernel/fleet.ts';

/** A worker gives a sign every five seconds. */
const SILENT_MS = 30_000;

export const WORKER_HEADS = [
  'worker',
  'state',
  'tasks',
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
  return signs.map(({ id, state, tasks, concurrency, counts, lagMs, agents, seenAt }) => {
    const silentMs = Math.max(0, now - Date.parse(seenAt));
    return [
      id,
      silentMs > SILENT_MS ? 'silent' : state,
      `${tasks.length}/${concurrency}`,
      counts.claims,
      counts.completed,
      counts.takeovers,
      counts.spooled,
      lagMs === undefined ? '' : `${lagMs} ms`,
      agents.join(', '),
      formatAge(silentMs),
    ];
  });
}
