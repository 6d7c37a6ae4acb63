// Opens what a repository brings. It is opened first, and the descriptor is asked where it lies: between a check of a path
// and its opening, a program in the project could put a link to any file of the person there. Links are followed as
// long as they end inside. A pipe or device never blocks, and a read is bounded.

import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { type Platform, platform } from '../platform.ts';

export type OpenedFile =
  | { readonly kind: 'open'; readonly descriptor: number; readonly stat: fs.BigIntStats }
  /** Nothing is there; a broken link leads to nothing too. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'outside' }
  | { readonly kind: 'folder' }
  /** A device, pipe or socket. */
  | { readonly kind: 'special' }
  | { readonly kind: 'error'; readonly code: string };

export interface Within {
  readonly root: string;
  /** No link is followed, neither at the end nor on the way; `root` has its links resolved. */
  readonly isLinkFree?: boolean;
}

type Path = string | Buffer;
type System = Pick<Platform, 'descriptors' | 'noLinksFlag'>;

const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0, O_DIRECTORY = 0 } = fs.constants;
const READ = O_RDONLY | O_NONBLOCK | O_NOCTTY;

/** Never throws. Whoever gets `open` closes the descriptor. Without `within` the file may lie anywhere. */
export function openInside(path: Path, within?: Within, system: System = platform): OpenedFile {
  let descriptor: number | undefined;
  try {
    const opened = within === undefined ? fs.openSync(path, READ) : openWithin(path, READ, { ...within, system });
    if (opened === undefined) return { kind: 'outside' };
    descriptor = opened;
    const stat = fs.fstatSync(descriptor, { bigint: true });
    if (stat.isDirectory()) return { kind: 'folder' };
    if (!stat.isFile()) return { kind: 'special' };
    descriptor = undefined;
    return { kind: 'open', descriptor: opened, stat };
  } catch (error) {
    return fromError(error);
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Calls `use` with a path of the folder that nobody can exchange meanwhile (on Linux; elsewhere it is the real path). Returns
 *  `undefined` when it lies outside. Throws the file system's error. */
export function inFolderInside<T>(path: string, within: Within, use: (folder: string) => T): T | undefined {
  const descriptor = openWithin(path, O_RDONLY | O_DIRECTORY, { ...within, system: platform });
  if (descriptor === undefined) return undefined;
  try {
    const links = descriptorsOf(platform);
    return use(links === undefined ? fs.realpathSync.native(path) : `${links}/${descriptor}`);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Calls `use` with a path of `file` whose folder nobody can exchange meanwhile, as `inFolderInside`. The folder's path has its
 *  links resolved; throws `bad-input` when a link is on the way to it by now, and the file system's error. */
export function inItsFolder<T>(file: string, use: (file: string) => T): T {
  const folder = dirname(file);
  let isOpen = false;
  try {
    const done = inFolderInside(folder, { root: folder, isLinkFree: true }, (pinned) => {
      isOpen = true;
      return { value: use(join(pinned, basename(file))) };
    });
    if (done !== undefined) return done.value;
    throw exchanged(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A link, or a file, in the folder's place.
    throw !isOpen && ['ELOOP', 'ENOTDIR'].includes(code) ? exchanged(folder, error) : error;
  }
}

function exchanged(folder: string, cause?: unknown): ForewordError {
  return new ForewordError('bad-input', `${folder} was exchanged for something else meanwhile; nothing was written.`, {
    hint: 'End the program that changes the folder, and run the command again.',
    cause,
  });
}

/** Copies what was opened, whatever is put in its place meanwhile. False when it is not a file in `within`. Throws the file
 *  system's error. */
export function copyInside(path: string, to: string, within: Within): boolean {
  const opened = openInside(path, within);
  if (opened.kind !== 'open') return false;
  try {
    const links = descriptorsOf(platform);
    const from = links === undefined ? path : `${links}/${opened.descriptor}`;
    fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
    return true;
  } finally {
    fs.closeSync(opened.descriptor);
  }
}

/** The bytes from the start; `undefined` when there are more than `limit`. A file that grows is read to where it ends then. */
export function readBounded(descriptor: number, limit: number): Buffer | undefined {
  const chunk = Buffer.allocUnsafe(Math.min(limit, fs.fstatSync(descriptor).size) + 1);
  const parts: Buffer[] = [];
  for (let length = 0; length <= limit; ) {
    const got = fs.readSync(descriptor, chunk, 0, chunk.length, length);
    if (got === 0) return parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts.push(Buffer.from(chunk.subarray(0, got)));
    length += got;
  }
  return undefined;
}

/** `undefined` when it lies outside. Paths are compared byte by byte, for which Latin-1 is a form that loses nothing. */
function openWithin(path: Path, flags: number, within: Within & { readonly system: System }): number | undefined {
  const { root, isLinkFree = false, system } = within;
  const links = descriptorsOf(system);
  const top = () => latin1(fs.realpathSync.native(root, 'buffer'));
  const place = links === undefined && !isLinkFree ? fs.realpathSync.native(path, 'buffer') : path;
  if (links === undefined && (!isBelow(top(), latin1(place)) || /\/\.\.(\/|$)/.test(latin1(place)))) return undefined;
  const noLinks = links === undefined || isLinkFree ? (system.noLinksFlag ?? O_NOFOLLOW) : 0;
  const descriptor = fs.openSync(place, flags | noLinks);
  let isRight = false;
  try {
    const real = links === undefined ? latin1(place) : fs.readlinkSync(`${links}/${descriptor}`, 'latin1');
    isRight = isBelow(top(), real) && (!isLinkFree || real === latin1(path));
    isRight &&= links !== undefined || system.noLinksFlag !== undefined || isStillAt(place, descriptor);
  } finally {
    if (!isRight) fs.closeSync(descriptor);
  }
  return isRight ? descriptor : undefined;
}

/** For systems that neither know the path of a descriptor nor have the flag: it leaves a gap of a few microseconds. */
function isStillAt(place: Path, descriptor: number): boolean {
  const [now, opened] = [fs.lstatSync(place, { bigint: true }), fs.fstatSync(descriptor, { bigint: true })];
  const isSame = now.dev === opened.dev && now.ino === opened.ino;
  return isSame && latin1(fs.realpathSync.native(place, 'buffer')) === latin1(place);
}

/** A container may lack /proc. */
function descriptorsOf({ descriptors }: System): string | undefined {
  if (descriptors === undefined) return undefined;
  const isThere = DESCRIPTORS.get(descriptors) ?? fs.existsSync(descriptors);
  DESCRIPTORS.set(descriptors, isThere);
  return isThere ? descriptors : undefined;
}

/** Looked at once: a command opens many files. */
const DESCRIPTORS = new Map<string, boolean>();

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function latin1(path: Path): string {
  return (typeof path === 'string' ? Buffer.from(path) : path).toString('latin1');
}

function fromError(error: unknown): OpenedFile {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
  if (code === 'EISDIR') return { kind: 'folder' };
  // A socket, or a device without a driver.
  if (code === 'ENXIO' || code === 'EOPNOTSUPP') return { kind: 'special' };
  return { kind: 'error', code };
}
