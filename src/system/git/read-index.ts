// An index of ours, read without starting git. `undefined` means: of another kind, ask git.

import * as fs from 'node:fs';
import { bytesOf } from '../files/walk-tree.ts';
import { readFileWithin } from './read-file.ts';
import type { ObjectFormat } from './repository.ts';

interface IndexEntry {
  /** One character for each byte. */
  readonly path: string;
  /** Where its bytes are: what git saw of the file, then its id and the flags. */
  readonly at: number;
  readonly flags: number;
}

interface Index {
  readonly bytes: Buffer;
  readonly entries: readonly IndexEntry[];
}

/** Some ten million files. */
const LIMIT = 1024 * 1024 * 1024;
const HEAD_BYTES = 12;
/** Times, device, inode, mode, owner, size. */
const STAT_BYTES = 40;
const FLAG_BYTES = 2;
/** Flags: a file that is not to be looked at, more flags, a conflict. */
const ASSUMED = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const NAME_LENGTH = 0x0fff;

/** In the order of the index. None when there is no file. */
export function indexPaths(file: string, format: ObjectFormat): readonly string[] | undefined {
  return readIndex(file, format)?.entries.map(({ path }) => path);
}

/** Of a larger repository git looks at several files at once, which is faster. */
const MOST_LOOKED_AT = 5_000;
/** Clocks of file systems move in steps of up to 10 ms: what is younger may have changed after git read it. */
const SETTLED_NS = 15_000_000n;

/** Whether every file of the index is in `folder` as git last saw it, by its stat. False when that is not certain. */
export function isAsIndexed(folder: string, file: string, format: ObjectFormat): boolean {
  const index = readIndex(file, format, MOST_LOOKED_AT);
  if (index === undefined) return false;
  const settled = fs.lstatSync(file, { bigint: true }).mtimeNs - SETTLED_NS;
  return index.entries.every((entry) => isAsSeen(index.bytes, entry, { folder, settled }));
}

function isAsSeen(
  bytes: Buffer,
  { path, at, flags }: IndexEntry,
  { folder, settled }: { readonly folder: string; readonly settled: bigint },
): boolean {
  if ((flags & (ASSUMED | EXTENDED | STAGE)) !== 0) return false;
  const mode = bytes.readUInt32BE(at + 24);
  const isLink = mode === 0o120000;
  if (!isLink && mode !== 0o100644 && mode !== 0o100755) return false;
  const stat = fs.lstatSync(bytesOf(folder, path), { bigint: true, throwIfNoEntry: false });
  if (stat === undefined || stat.mtimeNs > settled) return false;
  if (isLink ? !stat.isSymbolicLink() : !stat.isFile()) return false;
  const isRunnable = (stat.mode & 0o100n) !== 0n;
  return (
    (isLink || isRunnable === (mode === 0o100755)) &&
    timeAt(bytes, at) === stat.ctimeNs &&
    timeAt(bytes, at + 8) === stat.mtimeNs &&
    BigInt(bytes.readUInt32BE(at + 20)) === BigInt.asUintN(32, stat.ino) &&
    // Git writes 0 for a file that it must look at again.
    BigInt(bytes.readUInt32BE(at + 36)) === BigInt.asUintN(32, stat.size) &&
    (stat.size !== 0n || isLink || isEmptyBlob(bytes, at))
  );
}

/** A file of size 0 is either empty or one that git must look at again. */
function isEmptyBlob(bytes: Buffer, at: number): boolean {
  const id = bytes.toString('hex', at + STAT_BYTES, at + STAT_BYTES + 20);
  return EMPTY_BLOBS.includes(id);
}

/** The first 20 bytes of its id, with sha1 and with sha256. */
const EMPTY_BLOBS = ['e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', '473a0f4c3be8a93681a267e3b1e9a7dcda118543'];

function timeAt(bytes: Buffer, at: number): bigint {
  return BigInt(bytes.readUInt32BE(at)) * 1_000_000_000n + BigInt(bytes.readUInt32BE(at + 4));
}

/** Git's own versions 2 and 3, with at most so many entries. A split or sparse index has only a part. */
function readIndex(file: string, format: ObjectFormat, most = Number.POSITIVE_INFINITY): Index | undefined {
  const bytes = readFileWithin(file, LIMIT);
  if (bytes === undefined) return { bytes: Buffer.alloc(0), entries: [] };
  const version = bytes.length < HEAD_BYTES ? 0 : bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) return undefined;
  if (bytes.readUInt32BE(8) > most) return undefined;
  const idBytes = format === 'sha256' ? 32 : 20;
  const entries: IndexEntry[] = [];
  let at = HEAD_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + STAT_BYTES + idBytes;
    if (flagsAt + FLAG_BYTES > bytes.length) return undefined;
    const flags: number = bytes.readUInt16BE(flagsAt);
    const nameAt: number = flagsAt + FLAG_BYTES + ((flags & EXTENDED) === 0 ? 0 : FLAG_BYTES);
    const length: number = flags & NAME_LENGTH;
    const end = length < NAME_LENGTH ? nameAt + length : bytes.indexOf(0, nameAt);
    if (end < nameAt || bytes[end] !== 0) return undefined;
    entries.push({ path: bytes.toString('latin1', nameAt, end), at, flags });
    // One to eight null bytes, so that an entry has a multiple of eight.
    at += (end - at + 8) & ~7;
  }
  return hasOnlyNotes(bytes.subarray(at, bytes.length - idBytes)) ? { bytes, entries } : undefined;
}

/** Extensions that begin with a capital letter can be passed over. */
function hasOnlyNotes(bytes: Buffer): boolean {
  for (let at = 0; at + 8 <= bytes.length; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (!/^[A-Z]/.test(bytes.toString('latin1', at, at + 1))) return false;
  }
  return true;
}
