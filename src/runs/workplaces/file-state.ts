// What lies at a path of a work tree, looked at without following a link: also a folder on the way that is a link counts
// as something in the way, since what is written through it lands elsewhere.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly stamp: string }
  | { readonly kind: 'link'; readonly target: string }
  /** A folder, a device. */
  | { readonly kind: 'other' }
  /** A file or a link is in the place of a folder on the way; `by` is its path from the top. */
  | { readonly kind: 'blocked'; readonly by: string };

/** `path` is from `top`, with `/` between its parts. */
export function lookAt(top: string, path: string): FileState {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count += 1) {
    const by = parts.slice(0, count).join('/');
    const stat = fs.lstatSync(join(top, by), { throwIfNoEntry: false });
    if (stat === undefined) return { kind: 'absent' };
    if (!stat.isDirectory()) return { kind: 'blocked', by };
  }
  const full = join(top, path);
  const stat = fs.lstatSync(full, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined) return { kind: 'absent' };
  if (stat.isSymbolicLink()) return { kind: 'link', target: fs.readlinkSync(full) };
  if (!stat.isFile()) return { kind: 'other' };
  const stamp = `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.mode}`;
  return { kind: 'file', path: full, mode: Number(stat.mode) & 0o777, stamp };
}

/** Same kind, same content, same permission to execute. */
export function isSame(one: FileState, other: FileState): boolean {
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other);
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target;
  if (one.kind !== 'file' || other.kind !== 'file') return false;
  return isExecutable(one.mode) === isExecutable(other.mode) && hasSameBytes(one.path, other.path);
}

/** Looked at again, it would be the same: nobody wrote to it in between. */
export function isUnmoved(before: FileState, now: FileState): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}

export function isNothing(state: FileState): boolean {
  return state.kind === 'absent' || state.kind === 'blocked';
}

export function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

/** Who may read may execute, as git sets it; or nobody. */
export function withExecutable(mode: number, isWanted: boolean): number {
  if (isExecutable(mode) === isWanted) return mode;
  return isWanted ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** Paths of everything in a folder that is not itself a folder, from `top`. */
export function filesIn(top: string, folder: string): readonly string[] {
  return fs.readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(top, path) : [path];
  });
}

/** Removes a file or link, and the folders above it that are empty then, as git does. */
export function removeFrom(top: string, path: string): void {
  fs.rmSync(join(top, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      fs.rmdirSync(join(top, folder));
    } catch {
      // Something else is in it.
      return;
    }
  }
}

const CHUNK = 1024 * 1024;

function hasSameBytes(one: string, other: string): boolean {
  const files = [fs.openSync(one, 'r'), fs.openSync(other, 'r')] as const;
  try {
    if (fs.fstatSync(files[0]).size !== fs.fstatSync(files[1]).size) return false;
    const [left, right] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)];
    for (;;) {
      const counts = [fs.readSync(files[0], left), fs.readSync(files[1], right)] as const;
      if (counts[0] !== counts[1] || left.compare(right, 0, counts[1], 0, counts[0]) !== 0) return false;
      if (counts[0] === 0) return true;
    }
  } finally {
    for (const file of files) fs.closeSync(file);
  }
}
