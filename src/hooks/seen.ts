// What was seen of a session's transcript, kept beside its marks, so that each turn is looked at once.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../system/files/make-folder.ts';
import { NOTHING_SEEN, type Seen } from './transcript.ts';

export function lastSeen(folder: string): Seen {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
    return typeof value === 'object' && value !== null ? { ...NOTHING_SEEN, ...value } : NOTHING_SEEN;
  } catch {
    return NOTHING_SEEN;
  }
}

/** Throws errors of the file system. */
export async function keepSeen(folder: string, seen: Seen): Promise<void> {
  makeFolder(folder);
  const { replaceFile } = await import('../system/files/atomic.ts');
  replaceFile(join(folder, 'seen.json'), JSON.stringify(seen), { mode: 0o600 });
}
