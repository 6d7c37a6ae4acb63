// The managed block in real files: reads, lets managed-block.ts decide, and replaces the file in one step. Contract: a file outside
// of the project, a link to one, a device, somebody else's file are refused; mode and links stay; a full disk or a crash
// leaves the old file whole; what another program wrote since we read is not overwritten, up to the instant between the
// last look and the replacement.

import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { replaceFile } from '../../../system/files/atomic.ts';
import { inItsFolder, openInside, readBounded } from '../../../system/files/open-inside.ts';
import { isInside } from '../../../system/files/read-text.ts';
import { sha256 } from '../../../system/sha256.ts';
import { INSTRUCTION_PATHS } from './instruction-file.ts';
import { type FoundManagedBlock, type ManagedBlock, managedBlocks, type WhichBlock } from './managed-block.ts';

const { findBlock, insertBlock, removeBlock } = managedBlocks(sha256);

export type WrittenBlock =
  | {
      readonly kind: 'written';
      /** As it was given. */
      readonly path: string;
      readonly isNew: boolean;
      /** The id of the block that was there before. */
      readonly replaced?: string;
    }
  /** It holds this very block. */
  | { readonly kind: 'unchanged'; readonly path: string }
  | { readonly kind: 'refused'; readonly path: string; readonly reason: string };

export type UnwrittenBlock =
  | { readonly kind: 'removed'; readonly path: string; readonly id: string; readonly isDeleted: boolean }
  | { readonly kind: 'absent'; readonly path: string }
  | { readonly kind: 'refused'; readonly path: string; readonly reason: string };

/** An instruction file is some kilobytes; a larger one is something else under that name. */
const MAX_BYTES = 4 * 1024 * 1024;
/** How often a file that another program keeps changing is read again. */
const MOST_LOOKS = 2;

/** `path` is from the root of the project. Never throws. `meanwhile` is called between reading and replacing, for tests. */
export function writeBlock(
  root: string,
  path: string,
  block: ManagedBlock,
  meanwhile: () => void = () => undefined,
): WrittenBlock {
  return guarded(path, () => {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const place = locate(root, path);
      if (place.kind === 'refused') return { ...place, path };
      const before = place.kind === 'file' ? readBytes(place) : undefined;
      const missing = place.kind === 'none' ? place.missing : 0;
      const inserted = insertBlock(before, { ...block, madeFolders: missing });
      if (inserted.kind === 'refused') return { ...inserted, path };
      if (before !== undefined && Buffer.compare(before, inserted.bytes) === 0) return { kind: 'unchanged', path };
      meanwhile();
      if (!isStill(place, before)) continue;
      if (place.kind === 'none') create(place, inserted.bytes);
      else inItsFolder(place.file, (file) => replaceFile(file, inserted.bytes));
      const replaced = inserted.replaced === undefined ? {} : { replaced: inserted.replaced };
      return { kind: 'written', path, isNew: before === undefined, ...replaced };
    }
    return changing(path);
  });
}

/** Any block without `which`. A file that we made and that holds nothing else goes too. Never throws. */
export function unwriteBlock(
  root: string,
  path: string,
  which?: WhichBlock,
  meanwhile: () => void = () => undefined,
): UnwrittenBlock {
  return guarded(path, () => {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const place = locate(root, path);
      if (place.kind === 'refused') return { ...place, path };
      if (place.kind === 'none') return { kind: 'absent', path };
      const before = readBytes(place);
      const removed = removeBlock(before, which);
      if (removed.kind !== 'removed') return { ...removed, path };
      meanwhile();
      if (!isStill(place, before)) continue;
      const { bytes } = removed;
      inItsFolder(place.file, (file) => (bytes === undefined ? rmSync(file) : replaceFile(file, bytes)));
      if (removed.bytes === undefined) removeFolders(place, removed.madeFolders ?? 0);
      return { kind: 'removed', path, id: removed.id, isDeleted: removed.bytes === undefined };
    }
    return changing(path);
  });
}

/** The block that is there, if any. */
export function readBlock(root: string, path: string): FoundManagedBlock {
  const place = locate(root, path);
  if (place.kind !== 'file') return { kind: 'absent' };
  return findBlock(readBytes(place));
}

/** In every instruction file that may hold one. Returns what was removed and what was refused. */
export function removeBlocks(
  root: string,
  which?: WhichBlock,
  paths: readonly string[] = INSTRUCTION_PATHS,
): readonly UnwrittenBlock[] {
  return paths.map((path) => unwriteBlock(root, path, which)).filter(({ kind }) => kind !== 'absent');
}

/** Blocks of sessions that ended without removing theirs. `now` is an ISO time. */
export function removeExpired(root: string, now: string, paths?: readonly string[]): readonly UnwrittenBlock[] {
  return removeBlocks(root, { expiredBefore: now }, paths);
}

