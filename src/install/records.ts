// Records of what init did to each file, so that uninstall can undo exactly that: the offsets of our text, and the hashes of
// the file before and after. No copy of the file, since settings may hold secrets. In the person's state folder, one file each.

import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { makeFolder } from '../system/files/make-folder.ts';
import { readTextFile } from '../system/files/read-text.ts';
import type { Span } from './insertion.ts';
import { hashOf } from './own-file.ts';
import type { Scope, Site } from './target.ts';

export interface InstallRecord {
  readonly version: 1;
  /** The real path, with links followed. */
  readonly path: string;
  /** The path as the person knows it. */
  readonly file: string;
  /** Absent for project files that belong to no agent. */
  readonly agent?: string;
  readonly scope: Scope;
  /** Of the project scope: the project's root. */
  readonly root?: string;
  /** `starter`: a whole file that is removed only if it was not changed. */
  readonly format: Site['format'] | 'starter';
  readonly key?: string;
  /** Whether the file existed before; otherwise we made it. */
  readonly existed: boolean;
  readonly hashBefore: string;
  readonly hashAfter: string;
  /** The text that we added, as spans of the new file. */
  readonly spans: readonly Span[];
  readonly created: readonly (readonly string[])[];
  /** Folders that we made for it, outermost first. */
  readonly folders: readonly string[];
}

export interface InstallRecords {
  of(path: string): InstallRecord | undefined;
  all(): readonly InstallRecord[];
  keep(record: InstallRecord): void;
  forget(path: string): void;
}

/** `folder` is made when the first record is kept. A record that cannot be read counts as absent: uninstall then finds our
 *  entries by their command. */
export function openRecords(folder: string): InstallRecords {
  const fileOf = (path: string) => join(folder, `${hashOf(path).slice(0, 32)}.json`);
  return {
    of: (path) => {
      const record = read(fileOf(path));
      return record?.path === path ? record : undefined;
    },
    all: () => names(folder).flatMap((name) => read(join(folder, name)) ?? []),
    keep: (record) => {
      makePrivate(folder);
      replaceFile(fileOf(record.path), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    },
    forget: (path) => rmSync(fileOf(path), { force: true }),
  };
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
      .sort();
  } catch {
    return [];
  }
}

function read(file: string): InstallRecord | undefined {
  const text = readTextFile(file);
  if (text.kind !== 'text') return undefined;
  try {
    const record = JSON.parse(text.text) as InstallRecord;
    return record.version === 1 && typeof record.path === 'string' && Array.isArray(record.spans) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** If others could write the records, they could make us cut any part of a file. */
export function makePrivate(folder: string): void {
  makeFolder(folder);
  const stat = lstatSync(folder);
  const isOwn = process.getuid === undefined || stat.uid === process.getuid();
  if (stat.isDirectory() && isOwn && (stat.mode & 0o022) === 0) return;
  throw new ForewordError(
    'bad-input',
    `The folder ${folder} is not private: another user owns it or can write to it. foreword stores nothing there.`,
    {
      hint: 'Remove it, or make yourself its owner with mode 0700.',
    },
  );
}
