// Reading a file that a person wrote: small, regular, UTF-8. Sync, because a command can do nothing before it has it.

import { isUtf8 } from 'node:buffer';
import { closeSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { type OpenedFile, openInside, readBounded } from './open-inside.ts';

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
  const opened = openInside(path, within === undefined ? undefined : { root: within });
  if (opened.kind !== 'open') return refusal(opened);
  try {
    if (opened.stat.size > MAX_BYTES) return unreadable(tooLarge(Number(opened.stat.size)));
    const bytes = readBounded(opened.descriptor, MAX_BYTES);
    return bytes === undefined ? unreadable('Grew while it was read, expected at most 5 MiB.') : decode(bytes);
  } catch (error) {
    return unreadable(`Cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}.`);
  } finally {
    closeSync(opened.descriptor);
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

function refusal(found: Exclude<OpenedFile, { kind: 'open' }>): TextFile {
  switch (found.kind) {
    case 'absent':
      return { kind: 'absent' };
    case 'outside':
      return unreadable('Is a link to a place outside of the project, expected a file in it.');
    case 'folder':
      return unreadable('Is a directory, expected a file.');
    case 'special':
      return unreadable('Is a device, pipe or socket, expected a file.');
    case 'error':
      return unreadable(
        /^(EACCES|EPERM)$/.test(found.code) ? 'Cannot be read: permission denied.' : `Cannot be read: ${found.code}.`,
      );
  }
}

function unreadable(message: string): TextFile & { readonly kind: 'unreadable' } {
  return { kind: 'unreadable', message };
}

function tooLarge(bytes: number): string {
  return `Is ${(bytes / 1024 / 1024).toFixed(1)} MiB, expected at most 5 MiB.`;
}
