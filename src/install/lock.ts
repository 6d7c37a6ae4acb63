// One init or uninstall at a time.

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ForewordError } from '../kernel/errors.ts';
import { releaseLock, takeLock } from '../system/files/lock-folder.ts';
import { makePrivate } from './records.ts';

const STALE_MS = 30_000;
const PATIENCE_MS = 10_000;
const TURN_MS = 20;

export async function withLock<T>(folder: string, work: () => T): Promise<T> {
  makePrivate(folder);
  const lock = join(folder, 'lock');
  for (let waited = 0; !takeLock(lock, STALE_MS); waited += TURN_MS) {
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
    releaseLock(lock);
  }
}
