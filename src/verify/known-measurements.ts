// The results of `foreword verify`, matched to the agents that are installed now. Starts no agent.

import type { Agent } from '../kernel/agent.ts';
import { findProgram } from '../system/processes/find-program.ts';
import { type Measurement, versionIn } from './measurement.ts';
import { measurementOf, readResults } from './results.ts';

/** Where the results are stored, and where agents' programs are searched. */
export interface MeasuredMachine {
  readonly stateFolder: string;
  /** As in PATH. */
  readonly path: string;
  readonly cwd: string;
}

/** Every measurement. `isInstalled`: whether the installed program has that version; `undefined` when only starting it would
 *  show that. */
export function measurementsOfInstalled(
  agents: readonly Agent[],
  machine: MeasuredMachine,
): readonly (Measurement & { readonly isInstalled: boolean | undefined })[] {
  const results = readResults(machine.stateFolder);
  const installed = new Map(
    agents.flatMap((agent) => {
      const program = programOf(agent, machine);
      const known = program === undefined ? undefined : measurementOf(results, agent.name, program);
      return known === undefined ? [] : [[agent.name, known.version] as const];
    }),
  );
  return results.measurements.map((one) => {
    const version = installed.get(one.agent);
    return { ...one, isInstalled: version === undefined ? undefined : version === one.version };
  });
}

/** For each agent with a known version, the measurement of that version, else the newest of another one (`isStale`). */
export function measurementsOfVersions(
  agents: readonly Agent[],
  answers: Readonly<Record<string, string>>,
  { stateFolder }: Pick<MeasuredMachine, 'stateFolder'>,
): readonly (Measurement & { readonly isStale: boolean })[] {
  const results = readResults(stateFolder);
  return agents.flatMap((agent) => {
    const version = versionIn(answers[agent.name] ?? '');
    const own = results.measurements.filter((one) => one.agent === agent.name);
    const fits = own.find((one) => one.version === version);
    const newest = fits ?? own.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1);
    if (version === undefined || newest === undefined) return [];
    return [{ ...newest, isStale: fits === undefined }];
  });
}

function programOf({ interactive }: Agent, { path, cwd }: MeasuredMachine): string | undefined {
  return findProgram(interactive?.command[0] ?? '', { path, cwd });
}
