// The body of a request, whole, decoded and bounded. A problem with it is a value: the HTTP status and the reason.

import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { type Fields, isFields } from './json.ts';

/** Both as sent and decompressed. The largest request seen from an agent had 2 MB. */
const MOST_BODY_BYTES = 32 * 1024 * 1024;

export type Body =
  | { readonly kind: 'fields'; readonly fields: Fields; readonly bytes: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'refused'; readonly status: 400 | 413 | 415; readonly problem: string };

/** Reads to the end even when the body is too large, so that the client still reads the response; the excess is dropped. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= MOST_BODY_BYTES) chunks.push(chunk);
    }
  } catch {
    return { kind: 'aborted' };
  }
  if (bytes > MOST_BODY_BYTES) return refused(413, `The body has ${bytes} bytes, more than ${MOST_BODY_BYTES}.`);
  if (bytes === 0) return { kind: 'empty' };
  const unpacked = await unpack(Buffer.concat(chunks), request.headers['content-encoding'] ?? '');
  return Buffer.isBuffer(unpacked) ? parse(unpacked) : unpacked;
}

function parse(bytes: Buffer): Body {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isFields(value)) return { kind: 'fields', fields: value, bytes: bytes.length };
    return refused(400, 'The body is JSON, but not an object.');
  } catch (error) {
    return refused(400, `The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** zstd came with Node 22.15. */
const zstd = (zlib as { zstdDecompress?: typeof zlib.gunzip }).zstdDecompress;

const UNPACKERS: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', promisify(zlib.gunzip) as Unpack],
  ['x-gzip', promisify(zlib.gunzip) as Unpack],
  ['br', promisify(zlib.brotliDecompress) as Unpack],
  ['deflate', inflate],
  ['identity', async (bytes: Buffer) => bytes],
  ...(zstd === undefined ? [] : [['zstd', promisify(zstd) as Unpack] as const]),
]);

/** Clients mean either of two formats by `deflate`. */
async function inflate(bytes: Buffer, options: { maxOutputLength: number }): Promise<Buffer> {
  const isWrapped = bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
  return (promisify(isWrapped ? zlib.inflate : zlib.inflateRaw) as Unpack)(bytes, options);
}

/** Encodings are decoded in reverse order. Two are more than any client uses. */
async function unpack(bytes: Buffer, header: string): Promise<Buffer | Body> {
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > 2) return refused(415, `The body is encoded ${names.length} times.`);
  let plain = bytes;
  for (const name of names.toReversed()) {
    const unpacker = UNPACKERS.get(name);
    if (unpacker === undefined) return refused(415, `The encoding ${name} of the body is not supported.`);
    try {
      plain = await unpacker(plain, { maxOutputLength: MOST_BODY_BYTES });
    } catch (error) {
      const isTooLarge = (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
      if (isTooLarge) return refused(413, `The body has more than ${MOST_BODY_BYTES} bytes after decompression.`);
      return refused(400, `The body is not encoded as ${name}.`);
    }
  }
  return plain;
}

function refused(status: 400 | 413 | 415, problem: string): Body {
  return { kind: 'refused', status, problem };
}
