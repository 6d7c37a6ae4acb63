// Reads one of git's own small files. The repository may be hostile: a pipe or device never blocks us, a huge file is
// not taken into memory, and what is missing is a value.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { ForewordError } from '../../kernel/errors.ts';

/** HEAD, a loose ref, `commondir`, a `.git` file: git writes some hundred bytes at most. */
export const SMALL = 64 * 1024;

/** The bytes of a regular file, or `undefined` when it does not exist (or is a folder). Throws `bad-input` when it cannot
 *  be read, is not a regular file or is larger than `limit`. */
export function readFileWithin(path: string | Buffer, limit: number): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(path, error instanceof Error ? error.message : String(error), error);
  }
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) return undefined;
    if (!stat.isFile()) throw unreadable(path, 'it is not a regular file');
    if (stat.size > limit) throw unreadable(path, `it has ${stat.size} bytes; the limit is ${limit}`);
    return readAll(file, stat.size);
  } finally {
    closeSync(file);
  }
}

/** A fault in the repository itself, for the person to fix. */
export function brokenRepository(where: string, message: string, cause?: unknown): ForewordError {
  return new ForewordError('bad-input', `Could not read the git repository: ${where}: ${message}.`, {
    hint: 'Repair the repository, or work in a new clone of it.',
    faults: [{ where, path: '', message }],
    cause,
  });
}

function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const got = readSync(file, bytes, length, size - length, length);
    if (got === 0) break;
    length += got;
  }
  return bytes.subarray(0, length);
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ENAMETOOLONG';
}

function unreadable(path: string | Buffer, message: string, cause?: unknown): ForewordError {
  return brokenRepository(path.toString(), message, cause);
}
