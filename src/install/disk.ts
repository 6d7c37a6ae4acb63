// The machine's files, for plan and apply. Links are followed: settings are often links into a folder of dotfiles, and a file
// that replaces the link would be lost with the next checkout there.

import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from '../system/files/atomic.ts';
import { inItsFolder } from '../system/files/open-inside.ts';
import { readTextFile, type TextFile } from '../system/files/read-text.ts';

export type Followed =
  | { readonly ok: true; readonly path: string }
  /** A broken link: it is not clear which file to write. */
  | { readonly ok: false; readonly message: string };

export interface Files {
  /** The path that a write really changes. */
  follow(path: string): Followed;
  read(path: string): TextFile;
  isFolder(path: string): boolean;
  /** An existing file that its owner closed for writing, or that this person may not write. */
  isReadOnly(path: string): boolean;
  /** Names of the entries of a folder; none when there is no such folder. */
  list(path: string): readonly string[];
}

/** Paths are those that `follow` returned, or folders above them: a link that comes into their place is not followed. */
export interface WritableFiles extends Files {
  /** Keeps the mode of an existing file. */
  write(path: string, text: string): void;
  delete(path: string): void;
  /** Returns the folders it made, outermost first. */
  makeFolder(path: string): readonly string[];
  /** Does nothing when the folder is not empty or does not exist. */
  removeFolder(path: string): void;
}

export const DISK: WritableFiles = {
  follow,
  read: (path) => readTextFile(path),
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  isReadOnly: (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    // The bits too: root may write everything, and a file that somebody closed was closed on purpose.
    return stat?.isFile() === true && ((stat.mode & 0o200) === 0 || !isWritable(path));
  },
  list: (path) => {
    try {
      return readdirSync(path);
    } catch {
      return [];
    }
  },
  write: (path, text) => inItsFolder(path, (file) => replaceFile(file, text)),
  delete: (path) => inItsFolder(path, (file) => rmSync(file, { force: true })),
  makeFolder,
  removeFolder: (path) => {
    try {
      inItsFolder(path, (folder) => rmdirSync(folder));
    } catch {
      // Another file is in it by now, or it is gone: both are fine.
      return;
    }
  },
};

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function follow(path: string): Followed {
  try {
    return { ok: true, path: realpathSync(path) };
  } catch {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() === true)
      return { ok: false, message: 'Is a broken link. Remove it, or create the file it points to.' };
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
    inItsFolder(path, (folder) => mkdirSync(folder));
  } catch (error) {
    // Another process made it a moment ago; then we must not remove it.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return above;
    throw error;
  }
  return [...above, path];
}
