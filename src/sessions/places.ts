// Where a session of this machine is, from its id alone: a record in a store may come with a clone, so the
// folders, sockets and configurations in it are only shown. How a session was started is noted in its own private folder.

import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SessionPlace, SessionRecord } from '../kernel/session.ts';
import { replaceFile } from '../system/files/atomic.ts';
import {
  isPrivate,
  makePrivateFolder,
  SESSION_ID,
  type SessionBase,
  sessionPlace,
} from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';
import type { SessionConfig, SessionProject } from './project.ts';

export type PlacedProject = Pick<SessionProject, 'root' | 'cwd'> & { readonly config: Pick<SessionConfig, 'store'> };

export interface SessionPlaces {
  /** Throws `bad-usage` for what is no id of a session. */
  at(id: string): SessionPlace;
  /** Of a new session, its folder made. Whoever makes one removes it if the session does not start. */
  make(): SessionPlace;
  /** The place of a session that was started here, for this project or on this store; `undefined` for every other record:
   *  nothing is done at a place that only a record knows. */
  of(project: PlacedProject, record: SessionRecord): SessionPlace | undefined;
  /** Its record names another folder than its id does: it was started with another XDG_RUNTIME_DIR, or the record is not
   *  of our making. */
  isElsewhere(record: Pick<SessionRecord, 'id' | 'folder'>): boolean;
}

export function placesIn(names: SessionBase): SessionPlaces {
  const at: SessionPlaces['at'] = (id) => {
    const { base: _, ...place } = sessionPlace(id, names);
    return place;
  };
  const isElsewhere: SessionPlaces['isElsewhere'] = ({ id, folder }) =>
    folder !== undefined && !(SESSION_ID.test(id) && folder === at(id).folder);
  return {
    at,
    make: () => {
      // Short, since it is typed and shown; the odds of a second one like it are nil on one machine.
      const { base, ...place } = sessionPlace(`s${randomBytes(4).toString('hex')}`, names);
      makePrivateFolder(base, 's');
      mkdirSync(place.folder, { mode: 0o700 });
      return place;
    },
    of: (project, record) => {
      if (!SESSION_ID.test(record.id) || isElsewhere(record)) return undefined;
      const place = at(record.id);
      const note = noteOf(place);
      const { store } = storeOf(project);
      const isOurs = note?.root === realpathSync(project.root) || (store !== undefined && note?.store === store);
      return isOurs ? place : undefined;
    },
    isElsewhere,
  };
}

export function removePlace({ folder }: Pick<SessionPlace, 'folder'>): void {
  rmSync(folder, { recursive: true, force: true });
}

export interface SessionNote {
  readonly root: string;
  readonly cwd: string;
  /** As `storeOf` names it; absent for the project's own. */
  readonly store?: string;
  /** The configuration that has its agent. */
  readonly config?: string;
  readonly commandWord?: string;
  readonly hasHooks?: boolean;
}

/** `config` as the person named it. */
export function keepNote(
  project: PlacedProject,
  place: SessionPlace,
  { config = '', ...more }: { readonly config?: string | undefined } & Pick<SessionNote, 'commandWord' | 'hasHooks'>,
): void {
  const { cwd, root } = project;
  const named = config === '' ? {} : { config: resolve(cwd, config) };
  const note: SessionNote = { root: realpathSync(root), cwd, ...storeOf(project), ...named, ...more };
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

/** Wherever a host runs, it is the same store. */
export function storeOf({ cwd, config: { store } }: Omit<PlacedProject, 'root'>): { readonly store?: string } {
  if (store === undefined) return {};
  return { store: /^[a-z]+:\/\//i.test(store) ? store : resolve(cwd, store) };
}
