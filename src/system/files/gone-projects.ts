// States whose project is not there any more: its folder is missing, or another project stands in its place. What is removed
// lies below the person's state folder at places made from ids; no path of a record is written to.

import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeCheckoutsElsewhere } from './checkouts-place.ts';
import { askCommits, findRecord } from './find-project.ts';
import { type GoneState, isRemovable, type ProjectFate } from './gone-state.ts';
import { folderFacts, readProjectFacts } from './project-facts.ts';
import {
  type FolderFacts,
  isSameFolder,
  isSameProject,
  nearestProject,
  type ProjectRecord,
} from './project-identity.ts';
import { notedId, projectIds, readRecord, wholeRecords, withProjectsLock } from './project-records.ts';
import { inState, projectPlaces, rootsFolder } from './project-state.ts';

/** All whose project is not there. Changes nothing. */
export function goneStates(state: string): readonly GoneState[] {
  return projectIds(state).flatMap((id): GoneState[] => {
    const record = readRecord(state, id);
    if (record === 'absent') return [];
    const fate = record === 'damaged' ? 'damaged' : fateOf(record);
    if (fate === 'there') return [];
    const { folder } = projectPlaces(state, id);
    return [{ id, fate, folder, bytes: sizeOf(folder), ...(record === 'damaged' ? {} : { root: record.root }) }];
  });
}

/** Removes the states whose project is missing or replaced, and returns them. */
export function removeGoneStates(state: string): readonly GoneState[] {
  if (!goneStates(state).some(isRemovable)) return [];
  return withProjectsLock(state, () => {
    const gone = goneStates(state).filter(isRemovable);
    const ids = new Set(gone.map(({ id }) => id));
    inState(state, () => {
      for (const { id, folder } of gone) {
        removeCheckoutsElsewhere(projectPlaces(state, id).checkouts);
        rmSync(folder, { recursive: true, force: true });
      }
      removeRoots(state, ids);
    });
    return gone;
  });
}

/** A folder that nobody may look at counts as there: what is removed must be known to be gone. */
export function fateOf(record: ProjectRecord): ProjectFate {
  const seen = lookAt(record.place.path);
  if (seen === 'closed') return 'there';
  if (seen === undefined) return nearestDevice(record.place.path) === record.place.device ? 'missing' : 'not mounted';
  if (isSameFolder(seen, record.place) || isThereAgain(record)) return 'there';
  return seen.device === record.place.device ? 'replaced' : 'not mounted';
}

/** The project that is not there any more and most like the one at this root, when it left state. Starts git only with
 *  `asksGit`. */
export function goneProjectLike(
  root: string,
  state: string,
  { asksGit }: { readonly asksGit: boolean },
): Pick<ProjectRecord, 'id' | 'root'> | undefined {
  const facts = readProjectFacts(root);
  const commits = asksGit ? askCommits(root) : () => undefined;
  const own = findRecord(facts, state, commits)?.id;
  const others = wholeRecords(state).filter(
    (record) => record.id !== own && existsSync(projectPlaces(state, record.id).store) && fateOf(record) !== 'there',
  );
  return others.length === 0 ? undefined : nearestProject(facts, others, commits());
}

/** Cloned again at the same path, for instance. */
function isThereAgain(record: ProjectRecord): boolean {
  try {
    return isSameProject(readProjectFacts(record.root), record, askCommits(record.root));
  } catch {
    return false;
  }
}

function lookAt(path: string): FolderFacts | 'closed' | undefined {
  try {
    return folderFacts(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return ['ENOENT', 'ENOTDIR'].includes(code) ? undefined : 'closed';
  }
}

function nearestDevice(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = lookAt(folder);
    if (found === 'closed') return '';
    if (found !== undefined || folder === dirname(folder)) return found?.device ?? '';
  }
}

/** Of all files below it, in bytes. */
export function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const stat = entry.isFile() ? lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }) : undefined;
    bytes += stat?.size ?? 0;
  }
  return bytes;
}

/** What hooks kept for the roots of these projects, found by the id that is noted there. */
function removeRoots(state: string, ids: ReadonlySet<string>): void {
  const walk = (folder: string, root: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) continue;
      if (entry.name !== '.fw') walk(path, join(root, entry.name));
      else if (ids.has(notedId(state, root) ?? '')) rmSync(path, { recursive: true, force: true });
    }
    if (root !== '/' && readdirSync(folder).length === 0) rmdirSync(folder);
  };
  const roots = rootsFolder(state);
  if (statSync(roots, { throwIfNoEntry: false })?.isDirectory() === true) walk(roots, '/');
}
