// The paths in an index of ours, read without starting git. `undefined` means: of another kind, ask git.

import { readFileWithin } from './read-file.ts';
import type { ObjectFormat } from './repository.ts';

/** Some ten million files. */
const LIMIT = 1024 * 1024 * 1024;
const HEAD_BYTES = 12;
/** Times, device, inode, mode, owner, size; then the id and the flags. */
const STAT_BYTES = 40;
const FLAG_BYTES = 2;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0xfff;

/** In the order of the index, one character for each byte. Git's own versions 2 and 3; a split or sparse index lists only a part. */
export function indexPaths(file: string, format: ObjectFormat): readonly string[] | undefined {
  const bytes = readFileWithin(file, LIMIT);
  if (bytes === undefined) return [];
  const version = bytes.length < HEAD_BYTES ? 0 : bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) return undefined;
  const idBytes = format === 'sha256' ? 32 : 20;
  const paths: string[] = [];
  let at = HEAD_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + STAT_BYTES + idBytes;
    if (flagsAt + FLAG_BYTES > bytes.length) return undefined;
    const flags: number = bytes.readUInt16BE(flagsAt);
    const nameAt: number = flagsAt + FLAG_BYTES + ((flags & EXTENDED) === 0 ? 0 : FLAG_BYTES);
    const length: number = flags & NAME_LENGTH;
    const end = length < NAME_LENGTH ? nameAt + length : bytes.indexOf(0, nameAt);
    if (end < nameAt || bytes[end] !== 0) return undefined;
    paths.push(bytes.toString('latin1', nameAt, end));
    // One to eight null bytes, so that an entry has a multiple of eight.
    at += (end - at + 8) & ~7;
  }
  return hasOnlyNotes(bytes.subarray(at, bytes.length - idBytes)) ? paths : undefined;
}

/** Extensions that begin with a capital letter can be passed over. */
function hasOnlyNotes(bytes: Buffer): boolean {
  for (let at = 0; at + 8 <= bytes.length; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (!/^[A-Z]/.test(bytes.toString('latin1', at, at + 1))) return false;
  }
  return true;
}
