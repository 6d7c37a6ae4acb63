// The agents that can be verified here: programs on the PATH and in a lab folder (scripts/lab/install.mjs) that have a recipe.
// Searching for them starts nothing.

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { platform } from '../system/platform.ts';
import { findProgram, pathOutside } from '../system/processes/find-program.ts';

export interface AgentProgram {
  readonly agent: string;
  /** Absolute, as it is started. */
  readonly program: string;
  /** The first folders of its PATH. */
  readonly path: readonly string[];
}

export interface Sought {
  readonly agent: string;
  /** The name of its program. */
  readonly name: string;
}

/** Each program once, however many links point to it. */
export function findAgents(
  sought: readonly Sought[],
  where: { readonly path: string; readonly cwd: string; readonly lab?: string | undefined },
): readonly AgentProgram[] {
  const own = dirname(process.execPath);
  const found = sought.flatMap(({ agent, name }): AgentProgram[] => {
    const program = findProgram(name, where);
    const folders = pathOutside(where).split(delimiter);
    const onPath = program === undefined ? [] : [{ agent, program, path: [dirname(program), ...folders, own] }];
    return [...onPath, ...(where.lab === undefined ? [] : inLab(where.lab, agent, name))];
  });
  const seen = new Set<string>();
  return found.filter(({ program }) => {
    const real = realpathSync(program);
    return !seen.has(real) && seen.add(real) !== undefined;
  });
}

/** `LAB/AGENT/VERSION/node_modules/.bin/NAME`; a newer Node for agents that need one is in `LAB/node24`. */
function inLab(lab: string, agent: string, name: string): readonly AgentProgram[] {
  const nodes = versionsIn(lab, 'node24').map((folder) => join(folder, 'node_modules', platform.nodePackage, 'bin'));
  return versionsIn(lab, agent).flatMap((folder): AgentProgram[] => {
    const program = join(folder, 'node_modules/.bin', name);
    if (!existsSync(program)) return [];
    return [{ agent, program, path: [dirname(program), ...nodes.filter(existsSync), dirname(process.execPath)] }];
  });
}

function versionsIn(lab: string, name: string): readonly string[] {
  const folder = join(lab, name);
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.'),
  );
  return versions.map((entry) => join(folder, entry.name)).sort();
}
