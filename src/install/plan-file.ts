// The plan of one file: which entries are ours, the text without them, the text that is wanted. Reads only.

import { isAbsolute, relative } from 'node:path';
import type { Fault } from '../kernel/errors.ts';
import type { Files } from './disk.ts';
import type { Misplaced, OwnPart } from './edited.ts';
import { insert, isAsWanted, isBare, ownParts, remove } from './editors.ts';
import { cutAll, insertAll, spansOf } from './insertion.ts';
import { hashOf } from './own-file.ts';
import type { InstallRecord, InstallRecords } from './records.ts';
import { isTeamCommand } from './shell-command.ts';
import type { Places, Scope, Site, Want } from './target.ts';
import { unified } from './unified.ts';

export interface Change {
  /** Absent for project files that belong to no agent. */
  readonly agent?: string;
  readonly scope: Scope;
  /** The path as the person knows it. */
  readonly file: string;
  /** The path that is written, with links followed. */
  readonly path: string;
  readonly kind: 'create' | 'edit' | 'delete';
  /** `undefined`: no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly diff: string;
  /** How many entries of ours the file holds afterwards, or before they are removed. */
  readonly entries?: number;
  /** The record to keep; `undefined` deletes it. */
  readonly record: InstallRecord | undefined;
}

/** The files to read and the records of earlier changes. */
export interface Machine {
  readonly places: Places;
  readonly files: Files;
  readonly records: InstallRecords;
}

export interface At {
  readonly agent: string;
  readonly scope: Scope;
  readonly site: Site;
}

export type Planned =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'in place' }
  /** The file cannot be edited safely. */
  | { readonly kind: 'fault'; readonly fault: Fault };

/** Our entries of that scope in a file; none when it cannot be read. */
export function ownAt(files: Files, site: Site, scope: Scope): readonly OwnPart[] {
  const read = files.read(site.file);
  const own = read.kind === 'text' ? ownParts(read.text, site) : undefined;
  return own?.ok === true ? partsOf(scope, own.parts) : [];
}

/** A file of a project may hold entries of one machine, or those of the team. */
export function partsOf(scope: Scope, parts: readonly OwnPart[]): readonly OwnPart[] {
  return parts.filter(({ command }) => isTeamCommand(command) === (scope === 'team'));
}

/** The change after which the file holds the wanted entries and no others of ours. */
export function planFile(machine: Machine, at: At, want: Want): Planned {
  const { agent, scope, site } = at;
  const given = open(machine, at);
  if (!given.ok) return { kind: 'fault', fault: given.fault };
  const { path, text, parts } = given;
  if (text !== undefined && parts.length > 0 && isAsWanted(text, parts, want)) return { kind: 'in place' };
  const record = machine.records.of(path);
  const clean = text === undefined || parts.length === 0 ? { ok: true as const, text } : cleaned(text, site, record);
  if (!clean.ok) return faulty(site, clean);
  const made = insert(clean.text ?? '', want);
  if (!made.ok) return faulty(site, made);
  const after = insertAll(clean.text ?? '', made.insertions);
  if (after === text) return { kind: 'in place' };
  const kept: InstallRecord = {
    version: 1,
    path,
    file: site.file,
    agent,
    scope,
    ...(scope === 'user' ? {} : { root: machine.places.root }),
    format: site.format,
    ...(site.key === undefined ? {} : { key: site.key }),
    existed: clean.text !== undefined,
    hashBefore: hashOf(clean.text ?? ''),
    hashAfter: hashOf(after),
    spans: spansOf(made.insertions),
    created: made.created,
    folders: record?.folders ?? [],
  };
  const entries = countOf(after, site);
  return { kind: 'change', change: changeOf(at, { path, before: text, after, entries, record: kept }) };
}

/** Removes our entries from a file, also those without a record. */
export function planRemoval(machine: Machine, at: At): Planned {
  const given = open(machine, at);
  if (!given.ok) return { kind: 'fault', fault: given.fault };
  const { path, text, parts } = given;
  if (text === undefined || partsOf(at.scope, parts).length === 0) return { kind: 'in place' };
  const clean = cleaned(text, at.site, machine.records.of(path));
  if (!clean.ok) return faulty(at.site, clean);
  return {
    kind: 'change',
    change: changeOf(at, { path, before: text, after: clean.text, entries: parts.length, record: undefined }),
  };
}

function changeOf(
  { agent, scope, site }: At,
  of: Pick<Change, 'path' | 'before' | 'after' | 'entries' | 'record'>,
): Change {
  const kind = of.before === undefined ? 'create' : of.after === undefined ? 'delete' : 'edit';
  return { agent, scope, file: site.file, ...of, kind, diff: unified({ file: site.file, ...of }) };
}

function countOf(text: string, site: Site): number {
  const own = ownParts(text, site);
  return own.ok ? own.parts.length : 0;
}

type Given =
  | { readonly ok: true; readonly path: string; readonly text: string | undefined; readonly parts: readonly OwnPart[] }
  | { readonly ok: false; readonly fault: Fault };

/** A file in a repository may be a link that points to the person's own files outside of the project. */
function open({ files, places }: Machine, { scope, site }: At): Given {
  const refuse = (message: string, line?: number): Given => ({ ok: false, fault: faultOf(site, message, line) });
  const followed = files.follow(site.file);
  if (!followed.ok) return refuse(followed.message);
  const root = files.follow(places.root);
  if (scope !== 'user' && root.ok && !isInside(root.path, followed.path)) {
    return refuse('Is a link to a place outside of the project, expected a file in it.');
  }
  if (files.isReadOnly(followed.path))
    return refuse('Is read-only, so it is not replaced. Change it in the tool that manages it, or make it writable.');
  const read = files.read(followed.path);
  if (read.kind === 'unreadable') return refuse(read.message, read.line);
  if (read.kind === 'absent') return { ok: true, path: followed.path, text: undefined, parts: [] };
  const own = ownParts(read.text, site);
  if (!own.ok) return refuse(own.message, own.line);
  return { ok: true, path: followed.path, text: read.text, parts: own.parts };
}

function isInside(folder: string, path: string): boolean {
  const name = relative(folder, path);
  return !(name === '..' || name.startsWith('../') || isAbsolute(name));
}

/** The text without our entries: the old bytes when the file is as we left it. `undefined`: no file. */
function cleaned(
  text: string,
  site: Site,
  record: InstallRecord | undefined,
): { readonly ok: true; readonly text: string | undefined } | Misplaced {
  if (record !== undefined && hashOf(text) === record.hashAfter) {
    const before = record.existed ? cutAll(text, record.spans) : '';
    if (hashOf(before) === record.hashBefore) return { ok: true, text: record.existed ? before : undefined };
  }
  const removed = remove(text, site, record?.created);
  if (!removed.ok) return removed;
  // Without a record nobody knows; an empty file is of no use to anybody.
  const isOurs = site.format === 'own' || record?.existed !== true;
  return { ok: true, text: isOurs && isBare(removed.text, site) ? undefined : removed.text };
}

function faulty(site: Site, { line, message }: Misplaced): Planned {
  return { kind: 'fault', fault: faultOf(site, message, line) };
}

function faultOf(site: Site, message: string, line?: number): Fault {
  return { where: site.file, ...(line === undefined ? {} : { line }), path: '', message };
}
