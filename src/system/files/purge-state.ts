// Everything that foreword keeps for a person on this machine: listed, and removed by `foreword uninstall --purge`. The files that
// people wrote in their projects are not among it.

import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { nameSome } from '../../kernel/name-some.ts';
import { isListening } from '../processes/is-listening.ts';
import { everybodyAtWork } from './at-work.ts';
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
  /** What works with it now, so that it cannot be removed. */
  readonly running: readonly Running[];
}

export interface Running {
  /** Such as `session s0123abcd`, or `foreword run in /home/me/shop (process 4711)`. */
  readonly what: string;
  /** How it is ended. */
  readonly end: string;
}

/** Changes nothing. */
export async function keptState(state: string, names: SessionBase): Promise<MachineState> {
  const running = await runningWith(state, names);
  const folders = [state, sessionsBase(names)].filter(
    (folder, index, all) => isOwn(folder) && all.indexOf(folder) === index,
  );
  if (!folders.includes(state)) return { folders, projects: [], bytes: 0, running };
  return { folders, projects: wholeRecords(state).map(({ root }) => root), bytes: sizeOf(state), running };
}

/** Throws `conflict` when something works with it: it would go on without its records, and write new ones. */
export function refuseWhileRunning({ running }: Pick<MachineState, 'running'>, kept = 'Nothing was removed'): void {
  if (running.length === 0) return;
  const names = nameSome(running.map(({ what }) => what));
  throw new ForewordError('conflict', `${kept}, since this still runs: ${names}.`, {
    hint: [...new Set(running.map(({ end }) => end))].join(' '),
  });
}

async function runningWith(state: string, names: SessionBase): Promise<readonly Running[]> {
  const sessions = join(sessionsBase(names), 's');
  const running: Running[] = [];
  for (const id of existsSync(sessions) ? readdirSync(sessions) : [])
    if (await isListening(join(sessions, id, 'socket')))
      running.push({
        what: `session ${id}`,
        end: `End it in its terminal, or in its project with foreword sessions --stop ${id}.`,
      });
  for (const { what, root, pid, elsewhere, file } of isOwn(state) ? everybodyAtWork(state) : [])
    running.push({
      what: `${what} in ${root} (process ${pid}${elsewhere === undefined ? '' : ` of ${elsewhere}`})`,
      end:
        elsewhere === undefined
          ? `Stop it where it works, or with kill ${pid}.`
          : `${elsewhere} cannot be seen from here. If it does not work any more, remove ${file}.`,
    });
  return running;
}

/** Throws as `refuseWhileRunning`. */
export async function purgeState(state: string, names: SessionBase): Promise<void> {
  // What began after the first look.
  refuseWhileRunning({ running: await runningWith(state, names) }, 'The data was not removed');
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
