// Settings of an agent that the person does not have, in a folder that the agent may write: without a file in their place the agent
// could create them, and the person's next session would read them. So they are created empty while agents run, and removed after
// the last. A journal names each before it is made: what a killed process left is removed by the next one.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { replaceFile } from '../../system/files/atomic.ts';
import { releaseLock, takeLock } from '../../system/files/lock-folder.ts';
import { makeFolder } from '../../system/files/make-folder.ts';
import { sha256 } from '../../system/sha256.ts';
import type { HomePath } from './home-paths.ts';

export interface Journal {
  /** Where the journal is. */
  readonly folder: string;
  /** Names this process. */
  readonly owner: string;
  isAlive(owner: string): boolean;
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  /** Folders above it that were made with it, the uppermost first. */
  readonly above: readonly string[];
  /** Each a process and a number of its own. */
  readonly users: readonly string[];
}

/** The work takes a millisecond. */
const LOCK_STALE_MS = 10_000;
const LOCK_PAUSE_MS = 5;

let counter = 0;

/** Creates those that are missing. The function that is returned removes them when nobody else needs them. */
export async function holdPlaceholders(journal: Journal, paths: readonly HomePath[]): Promise<() => Promise<void>> {
  if (paths.length === 0 && !fs.existsSync(journal.folder)) return async () => undefined;
  counter += 1;
  const user = `${journal.owner} ${counter}`;
  await locked(journal, () => {
    for (const one of paths) hold(journal, one, user);
  });
  return () =>
    locked(journal, () => {
      for (const { path } of paths) leave(journal, fileOf(journal, path), (each) => each !== user);
    });
}

/** Paths that processes left which are gone; changes nothing. */
export function leftPlaceholders(journal: Journal): readonly string[] {
  return entryFiles(journal).flatMap((file) => {
    const entry = read(file);
    return entry === undefined || living(journal, entry).length > 0 ? [] : [entry.path];
  });
}

/** Removes what processes left that are gone. */
export async function sweepPlaceholders(journal: Journal): Promise<void> {
  if (!fs.existsSync(journal.folder)) return;
  await locked(journal, () => {
    for (const file of entryFiles(journal)) leave(journal, file, () => true);
  });
}

function hold(journal: Journal, { path, isFolder }: HomePath, user: string): void {
  const file = fileOf(journal, path);
  const known = read(file);
  const isThere = fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  // What the person made themselves in the meantime is theirs.
  if (known === undefined && isThere) return;
  const entry: Entry = known ?? { path, isFolder, above: missingAbove(path), users: [] };
  replaceFile(file, JSON.stringify({ ...entry, users: [...entry.users, user] }), { mode: 0o600, isSynced: false });
  if (isThere) return;
  makeFolder(dirname(path));
  if (isFolder) fs.mkdirSync(path, { mode: 0o700 });
  else replaceFile(path, contentOf(path), { mode: 0o600, isSynced: false });
}

function leave(journal: Journal, file: string, isUser: (user: string) => boolean): void {
  const entry = read(file);
  const users = entry === undefined ? [] : living(journal, entry).filter(isUser);
  if (users.length > 0) {
    replaceFile(file, JSON.stringify({ ...entry, users }), { mode: 0o600, isSynced: false });
    return;
  }
  if (entry !== undefined) removeUnchanged(entry);
  fs.rmSync(file, { force: true });
}

function living({ isAlive }: Journal, { users }: Entry): readonly string[] {
  return users.filter((user) => isAlive(user.replace(/ \d+$/, '')));
}

function entryFiles({ folder }: Journal): readonly string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

/** Only what still is as it was made. */
function removeUnchanged({ path, isFolder, above }: Entry): void {
  try {
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    if (isFolder && stat?.isDirectory() === true) fs.rmdirSync(path);
    else if (!isFolder && stat?.isFile() === true && fs.readFileSync(path, 'utf8') === contentOf(path))
      fs.unlinkSync(path);
    for (const folder of [...above].reverse()) fs.rmdirSync(folder);
  } catch {
    // Something is in it now: it stays.
    return;
  }
}

/** Readers of JSON take an empty file for a damaged one. */
function contentOf(path: string): string {
  return path.endsWith('.json') ? '{}\n' : '';
}

function missingAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return fs.existsSync(folder) || folder === '/' ? [] : [...missingAbove(folder), folder];
}

function fileOf(journal: Journal, path: string): string {
  return join(journal.folder, `${sha256(path).slice(0, 32)}.json`);
}

function read(file: string): Entry | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Entry;
  } catch {
    // Not there, or not whole.
    return undefined;
  }
}

async function locked(journal: Journal, act: () => void): Promise<void> {
  makeFolder(journal.folder);
  const lock = join(journal.folder, 'lock');
  while (!takeLock(lock, LOCK_STALE_MS)) await pause(LOCK_PAUSE_MS);
  try {
    act();
  } finally {
    releaseLock(lock);
  }
}
