// Ends what a program left behind when its first process ended: its group, and on Linux also processes that left the
// group (double fork, setsid) but still carry the run's marker in their environment.
//
// What cannot be caught: a process that left the group and cleared its environment or belongs to another user; one that
// somebody else started on request (cron, systemd-run, a container); and outside Linux every process that left the
// group. Only a pid namespace or a cgroup catches those.

import { setTimeout as pause } from 'node:timers/promises';
import { type Living, livingOf, type Run, send } from './process-table.ts';

const POLL_MS = 20;
/** A process that outlives KILL this long hangs in the kernel (a dead network disk); waiting longer would not end it. */
const GIVE_UP_MS = 2_000;

/** TERM at once, KILL to what is left after `patienceMs`. `hasTerm`: the group got its TERM before, and a second one
 *  would make many programs drop their work. */
export async function endLeftovers(
  run: Run,
  options: { readonly patienceMs: number; readonly hasTerm: boolean },
): Promise<void> {
  const killAt = performance.now() + options.patienceMs;
  const signalled = new Set<number>(options.hasTerm ? [-run.group] : []);
  for (let living = livingOf(run); isAny(living); living = livingOf(run)) {
    const now = performance.now();
    if (now >= killAt + GIVE_UP_MS) return;
    for (const target of [...(living.isGroupAlive ? [-run.group] : []), ...living.escaped]) {
      if (now >= killAt) send(target, 'SIGKILL');
      else if (!signalled.has(target)) send(target, 'SIGTERM');
      signalled.add(target);
    }
    await pause(POLL_MS);
  }
}

function isAny(living: Living): boolean {
  return living.isGroupAlive || living.escaped.length > 0;
}
