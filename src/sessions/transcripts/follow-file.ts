// Reads one file as it grows: what was added since the last time, as lines. A file that is shorter than before, another
// one under its name, or changed where we had read, is read from its start again. One look costs one call when nothing
// happened. Nothing outside of the agent's folder is read, whatever links there are.

import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { isInside } from '../../system/files/read-text.ts';
import { type CutLine, LineCutter } from './lines.ts';

/** Bytes before our place that must still be there. */
const CHECKED_BYTES = 64;
const CHUNK_BYTES = 256 * 1024;

export interface Added {
  readonly lines: readonly CutLine[];
  readonly bytes: number;
  /** The lines are from the start again. */
  readonly isAgain: boolean;
}

const NOTHING: Added = { lines: [], bytes: 0, isAgain: false };

export class FollowedFile {
  readonly path: string;
  readonly #base: string;
  #identity = '';
  #seen = '';
  #offset = 0;
  #before = new Uint8Array();
  #cutter = new LineCutter();

  /** `base` is the agent's folder with links resolved. */
  constructor(path: string, base: string) {
    this.path = path;
    this.#base = base;
  }

  /** At most about `budget` bytes; the rest comes with the next call. Rejects with errors of the file system, except for a
   *  file that is not there. */
  async read(budget: number): Promise<Added> {
    const stat = await lstat(this.path).catch(undefinedIfGone);
    if (stat === undefined || !stat.isFile()) return NOTHING;
    const identity = `${stat.dev}:${stat.ino}`;
    const seen = `${identity} ${stat.size} ${stat.mtimeMs}`;
    if (seen === this.#seen) return NOTHING;
    const isOther = identity !== this.#identity || stat.size < this.#offset;
    const hadRead = this.#offset > 0;
    if (isOther) this.#restart(identity);
    const handle = await this.#open();
    if (handle === undefined) return NOTHING;
    try {
      const isChanged = !isOther && !(await this.#isAsBefore(handle));
      if (isChanged) this.#restart(identity);
      const added = await this.#readOn(handle, budget);
      // What is left over is read without waiting for a change.
      this.#seen = this.#offset >= stat.size ? seen : '';
      return { ...added, isAgain: (isOther || isChanged) && hadRead };
    } finally {
      await handle.close();
    }
  }

  #restart(identity: string): void {
    this.#identity = identity;
    this.#offset = 0;
    this.#before = new Uint8Array();
    this.#cutter = new LineCutter();
  }

  async #open(): Promise<FileHandle | undefined> {
    const real = await realpath(this.path).catch(undefinedIfGone);
    if (real === undefined || !isInside(this.#base, real)) return undefined;
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    return await open(real, flags).catch(undefinedIfGone);
  }

  async #isAsBefore(handle: FileHandle): Promise<boolean> {
    if (this.#before.length === 0) return true;
    const now = new Uint8Array(this.#before.length);
    const { bytesRead } = await handle.read(now, 0, now.length, this.#offset - now.length);
    return bytesRead === now.length && Buffer.compare(now, this.#before) === 0;
  }

  async #readOn(handle: FileHandle, budget: number): Promise<Added> {
    const lines: CutLine[] = [];
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, budget));
    let bytes = 0;
    while (bytes < budget) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, this.#offset);
      if (bytesRead === 0) break;
      const part = chunk.subarray(0, bytesRead);
      for (const line of this.#cutter.push(part)) lines.push(line);
      this.#before = Uint8Array.from(Buffer.concat([this.#before, part]).subarray(-CHECKED_BYTES));
      this.#offset += bytesRead;
      bytes += bytesRead;
    }
    return { lines, bytes, isAgain: false };
  }
}

function undefinedIfGone(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
  throw error;
}
