// Notes: files that people and agents leave for each other. Lists and stats every note, opens only those whose front
// matter will be shown. Ignores links: a note is a file in the notes folder, nothing else.

import { closeSync, lstatSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Fault } from '../../kernel/errors.ts';
import type { Observed } from '../../kernel/source.ts';
import { inFolderInside, openInside } from '../../system/files/open-inside.ts';
import { isInside } from '../../system/files/read-text.ts';
import { readText } from '../../system/formats/index.ts';
import { MAX_ENTRIES, type NoteFacts, order, type PendingNote, type RecentNote } from '../header.ts';

const PLACES = ['.foreword/notes', 'agent_notes'];
const PENDING = 'ready_for_review';
/** The folders for hotspots; notes that wait for review are already listed as pending. */
const RECENT = ['scratch', 'notes_FROM_CTO', 'proposed_tasks'];
/** Front matter longer than this is not front matter. */
const MAX_FRONT_MATTER = 16 * 1024;

/** `path` is the configured folder, which must exist. Without it, the first default folder that exists is used. */
export function observeNotes(
  root: string,
  options: { readonly path?: string | undefined; readonly now: number; readonly recentSec: number },
): Observed<NoteFacts> {
  const place = options.path ?? PLACES.find((name) => isFolder(join(root, name)));
  if (place === undefined) return { kind: 'absent' };
  const folder = resolve(root, place);
  if (!isFolder(folder)) {
    return unavailable(place, [
      { where: place, path: '', message: 'the folder does not exist; create it, or fix context.notes' },
    ]);
  }
  try {
    // An absolute path was written by the person; a relative one may come from the repository.
    const within = isAbsolute(place) ? realpathSync(folder) : realpathSync(root);
    if (!isInside(within, realpathSync(folder))) return outside(place);
    const faults: Fault[] = [];
    const at = { folder, within, place };
    const waiting = list(at, PENDING).sort((a, b) => a.modifiedAt - b.modifiedAt || order(a.path, b.path));
    const pending = waiting.slice(0, MAX_ENTRIES).map((note) => readPending(at, note, faults));
    const since = options.now - options.recentSec * 1000;
    const recent = RECENT.flatMap((name) => list(at, name, since));
    if (faults.length > 0) return unavailable(place, faults);
    return { kind: 'found', from: place, value: { pending, pendingTotal: waiting.length, recent } };
  } catch (error) {
    return unavailable(place, [{ where: place, path: '', message: `cannot be read (${reasonOf(error)})` }]);
  }
}

interface NotesPlace {
  readonly folder: string;
  /** The project, or the folder itself where the person named it; with links resolved. */
  readonly within: string;
  /** As people know it. */
  readonly place: string;
}

function list(at: NotesPlace, name: string, since = 0): RecentNote[] {
  const path = join(at.folder, name);
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return inFolderInside(path, { root: at.within }, (folder) => listFolder(folder, name, since)) ?? [];
}

function listFolder(folder: string, name: string, since: number): RecentNote[] {
  const notes: RecentNote[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue;
    // A note deleted between listing and stat is ignored.
    const modifiedAt = lstatSync(join(folder, entry.name), { throwIfNoEntry: false })?.mtimeMs;
    if (modifiedAt !== undefined && modifiedAt >= since) notes.push({ path: `${name}/${entry.name}`, modifiedAt });
  }
  return notes;
}

function readPending(at: NotesPlace, note: RecentNote, faults: Fault[]): PendingNote {
  const where = `${at.place}/${note.path}`;
  const front = frontMatter(at, note.path);
  const plain = { ...note, id: idFromName(note.path), targets: [] };
  if (front === undefined) return plain;
  const parsed = readText('yaml', front);
  if (!parsed.ok) {
    faults.push({ where, ...lineIn(parsed.line), path: '', message: `front matter is not YAML: ${parsed.message}` });
    return plain;
  }
  const value = (parsed.value ?? {}) as Record<string, unknown>;
  if (typeof value !== 'object' || Array.isArray(value)) {
    faults.push({ where, line: 2, path: '', message: 'front matter must be a map with `id` and `targets`' });
    return plain;
  }
  const { id, targets } = value;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') {
    faults.push({ where, ...lineIn(parsed.lineOf(['id'])), path: 'id', message: 'must be a string' });
  }
  const isList = Array.isArray(targets) && targets.every((target) => typeof target === 'string');
  if (targets !== undefined && targets !== null && typeof targets !== 'string' && !isList) {
    faults.push({ where, ...lineIn(parsed.lineOf(['targets'])), path: 'targets', message: 'must be a list of paths' });
  }
  return {
    ...note,
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : plain.id,
    targets: typeof targets === 'string' ? [targets] : isList ? (targets as string[]) : [],
  };
}

/** Line numbers count in the note, whose first line is the opening `---`. */
function lineIn(line: number | undefined): { line?: number } {
  return line === undefined ? {} : { line: line + 1 };
}

/** The text between the first two `---` lines; `undefined` when the note does not begin with one. */
function frontMatter(at: NotesPlace, path: string): string | undefined {
  const opened = openInside(join(at.folder, path), { root: at.within });
  if (opened.kind === 'error') throw Object.assign(new Error(opened.code), { code: opened.code });
  if (opened.kind !== 'open') return undefined;
  try {
    const bytes = new Uint8Array(MAX_FRONT_MATTER);
    const head = new TextDecoder().decode(bytes.subarray(0, readSync(opened.descriptor, bytes)));
    return /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(head.startsWith('---') ? head : '')?.[1];
  } finally {
    closeSync(opened.descriptor);
  }
}

/** `2025-10-29__task-217__feat-auth.md` is the note of task-217; any other name is the id itself. */
function idFromName(path: string): string {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[A-Za-z]+$/, '');
  const parts = stem.split('__');
  return parts.length >= 3 && /^\d{4}-\d\d-\d\d/.test(parts[0] ?? '') ? (parts[1] ?? stem) : stem;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function outside(place: string): Observed<NoteFacts> {
  return unavailable(place, [{ where: place, path: '', message: 'is a link to a folder outside the project' }]);
}

function unavailable(from: string, faults: readonly Fault[]): Observed<NoteFacts> {
  return { kind: 'unavailable', from, faults };
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
