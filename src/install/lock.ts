// One init or uninstall at a time: a lock folder that only one process can make. A process that died leaves it behind; another
// one takes it over after STALE_MS, many times longer than the work takes.

import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ForewordError } from '../kernel/errors.ts';
import { makePrivate } from './records.ts';

const STALE_MS = 30_000;
const PATIENCE_MS = 10_000;
const TURN_MS = 20;

export async function withLock<T>(folder: string, work: () => T): Promise<T> {
  makePrivate(folder);
  const lock = join(folder, 'lock');
  for (let waited = 0; !take(lock); waited += TURN_MS) {
    if (waited >= PATIENCE_MS) {
      throw new ForewordError('conflict', 'Another foreword init or uninstall is running.', {
        hint: `Wait until it ends. If none is running, remove ${lock}.`,
      });
    }
    await wait(TURN_MS);
  }
  try {
    return work();
  } finally {
    rmdirSync(lock);
  }
}

function take(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > STALE_MS) release(lock);
    return false;
  }
}

function release(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // Another process was first; the next turn tries again.
    return;
  }
}
