// The machine that init and uninstall work on: its agents, its files, and the records in the person's state folder.

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import type { Environment } from '../system/environment.ts';
import { findRoot } from '../system/files/project.ts';
import { personState, stateFolder } from '../system/files/project-state.ts';
import { findProgram } from '../system/processes/find-program.ts';
import { DISK, type WritableFiles } from './disk.ts';
import type { LineupCandidate } from './lineup.ts';
import type { Machine } from './plan-file.ts';
import { openRecords } from './records.ts';
import type { Places, Target } from './target.ts';

/** Facts about this process and its machine. */
export interface InstallHost {
  readonly env: Environment;
  /** Used when HOME is not set. */
  readonly homedir: string;
  /** The agents that can get hooks. */
  readonly targets: readonly Target[];
  /** The file that runs foreword; the hook program is beside it. */
  readonly commandFile: string | undefined;
  /** The agents that can work without a terminal, for the lineup. */
  readonly candidates: readonly LineupCandidate[];
  /** The lineup where nobody set one. */
  readonly usualLineup: readonly string[];
  /** The Node that runs this process. */
  readonly node: { readonly path: string; readonly version: string };
}

export interface InstallMachine extends Machine {
  readonly files: WritableFiles;
  readonly targets: readonly Target[];
  readonly stateFolder: string;
  /** The folder of the records. */
  readonly recordFolder: string;
}

/** Throws `bad-usage` when there is no such folder. */
export function openMachine({ env, homedir, targets }: InstallHost, cwd: string | undefined): InstallMachine {
  const here = resolve(cwd ?? '.');
  if (statSync(here, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ForewordError('bad-usage', `There is no folder ${cwd}.`, { hint: 'Check the path given to --cwd.' });
  }
  const state = stateFolder(env, homedir);
  const recordFolder = personState(state).installed;
  const places = { home: env.HOME || homedir, root: realpathSync(findRoot(here)), env };
  return { places, files: DISK, records: openRecords(recordFolder), targets, stateFolder: state, recordFolder };
}

/** The named agents, or those found on the machine. Throws `bad-usage` for an unknown name. */
export function chooseTargets(
  { targets, places, files }: Pick<InstallMachine, 'targets' | 'places' | 'files'>,
  names: readonly string[] | undefined,
): readonly Target[] {
  if (names === undefined) return targets.filter((target) => isFound(target, places, files));
  const known = targets.map(({ agent }) => agent);
  return names.map((name) => {
    const target = targets.find(({ agent }) => agent === name);
    if (target !== undefined) return target;
    const guess = nearest(name, known);
    throw new ForewordError('bad-usage', `foreword init knows no agent "${name}".`, {
      hint: guess === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean ${guess}?`,
    });
  });
}

/** Its program is on the PATH, or one of its folders exists. */
function isFound({ programs, folders }: Target, places: Places, files: Pick<WritableFiles, 'isFolder'>): boolean {
  const where = { path: places.env.PATH ?? '', cwd: places.root };
  return (
    programs.some((name) => findProgram(name, where) !== undefined) ||
    folders(places).some((folder) => files.isFolder(folder))
  );
}
