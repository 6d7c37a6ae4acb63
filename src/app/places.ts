// Where a session of this machine is, from its id alone: a record in a store may come with a clone, so what it says of
// folders, sockets and configurations is only shown. How a session was started is noted in its own private folder.

import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { SessionRecord } from '../kernel/session.ts';
import { environment } from '../system/environment.ts';
import { replaceFile } from '../system/files/atomic.ts';
import {
  isPrivate,
  makePrivateFolder,
  SESSION_ID,
  type SessionPlace,
  sessionPlace,
} from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';
import type { Project } from './project.ts';

/** Throws `bad-usage` for what is no id of a session. */
export function placeFor(id: string): SessionPlace & { readonly base: string } {
  return sessionPlace(id, { ...environment(), home: homedir(), temporary: tmpdir() });
}

/** Of a session to be, its folder made. Whoever makes one removes it if the session does not come to be. */
export function makePlace(): SessionPlace {
  // Short, since it is typed and shown; the odds of a second one like it are nil on one machine.
  const { base, ...place } = placeFor(`s${randomBytes(4).toString('hex')}`);
  makePrivateFolder(base, 's');
  mkdirSync(place.folder, { mode: 0o700 });
  return place;
}

export function removePlace({ folder }: SessionPlace): void {
  rmSync(folder, { recursive: true, force: true });
}

export interface SessionNote {
  readonly root: string;
  readonly cwd: string;
  /** As `storeOf` names it; absent for the project's own. */
  readonly store?: string;
  /** The configuration that has its agent. */
  readonly config?: string;
}

export function keepNote(project: Project, place: SessionPlace, config: string | undefined): void {
  const { cwd, root } = project;
  const named = config === undefined || config === '' ? {} : { config: resolve(cwd, config) };
  const note: SessionNote = { root: realpathSync(root), cwd, ...storeOf(project), ...named };
  replaceFile(place.note, JSON.stringify(note), { mode: 0o600 });
}

/** `undefined` when there is none. */
export function noteOf(place: SessionPlace): SessionNote | undefined {
  const read = isPrivate(place.folder) ? readTextFile(place.note) : undefined;
  try {
    return read?.kind === 'text' ? (JSON.parse(read.text) as SessionNote) : undefined;
  } catch {
    return undefined;
  }
}

/** The place of a session that was started here, for this project or on this store; `undefined` for every other record:
 *  nothing is done at a place that only a record knows. */
export function placeOf(project: Project, record: SessionRecord): SessionPlace | undefined {
  if (!SESSION_ID.test(record.id) || isPlacedElsewhere(record)) return undefined;
  const { base: _, ...place } = placeFor(record.id);
  const note = noteOf(place);
  const { store } = storeOf(project);
  const isOurs = note?.root === realpathSync(project.root) || (store !== undefined && note?.store === store);
  return isOurs ? place : undefined;
}

/** Its record names another folder than its id does: it was started with another XDG_RUNTIME_DIR, or the record is not
 *  of our making. */
export function isPlacedElsewhere({ id, folder }: SessionRecord): boolean {
  return folder !== undefined && !(SESSION_ID.test(id) && folder === placeFor(id).folder);
}

/** Wherever a host runs, it is the same store. */
export function storeOf({ cwd, config: { store } }: Project): { readonly store?: string } {
  if (store === undefined) return {};
  return { store: /^[a-z]+:\/\//i.test(store) ? store : resolve(cwd, store) };
}
