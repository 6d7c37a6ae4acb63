// What is kept of a run while it goes on: a file of some bytes beside those of sessions, by the root of the project. A run that ends
// removes its own; one that is left behind names a run that was killed, whose record is made from the store.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import { makeFolder } from '../../system/files/make-folder.ts';
import { sha256 } from '../../system/sha256.ts';

export interface KeptRun {
  readonly version: 1;
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The supervisor (system/processes/owner.ts). */
  readonly owner: string;
}

const MOST_FILES = 50;

/** Throws errors of the file system. */
export function writeKeptRun(folder: string, kept: KeptRun): void {
  makeFolder(folder);
  replaceFile(join(folder, nameOf(kept)), JSON.stringify(kept), { mode: 0o600 });
}

/** Never throws. */
export function listKeptRuns(folder: string): readonly KeptRun[] {
  return namesIn(folder).flatMap((name) => {
    try {
      const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const isKept = typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
      return isKept ? [value as KeptRun] : [];
    } catch {
      return [];
    }
  });
}

export function removeKeptRun(folder: string, kept: Pick<KeptRun, 'run' | 'owner'>): void {
  rmSync(join(folder, nameOf(kept)), { force: true });
}

/** One for each supervisor: two may work on one run. */
function nameOf({ run, owner }: Pick<KeptRun, 'run' | 'owner'>): string {
  return `run_${sha256(`${run}\0${owner}`).slice(0, 24)}.json`;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^run_[0-9a-f]{24}\.json$/.test(name))
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}
