// A lock that is a folder, because only one process can make it. A process that died leaves it behind; after a time that is
// many times longer than the work takes, another one removes it.

import { mkdirSync, rmdirSync, statSync } from 'node:fs';

/** False when another process has it: to be tried again a little later. Throws errors of the file system. */
export function takeLock(lock: string, staleMs: number): boolean {
  try {
    mkdirSync(lock, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > staleMs) releaseLock(lock);
    return false;
  }
}

export function releaseLock(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // Another process removed it, because it held us for dead or was first.
    return;
  }
}
