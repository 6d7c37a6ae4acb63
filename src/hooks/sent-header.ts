// The header that a session was sent last, so that it is not sent again. One small file per session; what was sent in an
// epoch that is over does not count.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownHeader } from '../context/header-delta.ts';
import { makeFolder } from '../system/files/make-folder.ts';
import { epochOf } from './epochs.ts';
import type { HookCall } from './hook-call.ts';
import { reasonOf } from './state.ts';

/** A name on disk that versions share. */
const FILE_NAME = 'told.json'; // house-rule: plain-words

/** What a session was sent last. */
export interface SentHeader {
  readonly epoch: number;
  /** Milliseconds since 1970. Distinguishes two of the same header. */
  readonly at: number;
  readonly header: ShownHeader;
}

export function lastSentHeader(folder: string): SentHeader | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, FILE_NAME), 'utf8'));
    const isReceived = typeof value === 'object' && value !== null && 'epoch' in value && 'header' in value;
    return isReceived && value.epoch === epochOf(folder) ? (value as SentHeader) : undefined;
  } catch {
    return undefined;
  }
}

/** The next prompt prints all of it again. */
export function forgetSentHeader(folder: string): void {
  rmSync(join(folder, FILE_NAME), { force: true });
}

export async function keepSentHeader(call: HookCall, header: ShownHeader): Promise<void> {
  await keepSent(call, { epoch: epochOf(call.folder), at: call.ports.now(), header });
}

/** Unless a later one is there. */
export async function keepSent({ folder, note, state }: HookCall, value: SentHeader): Promise<void> {
  if (state.kind !== 'open' || (lastSentHeader(folder)?.at ?? 0) > value.at) return;
  try {
    makeFolder(folder);
    const { replaceFile } = await import('../system/files/atomic.ts');
    replaceFile(join(folder, FILE_NAME), JSON.stringify(value), { mode: 0o600, isSynced: false });
  } catch (error) {
    note(`the header that was sent could not be recorded: ${reasonOf(error)}`);
  }
}
