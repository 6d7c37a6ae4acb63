// Makes folders that are missing. Not by the recursive mkdir of Node 20, which goes on for ever where the system refuses a
// folder as if its parent were missing: below /proc, for one (a home folder that does not exist may lie there).

import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const PRIVATE = 0o700;

/** With the folders above it. Throws errors of the file system. */
export function makeFolder(folder: string, mode: number = PRIVATE): void {
  if (existsSync(folder)) return;
  try {
    makeOne(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder), mode);
    makeOne(folder, mode);
  }
}

/** False when it is there already. Throws errors of the file system. */
export function makeOne(folder: string, mode: number = PRIVATE): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
