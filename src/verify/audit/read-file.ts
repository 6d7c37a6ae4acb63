// Reads one transcript from its beginning to its end, piece by piece, and gives each record to whoever wants it. Opened once, without
// following a link and without waiting for a pipe; what it grows by meanwhile is left out.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export interface ReadCounts {
  readonly bytes: number;
  /** Lines that are no JSON, the last one excepted: an agent may be writing it. */
  readonly torn: number;
  /** Lines that were too long to be read. */
  readonly long: number;
}

const PIECE = 1024 * 1024;
/** A longer line is an image or worse. */
const LONGEST = 32 * 1024 * 1024;
const FEED = 0x0a;

export interface LineTaker {
  /** How lines begin that need not be parsed. */
  readonly skips: readonly string[];
  take(record: unknown): void;
  /** Bytes read since the last call. */
  passed(bytes: number): void;
}

/** `undefined` for what is no readable file. */
export function readTranscript(path: string, taker: LineTaker): ReadCounts | undefined {
  let descriptor: number | undefined;
  try {
    const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const stat = fstatSync(descriptor);
    return stat.isFile() ? readPieces(descriptor, stat.size, taker) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const piece = Buffer.allocUnsafe(PIECE);

function readPieces(descriptor: number, size: number, taker: LineTaker): ReadCounts {
  const skips = taker.skips.map((skip) => Buffer.from(skip));
  let rest: Buffer[] = [];
  let restLength = 0;
  let torn = 0;
  let long = 0;
  let at = 0;
  const line = (part: Buffer): void => {
    const isLong = restLength + part.length > LONGEST;
    if (isLong) long += 1;
    else if (!takeLine(rest.length === 0 ? part : Buffer.concat([...rest, part]), skips, taker)) torn += 1;
    rest = [];
    restLength = 0;
  };
  while (at < size) {
    const got = readSync(descriptor, piece, 0, Math.min(PIECE, size - at), at);
    if (got === 0) break;
    at += got;
    taker.passed(got);
    const read = piece.subarray(0, got);
    let from = 0;
    for (let end = read.indexOf(FEED); end !== -1; end = read.indexOf(FEED, from)) {
      line(read.subarray(from, end));
      from = end + 1;
    }
    restLength += got - from;
    // Of a line that is too long only its length is kept.
    if (restLength > LONGEST) rest = [];
    else if (from < got) rest.push(Buffer.from(read.subarray(from)));
  }
  // The last line may be whole without its end.
  if (restLength > 0 && restLength <= LONGEST) takeLine(Buffer.concat(rest), skips, taker);
  return { bytes: at, torn, long };
}

/** False for a line that is no JSON. */
function takeLine(bytes: Buffer, skips: readonly Buffer[], taker: LineTaker): boolean {
  if (bytes.length === 0 || (bytes.length === 1 && bytes[0] === 0x0d)) return true;
  if (skips.some((skip) => bytes.length >= skip.length && bytes.compare(skip, 0, skip.length, 0, skip.length) === 0))
    return true;
  let record: unknown;
  try {
    record = JSON.parse(bytes.toString('utf8'));
  } catch {
    return false;
  }
  taker.take(record);
  return true;
}
