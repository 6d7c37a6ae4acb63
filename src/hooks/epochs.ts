// Epoch: the part of a session that shares one context. A compaction or a clearing begins a new one, and what was printed
// in the old one may be printed again. The number is in a file that foreword-hook.sh reads too; without it, it is 0.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../system/files/make-folder.ts';

/** An event that begins an epoch may come twice: by two entries that one agent reads, or as two events for one thing. */
const SAME_EPOCH_MS = 3000;

export function epochOf(session: string): number {
  try {
    const text = readFileSync(join(session, 'epoch'), 'latin1').trim();
    return /^\d{1,9}$/.test(text) ? Number(text) : 0;
  } catch {
    return 0;
  }
}

/** What began an epoch, where it was no compaction. `cleared`: nothing of the session before it is to be put before the model.
 *  `resumed`: the agent does not give the resumed session what it was given before. */
export type EpochCause = 'cleared' | 'resumed';

export function isBegunBy(session: string, cause: EpochCause): boolean {
  try {
    return readFileSync(join(session, cause), 'latin1') === String(epochOf(session));
  } catch {
    return false;
  }
}

/** Throws errors of the file system. */
export async function keepCause(session: string, cause: EpochCause): Promise<void> {
  const { replaceFile } = await import('../system/files/atomic.ts');
  replaceFile(join(session, cause), String(epochOf(session)), { mode: 0o600 });
}

/** Twice in a row counts once. Throws errors of the file system. */
export async function beginEpoch(session: string, now: number): Promise<void> {
  const file = join(session, 'epoch');
  const begun = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.abs(now - begun) < SAME_EPOCH_MS) return;
  makeFolder(session);
  const { replaceFile } = await import('../system/files/atomic.ts');
  replaceFile(file, `${epochOf(session) + 1}\n`, { mode: 0o600 });
}
