// Everything that lies in some folders, so that a change of anything shows: kind, mode, owner, size, time and content.

import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** `exact`: nothing may change. `folder`: it may come, private, and entries may come and go in it, but it stays a folder with
 *  this mode.
 *  `free`: neither it nor what is in it is looked at. */
export type Care = 'exact' | 'folder' | 'free';

export type Snapshot = ReadonlyMap<string, string>;

export function snapshot(roots: readonly string[], careOf: (path: string) => Care): Snapshot {
  const seen = new Map<string, string>();
  const look = (path: string): void => {
    const care = careOf(path);
    if (care === 'free') return;
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return;
    seen.set(
      path,
      care === 'folder' ? `folder ${shape(stat)}` : `${shape(stat)} ${stat.mtimeNs} ${content(path, stat)}`,
    );
    if (stat.isDirectory()) for (const name of readdirSync(path)) look(join(path, name));
  };
  for (const root of roots) look(root);
  return seen;
}

/** One line for each difference; empty when nothing changed. */
export function differences(before: Snapshot, after: Snapshot): readonly string[] {
  const gone = [...before.keys()].filter((path) => !after.has(path)).map((path) => `gone: ${path}`);
  const others = [...after].flatMap(([path, state]) => {
    const old = before.get(path);
    if (old === undefined) return state.startsWith('folder 40700 ') ? [] : [`new: ${path}`];
    return old === state ? [] : [`changed: ${path}: ${old} -> ${state}`];
  });
  return [...gone, ...others];
}

function shape({ mode, uid }: BigIntStats): string {
  return `${mode.toString(8)} ${uid}`;
}

function content(path: string, stat: BigIntStats): string {
  if (stat.isSymbolicLink()) return readlinkSync(path);
  if (!stat.isFile()) return '';
  return `${stat.size} ${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)}`;
}
