// The machine's files as plan and apply see them. Links are followed to where they lead: settings are often links into
// a folder of dotfiles, and a file written in the link's place would be lost with the next checkout there.

import { lstatSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from '../system/files/atomic.ts';
import { readTextFile, type TextFile } from '../system/files/read-text.ts';

export type Followed =
  | { readonly ok: true; readonly path: string }
  /** A link to nothing: nobody can say what should be written where. */
  | { readonly ok: false; readonly message: string };

export interface Files {
  /** Where writing to a path ends up. */
  follow(path: string): Followed;
  read(path: string): TextFile;
  isFolder(path: string): boolean;
  /** Names of what is in a folder; none when there is no such folder. */
  list(path: string): readonly string[];
}

export interface WritableFiles extends Files {
  /** Keeps the mode of a file that is there. */
  write(path: string, text: string): void;
  delete(path: string): void;
  /** Answers the folders it made, outermost first. */
  makeFolder(path: string): readonly string[];
  /** Does nothing to one that is not empty or not there. */
  removeFolder(path: string): void;
}

export const DISK: WritableFiles = {
  follow,
  read: (path) => readTextFile(path),
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  list: (path) => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  },
  write: (path, text) => replaceFile(path, text),
  delete: (path) => rmSync(path, { force: true }),
  makeFolder,
  removeFolder: (path) => {
    try {
      rmdirSync(path);
    } catch {
      // Something else is in it by now, or it is gone: both are fine.
      return;
    }
  },
};

function follow(path: string): Followed {
  try {
    return { ok: true, path: realpathSync(path) };
  } catch {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() === true) return { ok: false, message: 'Is a link to a file that is not there.' };
    const parent = dirname(path);
    if (parent === path) return { ok: true, path };
    const folder = follow(parent);
    return folder.ok ? { ok: true, path: join(folder.path, basename(path)) } : folder;
  }
}

function makeFolder(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return [];
  const above = dirname(path) === path ? [] : makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process was first a moment ago; then it is not ours to remove.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return above;
    throw error;
  }
  return [...above, path];
}
