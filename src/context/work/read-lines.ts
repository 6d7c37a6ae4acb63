// Reads a file that only grows, line by line, from where the last look ended: with bounded memory, and until a deadline.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export interface LinesRead {
  /** Where to go on; half a line at the end is left for the next time. */
  readonly offset: number;
  /** There was no time for the rest. */
  readonly isBehind: boolean;
  /** When it was last written to. */
  readonly changedMs: number;
  /** It became shorter: it was written again, and what was read of it before does not count. */
  readonly isAnother: boolean;
}

const PIECE = 256 * 1024;
/** A longer line is an image or the like. */
const LONGEST = 4 * 1024 * 1024;

/** `onLine` gets whole lines without their ends. `undefined` for what is no readable file. */
export function readLines(
  path: string,
  from: number,
  how: { readonly isLate: () => boolean; readonly onLine: (line: string) => void; readonly onRestart: () => void },
): LinesRead | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return undefined;
    const isAnother = from > stat.size;
    if (isAnother) how.onRestart();
    const start = isAnother ? 0 : from;
    const end = readPieces(descriptor, { start, size: stat.size }, how);
    return { offset: end.offset, isBehind: end.isBehind, changedMs: stat.mtimeMs, isAnother };
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readPieces(
  descriptor: number,
  { start, size }: { readonly start: number; readonly size: number },
  { isLate, onLine }: { readonly isLate: () => boolean; readonly onLine: (line: string) => void },
): { readonly offset: number; readonly isBehind: boolean } {
  const piece = Buffer.alloc(PIECE);
  let rest: Buffer[] = [];
  let restLength = 0;
  let offset = start;
  for (let at = start; at < size; ) {
    // The first piece takes milliseconds, and holds most of what a turn wrote.
    if (at > start && isLate()) return { offset, isBehind: true };
    const got = readSync(descriptor, piece, 0, Math.min(PIECE, size - at), at);
    if (got === 0) break;
    at += got;
    let from = 0;
    for (let end = piece.indexOf(10, from); end !== -1 && end < got; end = piece.indexOf(10, from)) {
      const line = [...rest, piece.subarray(from, end)];
      if (restLength + end - from <= LONGEST) onLine(Buffer.concat(line).toString('utf8'));
      rest = [];
      restLength = 0;
      from = end + 1;
      offset = at - got + from;
    }
    restLength += got - from;
    // Of a line that is too long only the length is kept.
    if (restLength <= LONGEST) rest.push(Buffer.from(piece.subarray(from, got)));
    else rest = [];
  }
  return { offset, isBehind: false };
}
