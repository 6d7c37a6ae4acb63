// A tar file of a few plain files in a fixed order, so that people can look into it with tar. It is written whole or not at all.
// Reading believes nothing: names, kinds, sizes and the end of the file must be those of a file that this module wrote.

import * as fs from 'node:fs';
import { ForewordError } from '../../kernel/errors.ts';
import { replaceFileBy, writeAll } from './atomic.ts';
import { openInside } from './open-inside.ts';

export interface TarPart {
  readonly name: string;
  /** The bytes, or the file that has them. */
  readonly content: Uint8Array | { readonly path: string };
}

/** Of the part in the tar file. */
export interface TarRange {
  readonly offset: number;
  readonly size: number;
}

export interface OpenTar {
  /** `undefined` when it has no such part. */
  part(name: string): TarRange | undefined;
  /** Throws `bad-input` when it is longer than `most` bytes. */
  read(name: string, most: number): Buffer;
  readRange(range: TarRange): Buffer;
  stream(range: TarRange): fs.ReadStream;
  close(): void;
}

const BLOCK = 512;
const PIECE = 1024 * 1024;
/** The size has eleven octal digits. */
const MOST_BYTES = 8 ** 11 - 1;
/** A file that was made elsewhere may fill up its last record. */
const MOST_PADDING = 10_240;

/** Mode 0600: what it holds is for the person alone. Throws the file system's error; an older file is whole then. */
export function writeTar(target: string, parts: readonly TarPart[]): void {
  const write = (descriptor: number) => {
    for (const { name, content } of parts) {
      const size = 'path' in content ? fs.statSync(content.path).size : content.length;
      writeAll(descriptor, header(name, size));
      if ('path' in content) copyFile(content.path, descriptor);
      else writeAll(descriptor, content);
      writeAll(descriptor, Buffer.alloc(paddedSize(size) - size));
    }
    writeAll(descriptor, Buffer.alloc(2 * BLOCK));
  };
  replaceFileBy(target, write, { mode: 0o600 });
}

/** Whether a file begins like one. */
export function isTarHead(head: Uint8Array): boolean {
  return Buffer.from(head).toString('latin1', 257, 262) === 'ustar';
}

/** How many bytes of a file `isTarHead` needs. */
export const TAR_HEAD = BLOCK;

/** `names` in the order in which the parts must come; the last ones may be missing. `where` is the file's name for the person.
 *  Throws `bad-input`. */
export function openTar(path: string, names: readonly string[], where: string): OpenTar {
  const opened = openInside(path);
  if (opened.kind !== 'open') throw unreadable(where, 'it cannot be read', opened);
  const { descriptor } = opened;
  try {
    const parts = listParts(descriptor, names, where);
    return {
      part: (name) => parts.get(name),
      read: (name, most) => {
        const range = parts.get(name);
        if (range === undefined) throw unreadable(where, `it has no ${name}`);
        if (range.size > most) throw unreadable(where, `its ${name} is longer than ${most} bytes`);
        return readAt(descriptor, range);
      },
      readRange: (range) => readAt(descriptor, range),
      stream: ({ offset, size }) =>
        fs.createReadStream('', {
          fd: descriptor,
          autoClose: false,
          start: offset,
          end: offset + size - 1,
          highWaterMark: PIECE,
        }),
      close: () => fs.closeSync(descriptor),
    };
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

function listParts(descriptor: number, names: readonly string[], where: string): ReadonlyMap<string, TarRange> {
  const total = fs.fstatSync(descriptor).size;
  const parts = new Map<string, TarRange>();
  for (let at = 0; ; ) {
    const block = readAt(descriptor, { offset: at, size: BLOCK });
    if (block.length < BLOCK) throw cutOff(where);
    if (block.every((byte) => byte === 0)) {
      const end = readAt(descriptor, { offset: at, size: MOST_PADDING + 1 });
      if (end.length < 2 * BLOCK) throw cutOff(where);
      if (end.length > MOST_PADDING || end.some((byte) => byte !== 0))
        throw unreadable(where, 'something follows its end');
      return parts;
    }
    const name = names[parts.size];
    const size = sizeIn(block);
    if (name === undefined || size === undefined || !header(name, size).equals(block))
      throw unreadable(where, `it has something else than ${names.join(', ')}`);
    const offset = at + BLOCK;
    if (offset + paddedSize(size) > total) throw cutOff(where);
    parts.set(name, { offset, size });
    at = offset + paddedSize(size);
  }
}

/** The same name and size give the same bytes. */
function header(name: string, size: number): Buffer {
  if (size > MOST_BYTES) {
    throw new ForewordError('bad-input', `${name} is too large: ${size} bytes, and a tar file takes ${MOST_BYTES}.`, {
      hint: 'foreword clean removes old attempts.',
    });
  }
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  block.write(name, 0, 'latin1');
  block.write(
    `${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0`,
    100,
    'latin1',
  );
  block.write('        0', 148, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return block;
}

function sizeIn(block: Buffer): number | undefined {
  const digits = block.toString('latin1', 124, 135);
  return /^[0-7]{11}$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

function paddedSize(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

function copyFile(from: string, to: number): void {
  const source = fs.openSync(from, 'r');
  try {
    const piece = Buffer.alloc(PIECE);
    for (let count = -1; count !== 0; ) {
      count = fs.readSync(source, piece, 0, PIECE, null);
      writeAll(to, piece.subarray(0, count));
    }
  } finally {
    fs.closeSync(source);
  }
}

/** Shorter than asked for at the end of the file. */
function readAt(descriptor: number, { offset, size }: TarRange): Buffer {
  const bytes = Buffer.alloc(size);
  let done = 0;
  for (let count = -1; done < size && count !== 0; done += count)
    count = fs.readSync(descriptor, bytes, done, size - done, offset + done);
  return bytes.subarray(0, done);
}

function cutOff(where: string): ForewordError {
  return unreadable(where, 'it is cut off');
}

function unreadable(where: string, why: string, cause?: unknown): ForewordError {
  return new ForewordError('bad-input', `Nothing was imported from ${where}: ${why}.`, {
    hint: 'Give a file that foreword export --work wrote.',
    cause,
  });
}
