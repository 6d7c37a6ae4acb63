// The files that the gate shows. Each must be a regular file of the project once links are resolved, and text: what a
// repository brings must not make us put a file of the person before a model.

import { join, relative } from 'node:path';
import { CONTEXT_FILES } from '../install/context-files.ts';
import { safeText } from '../kernel/safe-text.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { type GateFile, headingOf, type RefusedFile } from './gate-text.ts';

export interface GateFiles {
  readonly files: readonly GateFile[];
  /** Files that are there and cannot be shown; those that must be read come first. */
  readonly refused: readonly RefusedFile[];
}

/** Several times what any agent takes. */
const MOST_CHARS = 40_000;
/** More are not read, even when the settings name more. */
const MOST_FILES = 60;

export function readGateFiles(
  at: { readonly root: string; readonly cwd: string },
  wanted: { readonly files: readonly string[]; readonly mustRead: readonly string[] },
  redact: (text: string) => string,
): GateFiles {
  const files: GateFile[] = [];
  const refused: (RefusedFile & { readonly isMustRead: boolean })[] = [];
  for (const name of new Set(wanted.files.slice(0, MOST_FILES))) {
    const read = readTextFile(join(at.root, name), at.root);
    const isMustRead = wanted.mustRead.includes(name);
    if (read.kind === 'unreadable') refused.push({ path: pathFor(at, name), reason: read.message, isMustRead });
    if (read.kind !== 'text') continue;
    if (read.text.trim() === '' || isUntouched(name, read.text)) continue;
    // Cut far behind what has room, so that no half of a secret is left in what is shown.
    const text = isMustRead ? read.text.slice(0, MOST_CHARS) : headingOf(read.text);
    const more = isMustRead ? read.text.length - text.length : read.text.length;
    files.push({ name, path: pathFor(at, name), isMustRead, text, more });
  }
  const order = refused.toSorted((one, other) => Number(other.isMustRead) - Number(one.isMustRead));
  return { files: withoutSecrets(files, redact), refused: order.map(({ path, reason }) => ({ path, reason })) };
}

/** As init made it: it says nothing about this project yet. */
function isUntouched(name: string, text: string): boolean {
  return CONTEXT_FILES.some((starter) => starter.file === name && starter.text === text);
}

/** Most files hold none, and one look at all of them together finds that out in half the time. */
function withoutSecrets(files: readonly GateFile[], redact: (text: string) => string): readonly GateFile[] {
  const all = files.map(({ text }) => text).join('\n');
  const clean = redact(all) === all ? (text: string) => text : redact;
  return files.map((file) => ({ ...file, text: shown(clean(file.text)) }));
}

/** Most files are plain, and to see that takes less than to prepare for all that is not. */
function shown(text: string): string {
  return /^[\n\t\x20-\x7e]*$/.test(text) ? text : safeText(text);
}

/** Relative to the root where the agent works there, as people write it; else so that it can be opened from anywhere. */
function pathFor(at: { readonly root: string; readonly cwd: string }, name: string): string {
  const path = relative(at.root, at.cwd) === '' ? name : join(at.root, name);
  return shown(path).replaceAll('\n', ' ');
}
