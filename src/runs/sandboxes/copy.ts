// The throw-away copy of a work tree. Commands may do to it what they like: it is removed afterwards, whatever happened.
// - `.git` is left out, at every depth: its hooks and settings are what an attacker would plant, and its settings can
//   hold passwords. The helper's prompt names that.
// - `.foreword` is left out: commands must not see our records.
// - A large `node_modules` is not copied: the packages in it are links to the original, which is mounted read-only. The
//   folder itself is a real one, since tools write their caches there.
// - Links are copied as links; sockets and devices, and what we may not read, are left out.

import {
  chmodSync,
  constants,
  copyFileSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Limits } from './level.ts';
import { LINKED, type Mount } from './mounts.ts';

type CopyResult =
  /** Where the links of the copy lead. */
  { readonly kind: 'made'; readonly mounts: readonly Mount[] } | { readonly kind: 'refused'; readonly reason: string };

export const PREFIX = 'foreword-sandbox-';
const STRAY_MS = 24 * 60 * 60 * 1_000;
/** Longest time without a turn for others; system calls one by one are three times as fast as promises here. */
const SLICE_MS = 10;
/** The kernel ends a namespace's processes after it has reported the first one's end: milliseconds, but not at once. */
const REMOVE_TRIES = 40;
const REMOVE_PAUSE_MS = 25;
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest', '.tmp']);

/** Copies `workTree`, a real path, to `target`, which is not there yet. Never throws. */
export async function makeCopy(workTree: string, target: string, limits: Limits): Promise<CopyResult> {
  const mounts: Mount[] = [];
  try {
    await inSlices(copyTree(workTree, { tree: target, mounts }, limits));
    return { kind: 'made', mounts };
  } catch (error) {
    return { kind: 'refused', reason: `the work tree could not be copied: ${messageOf(error)}` };
  }
}

/** Removes also what a command made unreadable. Never throws: a copy that stays is swept another day. */
export async function removeFolder(folder: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries += 1) {
    try {
      await inSlices(removeTree(folder));
      return;
    } catch {
      // A command that was just killed may still have written; later tries find it gone.
      await setTimeout(REMOVE_PAUSE_MS);
    }
  }
}

/** Removes copies of ours that a killed process left a day ago or longer. */
export async function sweepCopies(now: number): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const isOurs = stats?.isDirectory() === true && stats.uid === process.getuid?.();
    if (isOurs && now - stats.mtimeMs > STRAY_MS) await removeFolder(path);
  }
}

function* copyTree(
  workTree: string,
  copy: { readonly tree: string; readonly mounts: Mount[] },
  limits: Limits,
): Generator<void> {
  let files = 0;
  let bytes = 0;
  function* folder(source: string, target: string, isTop: boolean): Generator<void> {
    const entries = readable(() => readdirSync(source, { withFileTypes: true }));
    const stats = lstatSync(source);
    mkdirSync(target, { mode: 0o700 });
    for (const entry of entries ?? []) {
      if (entry.name === '.git' || (isTop && entry.name === '.foreword')) continue;
      const [from, to] = [join(source, entry.name), join(target, entry.name)];
      if (entry.name === 'node_modules' && entry.isDirectory() && hasMoreFiles(from, limits.linkAbove)) {
        const inner = `${LINKED}/${copy.mounts.length}/node_modules`;
        copy.mounts.push({ kind: 'read-only', source: from, target: inner });
        yield* linkPackages(from, to, inner);
      } else if (entry.isDirectory()) yield* folder(from, to, false);
      else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
      else if (entry.isFile()) {
        const file = lstatSync(from);
        files += 1;
        bytes += file.size;
        if (files > limits.copyFiles) throw new Error(`it has more than ${limits.copyFiles} files`);
        if (bytes > limits.copyBytes)
          throw new Error(`it is larger than ${Math.round(limits.copyBytes / 2 ** 20)} MiB`);
        readable(() => {
          copyFileSync(from, to, constants.COPYFILE_FICLONE);
          utimesSync(to, file.atime, file.mtime);
        });
      }
      yield;
    }
    keepLooks(target, stats);
  }
  yield* folder(workTree, copy.tree, true);
}

/** Scopes and `.bin` are created as folders, since they can hold links out of `node_modules` (workspaces). */
function* linkPackages(source: string, target: string, inner: string): Generator<void> {
  mkdirSync(target);
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (CACHES.has(entry.name)) continue;
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else if (entry.isDirectory() && (entry.name.startsWith('@') || entry.name === '.bin')) {
      yield* linkPackages(from, to, `${inner}/${entry.name}`);
    } else symlinkSync(`${inner}/${entry.name}`, to);
    yield;
  }
}

function* removeTree(folder: string): Generator<void> {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* removeTree(path);
    else unlinkSync(path);
    yield;
  }
  rmdirSync(folder);
}

function hasMoreFiles(folder: string, most: number): boolean {
  let count = 0;
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const path = next;
    const entries: readonly Dirent[] = readable(() => readdirSync(path, { withFileTypes: true })) ?? [];
    count += entries.length;
    if (count > most) return true;
    for (const entry of entries) if (entry.isDirectory()) open.push(join(path, entry.name));
  }
  return false;
}

/** make and its like decide by times. */
function keepLooks(target: string, stats: Stats): void {
  chmodSync(target, stats.mode & 0o777);
  utimesSync(target, stats.atime, stats.mtime);
}

/** `undefined` for what we may not read and what is gone in the meantime. */
function readable<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT') return undefined;
    throw error;
  }
}

async function inSlices(steps: Generator<void>): Promise<void> {
  for (let began = performance.now(); steps.next().done !== true; ) {
    if (performance.now() - began < SLICE_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
