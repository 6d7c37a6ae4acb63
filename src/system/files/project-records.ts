// The records of projects in the person's state folder: reading all of them, writing one, one maker at a time. The folder is the
// person's own; what somebody else could have written is refused.

import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { replaceFile } from './atomic.ts';
import { releaseLock, takeLock } from './lock-folder.ts';
import { PROJECT_ID, type ProjectRecord, parseRecord } from './project-identity.ts';
import {
  checkPrivate,
  inState,
  makePrivateFolder,
  projectPlaces,
  projectsFolder,
  rootPlaces,
} from './project-state.ts';
import { readTextFile } from './read-text.ts';

/** Throws `store-unreachable` for a folder that is not private. */
export function hasProjects(state: string): boolean {
  for (const folder of state === '' ? [] : [state, projectsFolder(state).folder]) {
    if (!isThere(folder)) return false;
    checkPrivate(folder);
  }
  return state !== '';
}

/** The ids of all projects. Throws as `hasProjects`. */
export function projectIds(state: string): readonly string[] {
  if (!hasProjects(state)) return [];
  const { folder } = projectsFolder(state);
  return inState(folder, () => readdirSync(folder))
    .filter((name) => PROJECT_ID.test(name))
    .sort();
}

/** `damaged` is not overwritten by anybody. */
export function readRecord(state: string, id: string): ProjectRecord | 'absent' | 'damaged' {
  const { folder, record } = projectPlaces(state, id);
  if (!isThere(folder)) return 'absent';
  checkPrivate(folder);
  const read = readTextFile(record);
  if (read.kind === 'absent') return 'absent';
  return (read.kind === 'text' ? parseRecord(read.text, id) : undefined) ?? 'damaged';
}

export function wholeRecords(state: string): readonly ProjectRecord[] {
  return projectIds(state)
    .map((id) => readRecord(state, id))
    .filter((record) => typeof record === 'object');
}

export function writeRecord(state: string, record: ProjectRecord): void {
  const places = projectPlaces(state, record.id);
  makePrivateFolder(state, relative(state, places.folder));
  inState(places.folder, () => replaceFile(places.record, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 }));
}

export function newProjectId(): string {
  return `p${randomBytes(8).toString('hex')}`;
}

/** The id that was noted for a root; `undefined` when there is none, or the path is too long to have a folder. */
export function notedId(state: string, realRoot: string): string | undefined {
  const read = readTextFile(rootPlaces(state, realRoot).id);
  const id = read.kind === 'text' ? read.text.trim() : '';
  return PROJECT_ID.test(id) ? id : undefined;
}

/** A root whose path is too long gets no note: its project is found by its record. What hooks kept there for another project
 *  is removed. */
export function noteId(state: string, realRoot: string, id: string): void {
  const noted = notedId(state, realRoot);
  if (noted === id) return;
  const { folder } = rootPlaces(state, realRoot);
  if (noted !== undefined) inState(folder, () => rmSync(folder, { recursive: true, force: true }));
  replaceNote(state, realRoot, id);
}

/** What hooks kept there stays. */
export function replaceNote(state: string, realRoot: string, id: string): void {
  withRootFolder(state, realRoot, () => replaceFile(rootPlaces(state, realRoot).id, `${id}\n`, { mode: 0o600 }));
}

/** Makes the folder of a root and writes to it; does nothing where the path is too long. */
export function withRootFolder(state: string, realRoot: string, write: () => void): void {
  try {
    inState(state, () => {
      makePrivateFolder(state, relative(state, rootPlaces(state, realRoot).folder));
      write();
    });
  } catch (error) {
    const { cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'ENAMETOOLONG') throw error;
  }
}

/** Many times longer than the work takes: whoever held it is dead. */
const STALE_MS = 15_000;
const PATIENCE_MS = 20_000;
const TURN_MS = 10;

/** Runs `work` while no other process makes or moves a project. */
export function withProjectsLock<T>(state: string, work: () => T): T {
  const { folder, lock } = projectsFolder(state);
  makePrivateFolder(state, relative(state, folder));
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !inState(lock, () => takeLock(lock, STALE_MS)); waited += TURN_MS) {
    if (waited >= PATIENCE_MS) {
      throw new ForewordError('store-unreachable', `Another foreword is making a project: ${lock} is there.`, {
        hint: `If none is running, remove ${lock}.`,
      });
    }
    Atomics.wait(pause, 0, 0, TURN_MS);
  }
  try {
    return work();
  } finally {
    releaseLock(lock);
  }
}

function isThere(path: string): boolean {
  return inState(path, () => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}
