// Everything that foreword keeps for a person on this machine: listed, and removed by `foreword uninstall --purge`. The files that
// people wrote in their projects are not among it.

import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { removeCheckoutsElsewhere } from './checkouts-place.ts';
import { sizeOf } from './gone-projects.ts';
import { projectIds, wholeRecords } from './project-records.ts';
import { isPrivate, projectPlaces, type SessionBase, sessionPlace } from './project-state.ts';
import { removeTree } from './remove-tree.ts';

export interface MachineState {
  /** The folders that are removed; empty when nothing is there. */
  readonly folders: readonly string[];
  /** The roots of the projects that it is about. */
  readonly projects: readonly string[];
  readonly bytes: number;
}

/** Changes nothing. */
export function keptState(state: string, names: SessionBase): MachineState {
  const folders = [state, sessionsBase(names)].filter(
    (folder, index, all) => isOwn(folder) && all.indexOf(folder) === index,
  );
  if (!folders.includes(state)) return { folders, projects: [], bytes: 0 };
  return { folders, projects: wholeRecords(state).map(({ root }) => root), bytes: sizeOf(state) };
}

/** Throws `conflict` while a session runs: its host would go on without its records. */
export async function purgeState(state: string, names: SessionBase): Promise<void> {
  const sessions = join(sessionsBase(names), 's');
  for (const id of existsSync(sessions) ? readdirSync(sessions) : []) {
    if (!(await answers(join(sessions, id, 'socket')))) continue;
    throw new ForewordError('conflict', `Session ${id} is running; nothing was removed.`, {
      hint: 'End it first; foreword sessions lists them.',
    });
  }
  for (const id of isOwn(state) ? projectIds(state) : []) removeCheckoutsElsewhere(projectPlaces(state, id).checkouts);
  const above = isOwn(state) ? madeWith(state) : [];
  if (isOwn(state)) await removeTree(state, dirname(state));
  for (const folder of above) removeEmpty(folder);
  if (isOwn(sessionsBase(names))) rmSync(sessionsBase(names), { recursive: true, force: true });
}

/** Made in the same moment is made by us. */
const SAME_MOMENT_MS = 1000;

/** The folders right above it that were made together with it, the nearest first. */
function madeWith(state: string): readonly string[] {
  const born = statSync(state).birthtimeMs;
  const above: string[] = [];
  for (let folder = dirname(state); dirname(folder) !== folder; folder = dirname(folder)) {
    const age = born - statSync(folder).birthtimeMs;
    if (!(born > 0 && age >= 0 && age < SAME_MOMENT_MS)) break;
    above.push(folder);
  }
  return above;
}

/** One that holds anything stays. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
}

function isOwn(folder: string): boolean {
  return folder !== '' && existsSync(folder) && isPrivate(folder);
}

function sessionsBase(names: SessionBase): string {
  return sessionPlace('s00000000', names).base;
}

function answers(socket: string): Promise<boolean> {
  if (!existsSync(socket)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const client = connect(socket);
    client.once('connect', () => resolve(true)).once('error', () => resolve(false));
    client.once('connect', () => client.destroy());
  });
}
