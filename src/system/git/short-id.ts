// How short an id may be: what `git rev-parse --short` prints, computed from the files. git takes a length from the
// number of packed objects, and makes it longer until no other object begins the same way. Starting git for it would
// cost more than everything else a header needs.

import { closeSync, constants, openSync, readdirSync, readSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { harmlessSettings } from './config-text.ts';
import { readFileWithin, SMALL } from './read-file.ts';
import { configTexts, type Repository } from './repository.ts';

const SHORTEST = 7;
/** Chains of alternates longer than this are refused by git as well. */
const MAX_ALTERNATES = 5;

/** `undefined` when the files are not of the kind read here (a multi-pack index, an old pack index): ask git then. */
export function shortIdFromFiles(repository: Repository, commit: string): string | undefined {
  try {
    // The repository configures its own length.
    if (harmlessSettings(configTexts(repository)).has('core.abbrev')) return undefined;
    let packed = 0;
    let unique = 0;
    for (const folder of objectFolders(join(repository.commonDir, 'objects'), 0)) {
      for (const name of namesIn(join(folder, commit.slice(0, 2)))) {
        unique = Math.max(unique, shared(commit, commit.slice(0, 2) + name) + 1);
      }
      for (const name of namesIn(join(folder, 'pack'))) {
        if (name === 'multi-pack-index') return undefined;
        if (!name.endsWith('.idx')) continue;
        const index = readPackIndex(join(folder, 'pack', name), commit);
        if (index === undefined) return undefined;
        packed += index.objects;
        unique = Math.max(unique, index.unique);
      }
    }
    // Half the bits of the count, in digits of four bits each, rounded up: where a second object is to be expected.
    const expected = Math.ceil((Math.floor(Math.log2(Math.max(1, packed))) + 1) / 2);
    return commit.slice(0, Math.max(SHORTEST, expected, unique));
  } catch {
    // Unreadable files: git may know better.
    return undefined;
  }
}

function objectFolders(folder: string, depth: number): string[] {
  const text = readFileWithin(join(folder, 'info/alternates'), SMALL)?.toString('utf8') ?? '';
  const named = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (named.length > 0 && depth >= MAX_ALTERNATES) throw new Error('alternates are nested too deeply');
  const others = named.map((path) => (isAbsolute(path) ? path : join(folder, path)));
  return [folder, ...others.flatMap((other) => objectFolders(other, depth + 1))];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const MAGIC = 0xff744f63;
const FANOUT_AT = 8;
const IDS_AT = FANOUT_AT + 256 * 4;

/** Version 2: a table with the number of ids that begin with at most each byte, then the ids in order. */
function readPackIndex(path: string, commit: string): { objects: number; unique: number } | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const head = readAt(file, 0, IDS_AT);
    if (head.readUInt32BE(0) !== MAGIC || head.readUInt32BE(4) !== 2) return undefined;
    const upTo = (byte: number) => (byte < 0 ? 0 : head.readUInt32BE(FANOUT_AT + byte * 4));
    const byte = Number.parseInt(commit.slice(0, 2), 16);
    const width = commit.length / 2;
    const ids = readAt(file, IDS_AT + upTo(byte - 1) * width, (upTo(byte) - upTo(byte - 1)) * width);
    let unique = 0;
    for (let at = 0; at < ids.length; at += width) {
      unique = Math.max(unique, shared(commit, ids.toString('hex', at, at + width)) + 1);
    }
    return { objects: upTo(255), unique };
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (length > 0 && readSync(file, bytes, 0, length, at) !== length) throw new Error('the file is cut off');
  return bytes;
}

/** Characters that two ids have in common at their beginning; 0 for an id and itself. */
function shared(id: string, other: string): number {
  if (id === other) return -1;
  let count = 0;
  while (count < id.length && id[count] === other[count]) count += 1;
  return count;
}
