// What foreword writes into `.foreword/`. What works in the project can put a link in the folder's place at any moment, so it is
// opened once, and everything is written to the folder that was opened.

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { replaceFile } from './atomic.ts';
import { inFolderInside } from './open-inside.ts';
import { ownFile } from './project-state.ts';

/** What belongs to this machine and not to the repository; the rest of `.foreword/` is meant to be committed. */
const IGNORED = `# Written by foreword. For this machine only; the rest of this folder is yours to commit.
session-state.json
*.local.md
.*.tmp
`;

/** Creates `.foreword/` and the .gitignore in it when they are missing. Returns the folder's path. Throws `bad-input` when one
 *  of them is a link. */
export function ensureFolder(root: string): string {
  const file = ownFile(root, '.gitignore');
  mkdirSync(dirname(file), { recursive: true });
  inOwnFolder(file, (ignore) => {
    try {
      writeFileSync(ignore, IGNORED, { flag: 'wx' });
    } catch (error) {
      // There already, also when another process was first a moment ago.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  });
  return dirname(file);
}

/** Throws as `ensureFolder`, and the file system's error. `meanwhile` is called between check and write, for tests. */
export function replaceOwnFile(
  root: string,
  { name, text }: { readonly name: string; readonly text: string },
  meanwhile: () => void = () => undefined,
): void {
  ensureFolder(root);
  const file = ownFile(root, name);
  meanwhile();
  inOwnFolder(file, (path) => replaceFile(path, text));
}

/** `write` gets a path whose folder is the one that was looked at. */
function inOwnFolder(file: string, write: (file: string) => void): void {
  const root = realpathSync.native(dirname(dirname(file)));
  const folder = join(root, basename(dirname(file)));
  const isDone = inFolder(root, folder, (path) => {
    write(join(path, basename(file)));
    return true;
  });
  if (isDone !== true) throw exchanged(folder);
}

function inFolder(root: string, folder: string, use: (path: string) => true): true | undefined {
  try {
    return inFolderInside(folder, { root, isLinkFree: true }, use);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP' || code === 'ENOTDIR') throw exchanged(folder, error);
    throw error;
  }
}

function exchanged(folder: string, cause?: unknown): ForewordError {
  return new ForewordError('bad-input', `${folder} was exchanged for something else meanwhile; nothing was written.`, {
    hint: 'A program in the project replaces it. End that program.',
    cause,
  });
}
