// Removes what was kept in a project for sessions that nobody continues. Done by a hook that printed there, after it did: at
// most once an hour, and a bounded part of the work each time.

import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../system/files/make-folder.ts';
import type { RootPlaces } from '../system/files/project-state.ts';

const KEPT_MS = 15 * 24 * 3_600_000;
const EVERY_MS = 3_600_000;
const MOST_LOOKS = 2000;
const MOST_REMOVALS = 100;

/** Never throws. */
export function sweep({ swept: mark, gate, hooks }: RootPlaces, now: number): void {
  try {
    const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
    if (last !== undefined && Math.abs(now - last) < EVERY_MS) return;
    makeFolder(mark);
    utimesSync(mark, now / 1000, now / 1000);
    for (const folder of [gate, hooks]) sweepFolder(folder, now);
  } catch {
    // It cannot be read or written: there is nothing to remove, or we may not remove it.
    return;
  }
}

function sweepFolder(folder: string, now: number): void {
  let removals = 0;
  for (const name of shuffled(namesIn(folder)).slice(0, MOST_LOOKS)) {
    const path = join(folder, name);
    if (now - newest(path) < KEPT_MS) continue;
    rmSync(path, { recursive: true, force: true });
    removals += 1;
    if (removals >= MOST_REMOVALS) return;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A folder's own time changes only with a new epoch; what is kept at prompts and ends is beside it. */
function newest(path: string): number {
  const names = ['.', 'told.json', 'seen.json']; // Names on disk; house-rule: plain-words
  const times = names.map((name) => statSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.max(...times);
}

/** From another place each time, so that every part of a very long list gets its turn. */
function shuffled(names: readonly string[]): readonly string[] {
  const start = Math.floor(Math.random() * names.length);
  return [...names.slice(start), ...names.slice(0, start)];
}
