// Programs that run now, or of which something is left, for a way out that waits for nobody.

import { livingOf, type Run, send } from './process-table.ts';

const runs = new Set<Run>();

/** Returns what is called when nothing of it is left. */
export function trackRun(run: Run): () => void {
  runs.add(run);
  return () => {
    runs.delete(run);
  };
}

/** KILL to every process of theirs. What cannot be found is ended by the guard, within seconds after our own end. */
export function killRunning(): void {
  for (const run of runs) {
    const { isGroupAlive, escaped } = livingOf(run);
    if (isGroupAlive) send(-run.group, 'SIGKILL');
    for (const pid of escaped) send(pid, 'SIGKILL');
  }
}
