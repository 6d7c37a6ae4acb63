// Reading a file that a person wrote: small, regular, UTF-8. Sync, because a command can do nothing before it has it.

import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

/** Files of tasks, policies and settings are some kilobytes; a larger one is something else under that name. */
const MAX_BYTES = 5 * 1024 * 1024;

export type TextFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly message: string; readonly line?: number };

/** Never throws. `absent` is only a path where nothing exists; a broken link is absent too. With `within`, a file
 *  that lies outside of that folder once links are resolved is unreadable: a repository must not bring in what a person
 *  keeps elsewhere. */
export function readTextFile(path: string, within?: string): TextFile {
  let descriptor: number | undefined;
  try {
    if (within !== undefined && !isInside(realpathSync(within), realpathSync(path))) {
      return unreadable('Is a link to a place outside of the project, expected a file in it.');
    }
    // Opening a pipe that nobody writes to would wait for ever without O_NONBLOCK.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return unreadable('Is a directory, expected a file.');
    if (!stat.isFile()) return unreadable('Is a device, pipe or socket, expected a file.');
    if (stat.size > MAX_BYTES) return unreadable(tooLarge(stat.size));
    return decode(readFileSync(descriptor));
  } catch (error) {
    return fromError(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The path for messages: relative to the root, or unchanged when it lies outside. */
export function nameInProject(root: string, path: string): string {
  const name = relative(resolve(root), resolve(root, path));
  return name === '' || name.startsWith('..') || isAbsolute(name) ? path : name.replaceAll('\\', '/');
}

/** Whether `path` is `folder` or lies below it; both with links resolved. */
export function isInside(folder: string, path: string): boolean {
  const name = relative(folder, path);
  return name === '' || !(name === '..' || name.startsWith('../') || isAbsolute(name));
}

function decode(bytes: Buffer): TextFile {
  if (bytes.length > MAX_BYTES) return unreadable(tooLarge(bytes.length));
  if (isUtf8(bytes)) return { kind: 'text', text: bytes.toString('utf8') };
  return { ...unreadable('Is not UTF-8 text; save the file as UTF-8.'), line: firstBadLine(bytes) };
}

/** No byte of a longer character is a line feed, so each line can be looked at by itself. */
function firstBadLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(10, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
  }
  return line;
}

function fromError(error: unknown): TextFile {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
  if (code === 'EISDIR') return unreadable('Is a directory, expected a file.');
  if (code === 'EACCES' || code === 'EPERM') return unreadable('Cannot be read: permission denied.');
  return unreadable(`Cannot be read: ${code}.`);
}

function unreadable(message: string): TextFile & { readonly kind: 'unreadable' } {
  return { kind: 'unreadable', message };
}

function tooLarge(bytes: number): string {
  return `Is ${(bytes / 1024 / 1024).toFixed(1)} MiB, expected at most 5 MiB.`;
}
