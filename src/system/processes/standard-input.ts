// The text for a program's standard input, which the program need not read.

import { pipeline, Readable, type Writable } from 'node:stream';

const PIECE_BYTES = 64 * 1024;

/** Writes as fast as the program reads, then closes. A program that ends or closes its input first has read enough:
 *  EPIPE is no fault. */
export function writeInput(stdin: Writable, input: string | undefined): void {
  if (input === undefined) {
    stdin.on('error', () => undefined).end();
    return;
  }
  pipeline(Readable.from(pieces(Buffer.from(input, 'utf8')), { objectMode: false }), stdin, () => undefined);
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}
