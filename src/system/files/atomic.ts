// Replacing a file so that a reader, a crash or a full disk finds the old bytes or the new ones, never a part.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A temporary file this old was left by a process that died; it is swept when its file is next written. */
const STRAY_MS = 60_000;

/** Writes beside the file, syncs, renames. Keeps the mode of an existing file; a link is replaced, never followed, and a
 *  folder refused. Without `isSynced` a power cut may lose it, a kill does not. Throws the file system's error; the old file is whole then. */
export function replaceFile(target: string, content: string | Uint8Array, options: ReplaceOptions = {}): void {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  replaceFileBy(target, (descriptor) => writeAll(descriptor, bytes), options);
}

interface ReplaceOptions {
  readonly mode?: number;
  readonly isSynced?: boolean;
}

/** The same for what is too long for memory: `write` gets the descriptor of the new file. */
export function replaceFileBy(target: string, write: (descriptor: number) => void, options: ReplaceOptions = {}): void {
  const folder = dirname(target);
  const prefix = `.${basename(target)}.foreword-`;
  sweep(folder, prefix);
  const temporary = join(folder, `${prefix}${randomBytes(6).toString('hex')}.tmp`);
  const before = lstatSync(target, { throwIfNoEntry: false });
  const mode = before?.isFile() === true ? before.mode : (options.mode ?? 0o644);
  try {
    const descriptor = openSync(temporary, 'wx', mode & 0o777);
    try {
      fchmodSync(descriptor, mode & 0o777);
      write(descriptor);
      if (options.isSynced !== false) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (options.isSynced !== false) syncFolder(folder);
}

export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

/** Without it a power cut may lose the rename itself. Some file systems refuse; the rename is still done. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return;
  }
}

function sweep(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue;
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > STRAY_MS) rmSync(path, { force: true });
  }
}
