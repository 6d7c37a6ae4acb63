// Who works in a project for longer than a moment, such as a run: a note in the project's state, with the process that wrote it.
// Whoever would remove the state looks there first. The note of a process that is gone counts for nothing.

import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownerShown } from '../processes/owner.ts';
import { replaceFile } from './atomic.ts';
import { wholeRecords } from './project-records.ts';
import { inState, makePrivateFolder, projectPlaces } from './project-state.ts';
import { readTextFile } from './read-text.ts';

export interface AtWork {
  /** Such as `foreword run`. */
  readonly what: string;
  /** The project's root. */
  readonly root: string;
  readonly pid: number;
  /** The machine or container, when nobody here can see whether the process is still there. */
  readonly elsewhere?: string;
  /** The note. */
  readonly file: string;
}

/** `what` works, by `owner`, until `work` is settled. `folder` is a project's own, `atWork` of its places. */
export async function whileAtWork<T>(
  folder: string,
  by: { readonly owner: string; readonly what: string },
  work: () => Promise<T>,
): Promise<T> {
  const file = join(folder, `${randomBytes(8).toString('hex')}.json`);
  makePrivateFolder(folder);
  inState(folder, () => {
    for (const name of namesIn(folder)) if (isLeft(join(folder, name))) rmSync(join(folder, name), { force: true });
    replaceFile(file, JSON.stringify(by), { mode: 0o600, isSynced: false });
  });
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** In all projects of the person whose state folder this is. Changes nothing. */
export function everybodyAtWork(state: string): readonly AtWork[] {
  return wholeRecords(state).flatMap(({ id, root }) => {
    const folder = projectPlaces(state, id).atWork;
    return namesIn(folder).flatMap((name) => shown(join(folder, name), root));
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[0-9a-f]{16}\.json$/.test(name))
      .sort();
  } catch {
    // Nobody ever worked there.
    return [];
  }
}

/** Of a process that is gone. */
function isLeft(file: string): boolean {
  const note = read(file);
  return note !== undefined && ownerShown(note.owner).state === 'gone';
}

function shown(file: string, root: string): readonly AtWork[] {
  const note = read(file);
  if (note === undefined) return [];
  const { state, pid, host } = ownerShown(note.owner);
  if (state === 'gone') return [];
  return [{ what: note.what, root, pid, file, ...(state === 'unknown' ? { elsewhere: host } : {}) }];
}

/** `undefined` for what is no note, or is gone by now. */
function read(file: string): { readonly owner: string; readonly what: string } | undefined {
  const text = readTextFile(file);
  if (text.kind !== 'text') return undefined;
  try {
    const { owner, what } = JSON.parse(text.text) as { readonly owner?: unknown; readonly what?: unknown };
    return typeof owner === 'string' && typeof what === 'string' ? { owner, what } : undefined;
  } catch {
    return undefined;
  }
}