/** Which instruction files the project has, for `chooseInstructionFile`; a link to nothing counts, being in the way. */
export function existingInstructionFiles(
  root: string,
  paths: readonly string[] = INSTRUCTION_PATHS,
): readonly string[] {
  return paths.filter((path) => lstat(join(root, path)) !== undefined);
}

type Place =
  | ({ readonly kind: 'file' } & InTop)
  /** `missing` folders are between it and what is there. */
  | ({ readonly kind: 'none'; readonly missing: number } & InTop)
  | { readonly kind: 'refused'; readonly reason: string };

/** Both with links resolved. */
interface InTop {
  readonly top: string;
  readonly file: string;
}

function locate(root: string, path: string): Place {
  const top = realpathSync(root);
  const target = resolve(root, path);
  if (target === resolve(root) || !isInside(resolve(root), target)) return outside();
  const found = lstat(target);
  if (found === undefined) return placeOfNew(top, target);
  if (found.isSymbolicLink() && statSync(target, { throwIfNoEntry: false }) === undefined)
    return { kind: 'refused', reason: 'it is a link to nothing. Remove the link' };
  const file = realpathSync(target);
  if (!isInside(top, file)) return outside();
  const reason = faultOf(lstatSync(file), file);
  return reason === undefined ? { kind: 'file', top, file } : { kind: 'refused', reason };
}

/** A part of the path that is a file holds no other. */
function lstat(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function placeOfNew(top: string, target: string): Place {
  let folder = dirname(target);
  let missing = 0;
  for (; lstat(folder) === undefined; folder = dirname(folder)) missing += 1;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { kind: 'refused', reason: `${basename(folder)} is not a folder` };
  const real = realpathSync(folder);
  if (!isInside(top, real)) return outside();
  return { kind: 'none', top, file: join(real, target.slice(folder.length)), missing };
}

function outside(): Place {
  return { kind: 'refused', reason: 'it is outside the project' };
}

function faultOf(stat: Stats, file: string): string | undefined {
  if (!stat.isFile()) return 'it is not a regular file';
  if (stat.size > MAX_BYTES) return `it has ${stat.size} bytes; the most is ${MAX_BYTES}`;
  // What replaces it would be ours, and would be one file where there were several names.
  if (process.geteuid !== undefined && stat.uid !== process.geteuid()) return 'it belongs to another user';
  if (stat.nlink > 1) return 'it has another name (a hard link), which would no longer follow it';
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return 'it is read-only. Give yourself the permission to write it';
  }
}

function readBytes({ top, file }: InTop): Uint8Array {
  const opened = openInside(file, { root: top, isLinkFree: true });
  if (opened.kind !== 'open') throw exchanged(file);
  try {
    const bytes = readBounded(opened.descriptor, MAX_BYTES);
    if (bytes === undefined) throw exchanged(file);
    return Uint8Array.from(bytes);
  } finally {
    closeSync(opened.descriptor);
  }
}

function exchanged(file: string): Error {
  return new Error(`${basename(file)} or its folder was exchanged for something else meanwhile`);
}

/** Whether it holds what we read; `undefined`: whether there is still none. */
function isStill(place: InTop, before: Uint8Array | undefined): boolean {
  if (before === undefined) return lstat(place.file) === undefined;
  return lstat(place.file)?.isFile() === true && Buffer.compare(readBytes(place), before) === 0;
}

function create(place: InTop & { readonly missing: number }, bytes: Uint8Array): void {
  mkdirSync(dirname(place.file), { recursive: true });
  try {
    inItsFolder(place.file, (file) => replaceFile(file, bytes));
  } catch (error) {
    removeFolders(place, place.missing);
    throw error;
  }
}

/** Only while they are empty, and below the root: the file itself says how many they are, and a clone may have brought it. */
function removeFolders({ top, file }: InTop, count: number): void {
  let folder = dirname(file);
  try {
    for (let step = 0; step < count && folder !== top; step += 1, folder = dirname(folder)) rmdirSync(folder);
  } catch {
    return; // Somebody else keeps something there now.
  }
}

function changing(path: string): { readonly kind: 'refused'; readonly path: string; readonly reason: string } {
  return { kind: 'refused', path, reason: 'another program keeps changing it. Try again' };
}

function guarded<T>(
  path: string,
  work: () => T,
): T | { readonly kind: 'refused'; readonly path: string; readonly reason: string } {
  try {
    return work();
  } catch (error) {
    return { kind: 'refused', path, reason: explain(error) };
  }
}

function explain(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'the disk is full; the file is as it was. Make room, then try again';
  if (code === 'EROFS') return 'the disk is read-only';
  if (code === 'EACCES' || code === 'EPERM')
    return 'its folder cannot be written. Give yourself the permission to write it';
  return `the file system returned ${code}`;
}
