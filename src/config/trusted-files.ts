// The files of a repository that its commands name: they are part of what a person agrees to, since a script that is started is as
// good as the line that starts it. What such a file loads in turn is not known here and not covered.

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type OpenedFile, openInside, readBounded } from '../system/files/open-inside.ts';
import { repositoryOf } from '../system/files/project-facts.ts';
import { isInside } from '../system/files/read-text.ts';
import { ownFolders } from '../system/git/own-directory.ts';
import { commandWords, pathsIn } from './schemas/trust.ts';

export interface TrustedFile {
  /** From the root. */
  readonly path: string;
  readonly hash: string;
  /** To show what changed; absent for a file that is long or no text. */
  readonly text?: string;
}

export interface NamedFiles {
  readonly files: readonly TrustedFile[];
  /** Each a sentence: why these commands cannot be agreed to. */
  readonly faults: readonly string[];
  /** Folders that are named by a path: what lies in them is not covered. */
  readonly folders: readonly string[];
}

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 200;
const MAX_TEXT = 64 * 1024;

/** Paths are seen from `root`. Files of the whole repository count, also by another name of a folder on the way. `above` is
 *  where links in `root` may lead as well: a worktree has one to the project's `node_modules`. */
export function namedFiles(parts: unknown, root: string, above: string = root): NamedFiles {
  const tops = [...new Set([...topsOf(root), ...topsOf(above)])];
  const found = new Map<string, Looked>();
  for (const piece of new Set(commandWords(parts).flatMap(pathsIn))) {
    const path = relative(root, resolve(root, piece));
    if (path === '' || found.has(path) || !isOurs(resolve(root, piece), root, tops)) continue;
    const looked = look(resolve(root, path), tops);
    // `npm test` names no folder, though there may be one of that name.
    if (looked.kind !== 'none' && (looked.kind !== 'folder' || piece.includes('/'))) found.set(path, looked);
  }
  return sorted(found);
}

function topsOf(root: string): readonly string[] {
  const repository = repositoryOf(root);
  return [root, ...(repository === undefined ? [] : ownFolders(repository))].map((folder) => realOf(folder) ?? folder);
}

function isOurs(path: string, root: string, tops: readonly string[]): boolean {
  const real = realOf(path);
  return isInside(root, path) || tops.some((top) => isInside(top, path) || (real !== undefined && isInside(top, real)));
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

type Looked =
  | { readonly kind: 'file'; readonly bytes: Buffer }
  | { readonly kind: 'none' | 'folder' }
  | { readonly kind: 'fault'; readonly message: string };

function look(path: string, tops: readonly string[]): Looked {
  let opened: OpenedFile = { kind: 'outside' };
  for (const root of tops) if (opened.kind === 'outside') opened = openInside(path, { root });
  switch (opened.kind) {
    case 'absent':
      return { kind: 'none' };
    case 'folder':
      return { kind: 'folder' };
    case 'outside':
      return { kind: 'fault', message: 'is a link to a place outside of the project' };
    case 'special':
      return { kind: 'fault', message: 'is a device, pipe or socket' };
    case 'error':
      // A word that is no path, or a name that no file can have.
      return opened.code === 'ENAMETOOLONG'
        ? { kind: 'none' }
        : { kind: 'fault', message: `cannot be read: ${opened.code}` };
    case 'open':
      return read(opened.descriptor);
  }
}

function read(descriptor: number): Looked {
  try {
    const bytes = readBounded(descriptor, MAX_BYTES);
    if (bytes !== undefined) return { kind: 'file', bytes };
    return { kind: 'fault', message: `has more than ${MAX_BYTES / 1024 / 1024} MiB` };
  } catch (error) {
    return { kind: 'fault', message: `cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}` };
  } finally {
    closeSync(descriptor);
  }
}

function sorted(found: ReadonlyMap<string, Looked>): NamedFiles {
  const entries = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  const files = entries.flatMap(([path, one]) => (one.kind === 'file' ? [fileOf(path, one.bytes)] : []));
  const faults = entries.flatMap(([path, one]) => (one.kind === 'fault' ? [`${path} ${one.message}.`] : []));
  return {
    files,
    faults: files.length > MAX_FILES ? [...faults, `The commands name more than ${MAX_FILES} files.`] : faults,
    folders: entries.flatMap(([path, one]) => (one.kind === 'folder' ? [path] : [])),
  };
}

function fileOf(path: string, bytes: Buffer): TrustedFile {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const isText = bytes.length < MAX_TEXT && isUtf8(bytes) && !bytes.includes(0);
  return { path, hash, ...(isText ? { text: bytes.toString('utf8') } : {}) };
}

export interface TrustedFileChange {
  readonly path: string;
  /** Absent when the commands did not name it, or it was not there. */
  readonly before?: TrustedFile;
  readonly after?: TrustedFile;
}

export function changedFiles(
  before: readonly TrustedFile[],
  after: readonly TrustedFile[],
): readonly TrustedFileChange[] {
  const [old, now] = [byPath(before), byPath(after)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((path): TrustedFileChange[] => {
    const [was, is] = [old.get(path), now.get(path)];
    if (was?.hash === is?.hash) return [];
    return [{ path, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }];
  });
}

function byPath(files: readonly TrustedFile[]): ReadonlyMap<string, TrustedFile> {
  return new Map(files.map((file) => [file.path, file]));
}
