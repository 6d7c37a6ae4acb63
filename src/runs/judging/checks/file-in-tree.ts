// One file of the work tree, named by a task: found and read only if it truly lies in the work tree.

import * as fs from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { openInside, readBounded } from '../../../system/files/open-inside.ts';

/** What is larger is not text that a person wrote a pattern for. */
const MAX_BYTES = 5 * 1024 * 1024;

type FileInTree =
  | { readonly kind: 'file'; readonly path: string; readonly root: string; readonly bytes: number }
  | { readonly kind: 'absent' }
  /** A folder, a device, a link that leads nowhere. */
  | { readonly kind: 'other'; readonly what: string }
  | { readonly kind: 'outside' };

/** Links are followed; where they end must lie in `root` too. Never throws. */
export function findInTree(root: string, path: string): FileInTree {
  const top = realpathOf(root) ?? resolve(root);
  const named = resolve(top, path);
  if (path.includes('\0') || !isInside(named, top)) return { kind: 'outside' };
  const real = realpathOf(named);
  if (real === undefined) return look(named, fs.lstatSync) === undefined ? { kind: 'absent' } : DANGLING;
  if (!isInside(real, top)) return { kind: 'outside' };
  const stat = look(real, fs.statSync);
  if (stat === undefined) return { kind: 'absent' };
  if (stat.isDirectory()) return { kind: 'other', what: 'a folder' };
  if (!stat.isFile()) return { kind: 'other', what: 'a device, pipe or socket' };
  return { kind: 'file', path: real, root: top, bytes: stat.size };
}

/** The text of a file that was found, or why it cannot be read. Bytes that are not UTF-8 become U+FFFD. */
export function readFound(found: FileInTree & { readonly kind: 'file' }): { text: string } | { problem: string } {
  if (found.bytes > MAX_BYTES) return { problem: `is larger than ${MAX_BYTES / 1024 / 1024} MiB` };
  const opened = openInside(found.path, found);
  if (opened.kind === 'error') return { problem: `cannot be read: ${opened.code}` };
  if (opened.kind !== 'open') return { problem: 'was exchanged while it was looked at' };
  try {
    const bytes = readBounded(opened.descriptor, MAX_BYTES);
    return bytes === undefined ? readFound({ ...found, bytes: MAX_BYTES + 1 }) : { text: bytes.toString('utf8') };
  } catch (error) {
    return { problem: `cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}` };
  } finally {
    fs.closeSync(opened.descriptor);
  }
}

const DANGLING: FileInTree = { kind: 'other', what: 'a link that leads nowhere' };

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realpathOf(path: string): string | undefined {
  try {
    return fs.realpathSync(path);
  } catch {
    // Not there, or a link that leads nowhere or in a circle.
    return undefined;
  }
}

function look(path: string, stat: (path: string) => fs.Stats): fs.Stats | undefined {
  try {
    return stat(path);
  } catch {
    // Gone, or a folder on the way is closed to us.
    return undefined;
  }
}
