// What of the header a session was told last, so that it is not told again. One small file per session; what was told in
// an epoch that is over does not count.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToldHeader } from '../context/header-delta.ts';
import { epochOf } from './epochs.ts';
import type { Occasion } from './occasion.ts';
import { makeFolder, reasonOf } from './state.ts';

/** What a session was told last. */
export interface Told {
  readonly epoch: number;
  /** Milliseconds since 1970. Tells two tellings of the same apart. */
  readonly at: number;
  readonly header: ToldHeader;
}

export function lastTold(folder: string): Told | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'));
    const isTold = typeof value === 'object' && value !== null && 'epoch' in value && 'header' in value;
    return isTold && value.epoch === epochOf(folder) ? (value as Told) : undefined;
  } catch {
    return undefined;
  }
}

export async function keepTold({ folder, ports, note, state }: Occasion, header: ToldHeader): Promise<void> {
  if (state.kind !== 'open') return;
  const value: Told = { epoch: epochOf(folder), at: ports.now(), header };
  try {
    makeFolder(folder);
    const { replaceFile } = await import('../system/files/atomic.ts');
    replaceFile(join(folder, 'told.json'), JSON.stringify(value), { mode: 0o600 });
  } catch (error) {
    note(`what was told could not be noted down: ${reasonOf(error)}`);
  }
}
