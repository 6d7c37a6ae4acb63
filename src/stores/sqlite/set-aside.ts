// Setting aside: an unusable database file is renamed, with its companions, to a name with the reason in it; never
// deleted, never written. Several processes may find the same file unusable at once: a folder made by mkdir is the mutex,
// and the file's identity (device and inode) is compared under it, so that no process sets the new file aside.
// A process killed half-way leaves its plan in the mutex; the next process finishes it.

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SetAside {
  readonly from: string;
  readonly to: string;
  /** What is wrong with the file, as shown to the person. */
  readonly reason: string;
}

/** SQLite keeps these beside the file. They are moved first: a new file must never be opened with another file's log. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Moving takes a few renames; a mutex older than this belongs to a dead process. */
const STALE_MS = 5_000;
const WAIT_MS = 20;

/** Device and inode; `undefined` when there is no such file. */
export function identity(file: string): string | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
}

/** Waits while another process moves the file, and finishes the move of a process that died. */
export async function waitForMover(file: string): Promise<void> {
  while (isBeingMoved(file)) {
    if (breakStale(file)) return;
    await sleep(WAIT_MS);
  }
}

export function isBeingMoved(file: string): boolean {
  return identity(mutexOf(file)) !== undefined;
}

/** Moves `file` away if it is still the one that was `examined`; returns the new name, or `undefined` when another
 *  process was first. `label` becomes part of the name: `corrupt`, `newer-v9`. */
export async function setAside(
  file: string,
  what: { readonly examined: string; readonly label: string },
): Promise<string | undefined> {
  while (!tryMkdir(mutexOf(file))) {
    if (!breakStale(file)) await sleep(WAIT_MS);
  }
  try {
    if (identity(file) !== what.examined) return undefined;
    const plan: Plan = { to: freeName(file, what.label), examined: what.examined };
    writeFileSync(join(mutexOf(file), 'plan'), JSON.stringify(plan)); // house-rule: no-plain-write
    carryOut(file, plan);
    return plan.to;
  } finally {
    rmSync(mutexOf(file), { recursive: true, force: true });
  }
}

const markerOf = (file: string) => `${file}.damaged`;
const mutexOf = (file: string) => `${file}.setting-aside`;

/** Leaves a mark for the next opening: this file was found damaged while it was in use. */
export function markDamaged(file: string, examined: string, reason: string): void {
  try {
    writeFileSync(markerOf(file), JSON.stringify({ examined, reason }), { mode: 0o600 }); // house-rule: no-plain-write
  } catch {
    // The damage itself is reported; without the mark the next opening finds it again.
  }
}

/** Why the file was marked, or `undefined`. Changes nothing. */
export function readMark(file: string, examined: string): string | undefined {
  const mark = readJson(markerOf(file));
  return mark?.examined === examined ? String(mark.reason) : undefined;
}

/** Removes a mark about another file, which was set aside. */
export function sweepMark(file: string, examined: string): void {
  const mark = readJson(markerOf(file));
  if (mark !== undefined && mark.examined !== examined) rmSync(markerOf(file), { force: true });
}

interface Plan {
  readonly to: string;
  readonly examined: string;
}

function carryOut(file: string, plan: Plan): void {
  for (const companion of COMPANIONS) moveIfThere(file + companion, plan.to + companion);
  if (identity(file) === plan.examined) renameSync(file, plan.to);
  rmSync(markerOf(file), { force: true });
}

/** When the target exists, the process that died had moved the file: what is here now is a left-over. */
function moveIfThere(from: string, to: string): void {
  if (identity(from) === undefined || identity(to) !== undefined) return;
  renameSync(from, to);
}

/** Two processes may both find the mutex stale; only one of them can rename it. */
function breakStale(file: string): boolean {
  const mutex = mutexOf(file);
  const stat = statSync(mutex, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (Date.now() - stat.mtimeMs < STALE_MS) return false;
  const seen = identity(mutex);
  const taken = `${mutex}-${process.pid}-${Math.random().toString(36).slice(2)}`;
  try {
    renameSync(mutex, taken);
  } catch {
    // Another process broke it first.
    return true;
  }
  if (identity(taken) !== seen) {
    // Between the look and the rename another process made a new mutex: give it back.
    renameSync(taken, mutex);
    return false;
  }
  const plan = readJson(join(taken, 'plan'));
  if (typeof plan?.to === 'string' && typeof plan.examined === 'string' && identity(file) === plan.examined) {
    carryOut(file, { to: plan.to, examined: plan.examined });
  }
  rmSync(taken, { recursive: true, force: true });
  return true;
}

/** `foreword.db.corrupt-20261115T101112Z`, with a number when that is taken. */
function freeName(file: string, label: string): string {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const name = `${file}.${label}-${time}`;
  if (identity(name) === undefined) return name;
  for (let count = 2; ; count++) {
    if (identity(`${name}-${count}`) === undefined) return `${name}-${count}`;
  }
}

function tryMkdir(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readJson(file: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Absent or half-written: the same as no file.
    return undefined;
  }
}
