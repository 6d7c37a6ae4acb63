// A manifest: what a scan found, by path. It is kept as a file named by its id, so equal states are kept once.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import type { Changes, Snapshot } from '../changes.ts';
import { compareLines } from './line-prints.ts';

export interface ManifestEntry {
  /** Type, permission to execute and content in one: entries with the same id are the same. */
  readonly id: string;
  /** A number when only the count is known; 0 for what has no lines. */
  readonly lines: Uint32Array | number;
}

/** Paths from the root, the file system's bytes as latin1, in order. */
export type Manifest = ReadonlyMap<string, ManifestEntry>;

/** 0.8 MB per manifest. Files past it count by how their number of lines moved. */
const MAX_LINES = 200_000;

/** Writes the manifest unless it exists, and returns its id. Throws `disk-full`. */
export function keepManifest(folder: string, manifest: Manifest): Snapshot {
  const hash = createHash('sha256');
  for (const [path, entry] of manifest) hash.update(`${path}\0${entry.id}\0`, 'latin1');
  const snapshot = `scan-${hash.digest('hex').slice(0, 40)}`;
  const file = join(folder, `${snapshot}.json`);
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return snapshot;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replaceFile(file, render(manifest), { mode: 0o600 });
    return snapshot;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new ForewordError('disk-full', `No space left for the snapshot of the work tree: ${folder}.`, {
      hint: 'Free some space.',
      cause: error,
    });
  }
}

/** Throws `bad-input` for a snapshot that was not taken with this folder. */
export function readManifest(folder: string, snapshot: Snapshot): Manifest {
  try {
    if (!/^scan-[0-9a-f]{40}$/.test(snapshot)) throw new Error('it is not the id of a scan');
    const rows = JSON.parse(readFileSync(join(folder, `${snapshot}.json`), 'utf8')) as Row[];
    return new Map(rows.map(([path, id, lines]) => [path, { id, lines: unpack(lines) }]));
  } catch (error) {
    throw new ForewordError('bad-input', `The snapshot ${JSON.stringify(snapshot)} is not in ${folder}.`, {
      hint: 'Take a new snapshot; what changed since the lost one is unknown.',
      cause: error,
    });
  }
}

export function compareManifests(before: Manifest, after: Manifest): Changes {
  const changes = { created: [] as string[], updated: [] as string[], deleted: [] as string[] };
  let [linesAdded, linesRemoved] = [0, 0];
  for (const [path, entry] of after) {
    const old = before.get(path);
    if (old?.id === entry.id) continue;
    (old === undefined ? changes.created : changes.updated).push(path);
    const { added, removed } = lineChange(old?.lines ?? 0, entry.lines);
    linesAdded += added;
    linesRemoved += removed;
  }
  for (const [path, entry] of before) {
    if (after.has(path)) continue;
    changes.deleted.push(path);
    linesRemoved += count(entry.lines);
  }
  return {
    created: names(changes.created),
    updated: names(changes.updated),
    deleted: names(changes.deleted),
    linesAdded,
    linesRemoved,
  };
}

function names(paths: readonly string[]): string[] {
  return paths.map((path) => Buffer.from(path, 'latin1').toString('utf8')).sort();
}

function lineChange(before: ManifestEntry['lines'], after: ManifestEntry['lines']): { added: number; removed: number } {
  if (typeof before !== 'number' && typeof after !== 'number') return compareLines(before, after);
  const more = count(after) - count(before);
  return { added: Math.max(0, more), removed: Math.max(0, -more) };
}

function count(lines: ManifestEntry['lines']): number {
  return typeof lines === 'number' ? lines : lines.length;
}

type Row = readonly [path: string, id: string, lines: number | string];

function render(manifest: Manifest): string {
  let room = MAX_LINES;
  const rows = [...manifest].map(([path, entry]): Row => {
    room -= count(entry.lines);
    return [path, entry.id, room < 0 ? count(entry.lines) : pack(entry.lines)];
  });
  return JSON.stringify(rows);
}

function pack(lines: ManifestEntry['lines']): number | string {
  if (typeof lines === 'number') return lines;
  return Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('base64');
}

function unpack(lines: number | string): ManifestEntry['lines'] {
  if (typeof lines === 'number') return lines;
  const bytes = Uint8Array.from(Buffer.from(lines, 'base64'));
  return new Uint32Array(bytes.buffer);
}
