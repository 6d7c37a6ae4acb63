// Walks a folder that somebody else writes to. No link is followed. Paths are the file system's bytes, one character each
// (latin1), with `/` between parts: a name need not be text.

import * as fs from 'node:fs';
import { setImmediate } from 'node:timers/promises';

/** What to do with an entry: go into a folder, or pass over it. For what is not a folder both are the same. */
type Visit = (path: string, entry: fs.Dirent) => 'enter' | 'pass';

/** Others get their turn this often. */
const BREATH_MS = 20;

/** A parent comes before what is in it. A folder that its owner closed is opened again when it is ours, and empty when not:
 *  `closed` gets its path then. */
export async function walkTree(root: string | Buffer, visit: Visit, closed?: (path: string) => void): Promise<void> {
  let breathedAt = performance.now();
  for (const folders = ['']; folders.length > 0; ) {
    const folder = folders.pop() as string;
    for (const entry of entriesOf(bytesOf(root, folder), () => closed?.(folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (visit(path, entry) === 'enter' && entry.isDirectory()) folders.push(path);
    }
    if (performance.now() - breathedAt > BREATH_MS) {
      await setImmediate();
      breathedAt = performance.now();
    }
  }
}

/** The path for the file system. */
export function bytesOf(root: string | Buffer, path: string): Buffer {
  const top = typeof root === 'string' ? Buffer.from(root) : root;
  return path === '' ? top : Buffer.concat([top, Buffer.from('/'), Buffer.from(path, 'latin1')]);
}

/** As people write it; a name that is not UTF-8 loses its odd bytes. */
export function textOf(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** A path of ours, such as a setting, in the form of a walk. */
export function walkedPath(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** False when a link or a file is in the place of a folder above `path`: what lies there may belong to somebody else. Folders that
 *  are missing do not matter. */
export function hasPlainWay(root: string, path: string): boolean {
  const parts = path.split('/').slice(0, -1);
  const folders = ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
  return folders.every((folder) => {
    const stat = fs.lstatSync(bytesOf(root, folder), { throwIfNoEntry: false });
    return stat === undefined || stat.isDirectory();
  });
}

/** `.git`, in any case: file systems that ignore case find the same file by it. */
export function isGitName(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase() === '.git';
}

function entriesOf(folder: Buffer, closed: () => void): fs.Dirent[] {
  try {
    return list(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
  }
  try {
    fs.chmodSync(folder, 0o700);
    return list(folder);
  } catch {
    // Another user's, or its path is longer than the system allows.
    closed();
    return [];
  }
}

function list(folder: Buffer): fs.Dirent[] {
  return fs.readdirSync(folder, { withFileTypes: true, encoding: 'latin1' });
}
