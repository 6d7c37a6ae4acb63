// The name of the project in the record of a run, for other tools (context/session-state.ts), and the configuration that a person
// named, for the command that goes on with it.

import type { RunRecord } from '../../kernel/run.ts';
import type { RunRecords } from './open-run.ts';

/** The task file may have got another name since the run began; without one the record keeps what it has. */
export async function noteProject(
  runs: RunRecords,
  id: string,
  { project, config }: Pick<RunRecord, 'project' | 'config'>,
): Promise<void> {
  const found = await runs.get(id);
  if (found === undefined) return;
  const { config: before, ...rest } = found.value;
  const name = project ?? rest.project;
  if (name === rest.project && config === before) return;
  const known = { ...(name === undefined ? {} : { project: name }), ...(config === undefined ? {} : { config }) };
  // Who was faster works on the same file.
  await runs.put(id, { ...rest, ...known }, found.version);
}
