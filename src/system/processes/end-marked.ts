// Ends the processes that a supervisor which died left at work in a folder of ours: they carry a marker in their environment.

import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessTable } from './port.ts';
import { processes, send } from './process-table.ts';

const POLL_MS = 10;
/** A process that outlives KILL this long hangs in the kernel; waiting longer would not end it. */
const GIVE_UP_MS = 5_000;

/** Returns when none is left. Where the system does not show environments (macOS), it returns when `isOver` says that they are
 *  done, or after five seconds. */
export async function endMarked(id: string, isOver: () => boolean, table: ProcessTable = processes): Promise<void> {
  const until = performance.now() + GIVE_UP_MS;
  while (performance.now() < until) {
    const left = markedWith(id, table);
    if (table.hasMarkers ? left.length === 0 : isOver()) return;
    for (const pid of left) send(pid, 'SIGKILL');
    await pause(POLL_MS);
  }
}

function markedWith(id: string, table: ProcessTable): number[] {
  const found: number[] = [];
  for (const { pid, isZombie } of table.all() ?? []) {
    if (!isZombie && pid !== process.pid && table.hasMarker(pid, id)) found.push(pid);
  }
  return found;
}
