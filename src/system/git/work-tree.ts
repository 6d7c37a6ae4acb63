// Stats and reads tracked files, and only those that truly lie in the work tree: no link is followed, neither at
// the end of a path nor on the way, and a path that an index made by hand could hold (`../x`, `.git/config`) is refused.

import * as fs from 'node:fs';
import { openInside } from '../files/open-inside.ts';
import { platform } from '../platform.ts';

export interface FileStat {
  readonly size: number;
  /** Decimal nanoseconds. */
  readonly mtimeNs: string;
  readonly ctimeNs: string;
}

export type TrackedFile =
  | { readonly kind: 'file'; readonly stat: FileStat }
  /** It, or a folder on the way, is a link, or its path leads out. */
  | { readonly kind: 'link' }
  | { readonly kind: 'missing' }
  /** A folder or device in its place, or no permission. */
  | { readonly kind: 'unreadable' };

/** One pass over the files below `root` (links resolved): folders are looked at once per pass. */
export class WorkTree {
  readonly #root: string;
  readonly #folders = new Map<string, FolderKind>();

  constructor(root: string) {
    this.#root = root;
  }

  look(path: string): TrackedFile {
    if (!isPlainPath(path)) return { kind: 'link' };
    const folder = folderKind(this.#root, parentOf(path), this.#folders);
    if (folder !== 'real') return { kind: folder };
    const found = statOf(`${this.#root}/${path}`);
    if (typeof found === 'string') return { kind: found };
    if (found.isSymbolicLink()) return { kind: 'link' };
    return found.isFile() ? { kind: 'file', stat: fileStat(found) } : { kind: 'unreadable' };
  }

  /** The bytes, with the stat of just before they were read; `undefined` when it cannot be read, has more than `limit`
   *  bytes, or is not a plain file below the root at the moment it is opened. */
  read(path: string, limit: number): { readonly bytes: Buffer; readonly stat: FileStat } | undefined {
    if (!isPlainPath(path)) return undefined;
    const opened = openInside(`${this.#root}/${path}`, { root: this.#root, isLinkFree: true });
    if (opened.kind !== 'open') return undefined;
    try {
      if (opened.stat.size > limit) return undefined;
      return { bytes: readSize(opened.descriptor, Number(opened.stat.size)), stat: fileStat(opened.stat) };
    } catch {
      return undefined;
    } finally {
      fs.closeSync(opened.descriptor);
    }
  }
}

type FolderKind = 'real' | 'link' | 'missing' | 'unreadable';

function folderKind(root: string, folder: string, known: Map<string, FolderKind>): FolderKind {
  if (folder === '') return 'real';
  const remembered = known.get(folder);
  if (remembered !== undefined) return remembered;
  const parent = folderKind(root, parentOf(folder), known);
  const kind = parent === 'real' ? ownKind(`${root}/${folder}`) : parent;
  known.set(folder, kind);
  return kind;
}

function ownKind(path: string): FolderKind {
  const found = statOf(path);
  if (typeof found === 'string') return found;
  if (found.isSymbolicLink()) return 'link';
  return found.isDirectory() ? 'real' : 'missing';
}

/** Not what git itself would put into an index: absolute, with empty parts or dots, or into git's own folder. */
const FOREIGN_PATH =
  platform.name === 'win32' ? /[\0:]|(^|[/\\])(\.{0,2}|\.git)([/\\]|$)/i : /\0|(^|\/)(\.{0,2}|\.git)(\/|$)/i;

function isPlainPath(path: string): boolean {
  return !FOREIGN_PATH.test(path);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function statOf(path: string): fs.BigIntStats | 'missing' | 'unreadable' {
  try {
    return fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? 'missing';
  } catch {
    // No permission to look into the folder.
    return 'unreadable';
  }
}

function fileStat(stat: fs.BigIntStats): FileStat {
  return { size: Number(stat.size), mtimeNs: String(stat.mtimeNs), ctimeNs: String(stat.ctimeNs) };
}

/** What a file gains while it is read belongs to its next stat. */
function readSize(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const got = fs.readSync(file, bytes, length, size - length, length);
    if (got === 0) break;
    length += got;
  }
  return bytes.subarray(0, length);
}
