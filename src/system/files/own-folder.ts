// What foreword writes into `.foreword/`. What works in the project can put a link in the folder's place at any moment, so it is
// opened once, and everything is written to the folder that was opened.

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from './atomic.ts';
import { inItsFolder } from './open-inside.ts';
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

function inOwnFolder(file: string, write: (file: string) => void): void {
  const folder = dirname(file);
  inItsFolder(join(realpathSync.native(dirname(folder)), basename(folder), basename(file)), write);
}
