// What init did to each file, so that uninstall can undo exactly that: where our text stands, and the hashes of the file
// before and after. No copy of the file, since settings hold keys. Kept in the person's state folder, one file each.

import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { readTextFile } from '../system/files/read-text.ts';
import type { Span } from './insertion.ts';
import { hashOf } from './own-file.ts';
import type { Scope, Site } from './target.ts';

export interface InstallRecord {
  readonly version: 1;
  /** Where the file really is, links followed. */
  readonly path: string;
  /** As the person knows it. */
  readonly file: string;
  /** Absent for what belongs to the project and to no agent. */
  readonly agent?: string;
  readonly scope: Scope;
  /** Of the project scope: which project. */
  readonly root?: string;
  /** `starter`: a whole file that goes only while nobody changed it. */
  readonly format: Site['format'] | 'starter';
  readonly key?: string;
  /** Whether the file was there before; otherwise it was made by us. */
  readonly existed: boolean;
  readonly hashBefore: string;
  readonly hashAfter: string;
  /** What we put in, as places in the file after. */
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

/** `folder` is made when something is kept. What cannot be read counts as not there: uninstall then finds our entries by
 *  what they run. */
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

/** What others may write to could make us cut a file anywhere. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  const isOwn = process.getuid === undefined || stat.uid === process.getuid();
  if (stat.isDirectory() && isOwn && (stat.mode & 0o022) === 0) return;
  throw new ForewordError('bad-input', `${folder} is not a folder of yours alone, so nothing is kept there.`, {
    hint: 'Remove it, or make it yours with mode 0700.',
  });
}
