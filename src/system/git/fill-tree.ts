// Makes a folder be what a tree says: files that differ are written, everything else that lies there is removed. What was
// written before is known by an index of ours, so files that did not change are not touched. From any state it ends in the
// same one: after a crash it is called again. Nothing may write to the folder meanwhile.

import * as fs from 'node:fs';
import { removeTree } from '../files/remove-tree.ts';
import { bytesOf, isGitName, walkTree } from '../files/walk-tree.ts';
import { MARKER } from '../processes/port.ts';
import { asId } from './object-id.ts';
import type { OwnRun } from './own-repository.ts';
import { indexPaths, isAsIndexed } from './read-index.ts';
import type { ObjectFormat } from './repository.ts';

export interface FilledFolder {
  readonly folder: string;
  readonly index: string;
  /** Paths that are neither looked into nor removed, as a walk has them (system/files/walk-tree.ts). */
  readonly kept: readonly string[];
  /** An existing folder on the same disk. */
  readonly scratch: string;
  /** Marks the processes that work on it, so that those that outlive us are found (processes/end-marked.ts). */
  readonly marker: string;
  /** Of its index; git itself reads it when absent. */
  readonly objectFormat?: ObjectFormat | undefined;
  /** Runs git with the objects of the tree. */
  run(args: readonly string[], more?: OwnRun): Promise<Buffer>;
}

/** `env` is that of the filters (filters.ts), asked for when the first file is to be written. Throws `bad-input`, and `disk-full`. */
export async function fillTree(
  at: FilledFolder,
  tree: string,
  env: () => Promise<OwnRun['env']> = async () => undefined,
): Promise<void> {
  fs.rmSync(`${at.index}.lock`, { force: true });
  const stat = fs.lstatSync(at.folder, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) {
    await removeTree(at.folder, at.scratch);
    fs.rmSync(at.index, { force: true });
    fs.mkdirSync(at.folder);
  }
  await removeUntracked(at, await trackedOrNone(at));
  // The usual case after a task that passed: its work is the next one's start.
  if (isFilledWith(at, tree)) return;
  await runAt(at, ['read-tree', '--reset', '-u', '--no-recurse-submodules', asId(tree)], {
    env: await env(),
  });
  noteIndexed(at, tree);
}

/** Whether the index has `tree`, and every file is as it says. False when git must look. */
export function isFilledWith(at: FilledFolder, tree: string): boolean {
  if (at.objectFormat === undefined || indexedTree(at) !== tree) return false;
  return isAsIndexed(at.folder, at.index, at.objectFormat);
}

/** `tree` is what the index has now. */
export function noteIndexed(at: FilledFolder, tree: string): void {
  indexed.set(at.index, { stamp: stampOf(at.index), tree });
}

/** `undefined` when it is not known, or the index is another one by now. */
export function indexedTree(at: FilledFolder): string | undefined {
  const last = indexed.get(at.index);
  return last !== undefined && last.stamp === stampOf(at.index) ? last.tree : undefined;
}

/** By index. Lost at a restart: then git looks again. */
const indexed = new Map<string, { readonly stamp: string; readonly tree: string }>();

/** Git writes a new file for each change. */
function stampOf(index: string): string {
  const stat = fs.lstatSync(index, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

/** Git at the top of the folder, with its index. */
export function runAt(at: FilledFolder, args: readonly string[], more: OwnRun = {}): Promise<Buffer> {
  const env = { ...more.env, GIT_WORK_TREE: at.folder, GIT_INDEX_FILE: at.index, [MARKER]: at.marker };
  return at.run(args, { ...more, cwd: at.folder, env });
}

/** Of the index; none when there is no index, or half of one after a power cut: then everything is written again. */
async function trackedOrNone(at: FilledFolder): Promise<readonly string[]> {
  if (!fs.existsSync(at.index)) return [];
  try {
    return await trackedPaths(at);
  } catch {
    fs.rmSync(at.index);
    return [];
  }
}

/** The paths of the index. */
export async function trackedPaths(at: FilledFolder): Promise<readonly string[]> {
  const known = at.objectFormat === undefined ? undefined : indexPaths(at.index, at.objectFormat);
  return known ?? split(await runAt(at, ['ls-files', '-z', '--cached']));
}

async function removeUntracked(at: FilledFolder, tracked: readonly string[]): Promise<void> {
  const files = new Set(tracked);
  const folders = foldersOf(tracked);
  const above = foldersOf(at.kept);
  const kept = new Set(at.kept);
  const removed: string[] = [];
  await walkTree(at.folder, (path, entry) => {
    if (kept.has(path)) return 'pass';
    const isPlain = entry.isFile() || entry.isSymbolicLink();
    if (entry.isDirectory() && !isGitName(path) && (folders.has(path) || above.has(path))) return 'enter';
    if (!isPlain || !files.has(path) || isGitName(path)) removed.push(path);
    return 'pass';
  });
  for (const path of removed) await removeTree(bytesOf(at.folder, path), at.scratch);
}

/** Every folder above one of the paths. */
export function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/** Fields that end with a null byte, as latin1. */
export function split(output: Buffer): string[] {
  return output
    .toString('latin1')
    .split('\0')
    .filter((field) => field !== '');
}
