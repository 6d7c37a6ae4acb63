// The name of the project in the record of a run, for other tools (context/session-state.ts).

import type { RunRecords } from './open-run.ts';

/** The task file may have got another name since the run began; without one the record keeps what it has. */
export async function noteProject(runs: RunRecords, id: string, project: string | undefined): Promise<void> {
  const found = await runs.get(id);
  if (found === undefined || project === undefined || found.value.project === project) return;
  // Who was faster works on the same file.
  await runs.put(id, { ...found.value, project }, found.version);
}
