// Journal entries of hooks, for the store: a hook must not wait for a lock, so it appends a line here, and the next command
// that opens the project's store takes the lines over. One file, in the folder of its project. A line is written by one call and never lost:
// a writer whose file was removed meanwhile writes the line again, and the reader recognises doubles by their id.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ForewordEvent } from '../kernel/events.ts';
import { makeFolder } from '../system/files/make-folder.ts';
import { rootPlaces } from '../system/files/project-state.ts';

/** Events as the journal has them. */
export type SpoolEntry = Extract<
  ForewordEvent,
  {
    readonly kind:
      | 'gate-spoken'
      | 'context-printed'
      | 'context-asked'
      | 'context-submitted'
      | 'context-served'
      | 'context-lost'
      | 'context-files-read'
      | 'agent-session-ended';
  }
>;

const FILE_NAME = 'entries.jsonl';
/** Before the time at which a command took the file over. */
const TAKEN = 'taken-';
/** A command that died while it took lines over leaves its file behind; it is taken up after this. */
const ABANDONED_MS = 60_000;
/** Months of entries in a project whose store nobody opens; entries beyond it are dropped. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Throws errors of the file system. */
export function appendSpool(state: string, root: string, entry: SpoolEntry): void {
  const folder = spoolOf(state, root);
  makeFolder(folder);
  const file = join(folder, FILE_NAME);
  // On a line of its own, also where the disk was full in the middle of the last one.
  const line = `\n${JSON.stringify(entry)}\n`;
  for (let tries = 0; tries < 3; tries += 1) if (appendTo(file, line)) return;
}

/** False when the file was removed before the line was surely in it. */
function appendTo(file: string, line: string): boolean {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(file, flags, 0o600);
  try {
    if (fstatSync(descriptor).size > MOST_BYTES) return true;
    writeSync(descriptor, line);
    return fstatSync(descriptor).ino === statSync(file, { throwIfNoEntry: false })?.ino;
  } finally {
    closeSync(descriptor);
  }
}

export interface Spooled {
  /** In the order in which they were written. An entry may be there twice. Lines that are not entries are skipped. */
  readonly entries: readonly SpoolEntry[];
  /** To be called when they are safely stored. */
  remove(): void;
}

/** Whether there is anything to take over; quick, for every command to ask. */
export function hasSpool(state: string, root: string): boolean {
  const folder = spoolOf(state, root);
  return existsSync(join(folder, FILE_NAME)) || abandoned(folder).length > 0;
}

/** Where hooks write the entries of the project at `root`; it may not be there. */
export function spoolFile(state: string, root: string): string {
  return join(spoolOf(state, root), FILE_NAME);
}

/** A project may be known by several paths. */
function spoolOf(state: string, root: string): string {
  return rootPlaces(state, realPath(root)).spool;
}

function realPath(root: string): string {
  try {
    return realpathSync.native(root);
  } catch {
    return root;
  }
}

/** What hooks wrote about a project since it was last taken. */
export function takeSpool(state: string, root: string): Spooled {
  const folder = spoolOf(state, root);
  const mine = join(folder, `${TAKEN}${Date.now()}-${process.pid}`);
  const files = abandoned(folder);
  try {
    renameSync(join(folder, FILE_NAME), mine);
    files.push(mine);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return {
    entries: files.flatMap(linesOf).flatMap(entryOf),
    remove: () => {
      for (const file of files) rmSync(file, { force: true });
    },
  };
}

/** What waits to be taken over, left where it is; read again only when it changed. */
export function watchSpool(state: string, root: string): () => readonly SpoolEntry[] {
  const folder = spoolOf(state, root);
  let known = '';
  let entries: readonly SpoolEntry[] = [];
  return () => {
    const files = [...abandoned(folder), join(folder, FILE_NAME)];
    const now = files.map((file) => printOf(file)).join(' ');
    if (now !== known) entries = files.flatMap(linesOf).flatMap(entryOf);
    known = now;
    return entries;
  };
}

function printOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? '-' : `${found.ino}:${found.size}`;
}

/** The time in the name is when it was taken. */
function abandoned(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(
        (file) => file.startsWith(TAKEN) && Date.now() - Number.parseInt(file.slice(TAKEN.length), 10) > ABANDONED_MS,
      )
      .sort()
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}

/** Another may have taken over an abandoned file at the same moment, and be done with it. */
function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function entryOf(line: string): SpoolEntry[] {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry = typeof value === 'object' && value !== null && 'kind' in value && 'id' in value;
    return isEntry ? [value as SpoolEntry] : [];
  } catch {
    return [];
  }
}
