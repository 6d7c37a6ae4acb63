// Ignored folders that work needs (node_modules, vendor): copied once into a checkout, and set right between tasks by their
// manifest, from the original. Never a hard link, and no link that leads out of the checkout: what an agent writes to the
// copy must not reach the person's folder. Where the file system can, a copy shares its blocks until one side is written.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import { inState } from '../../system/files/project-state.ts';
import { removeTree } from '../../system/files/remove-tree.ts';
import { bytesOf, textOf, walkedPath, walkTree } from '../../system/files/walk-tree.ts';
import { withPrivateGit } from '../../system/git/private-git.ts';
import type { Repository } from '../../system/git/repository.ts';
import { sha256 } from '../../system/sha256.ts';
import {
  compareShared,
  relativeTarget,
  type SharedChanges,
  type SharedEntry,
  type SharedManifest,
  staysInside,
} from './shared-manifest.ts';

export interface SharedFolder {
  /** From the top of the work tree, as people write it. */
  readonly path: string;
  /** The top of the person's work tree, and of the checkout. */
  readonly root: string;
  readonly tree: string;
  /** Where manifests are kept. */
  readonly state: string;
  /** An existing folder on the disk of the checkout. */
  readonly scratch: string;
}

export interface SharedResult {
  /** What an agent had changed, and is as before now. Empty when the folder was copied. */
  readonly changes: SharedChanges;
  /** Links that lead out of the checkout, and files that could not be read: they are not in the copy. */
  readonly leftOut: readonly string[];
}

const NONE: SharedChanges = { changed: [], removed: [], added: [] };

/** Ignored folders of the person's tree that `share` names: a path from the top, or a name that counts at any depth. Tracked ones
 *  are in the commit, so they are not listed. */
export async function findShared(repository: Repository, share: readonly string[]): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const output = await withPrivateGit(repository, (git) => git.run(args, git.copyIndex()));
  const folders = output
    .toString('utf8')
    .split('\0')
    .filter((path) => path.endsWith('/'))
    .map((path) => path.slice(0, -1));
  const names = share.map((entry) => entry.replace(/^\.?\/+|\/+$/g, '')).filter((entry) => entry !== '');
  return folders.filter((folder) =>
    names.some((name) => folder === name || (!name.includes('/') && folder.endsWith(`/${name}`))),
  );
}

/** Copies it, or sets right what changed since it was copied. Throws `disk-full`. */
export async function restoreShared(at: SharedFolder): Promise<SharedResult> {
  const manifest = readManifest(at);
  const copy = join(at.tree, at.path);
  if (manifest === undefined || fs.lstatSync(copy, { throwIfNoEntry: false })?.isDirectory() !== true)
    return copyWhole(at);
  const changes = compareShared(manifest, await look(copy));
  if (changes.changed.length + changes.removed.length + changes.added.length === 0) return { changes, leftOut: [] };
  // Until it is written again, a crash means a copy from the start.
  fs.rmSync(manifestPath(at));
  for (const path of changes.added) await removeTree(bytesOf(copy, path), at.scratch);
  const put = [...new Set([...changes.changed, ...changes.removed])].sort();
  // A folder whose permissions changed is set right in place; anything else is removed first.
  for (const path of changes.changed) {
    const isFolder = manifest.get(path)?.kind === 'folder' && isDirectory(bytesOf(copy, path));
    if (!isFolder) await removeTree(bytesOf(copy, path), at.scratch);
  }
  const leftOut = put.filter((path) => !inState(at.tree, () => copyEntry(at, path)));
  await keepManifest(at, copy);
  return { changes: shown(changes), leftOut: leftOut.map(textOf) };
}

/** What an agent changed so far; nothing is written. */
export async function changesOfShared(at: SharedFolder): Promise<SharedChanges> {
  const manifest = readManifest(at);
  return manifest === undefined ? NONE : shown(compareShared(manifest, await look(join(at.tree, at.path))));
}

async function copyWhole(at: SharedFolder): Promise<SharedResult> {
  const copy = join(at.tree, at.path);
  fs.rmSync(manifestPath(at), { force: true });
  await removeTree(copy, at.scratch);
  fs.mkdirSync(dirname(copy), { recursive: true });
  const from = join(at.root, at.path);
  const leftOut: string[] = [];
  if (!isDirectory(Buffer.from(from))) return { changes: NONE, leftOut: [at.path] };
  fs.mkdirSync(copy);
  await walkTree(from, (path) => {
    if (!inState(at.tree, () => copyEntry(at, path))) leftOut.push(textOf(path));
    return 'enter';
  });
  await keepManifest(at, copy);
  return { changes: NONE, leftOut };
}

/** False when it is left out. A folder stays writable for us while its files come. */
function copyEntry(at: SharedFolder, path: string): boolean {
  const from = bytesOf(join(at.root, at.path), path);
  const to = bytesOf(join(at.tree, at.path), path);
  const stat = fs.lstatSync(from, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (stat.isDirectory()) {
    fs.mkdirSync(to, { recursive: true });
    fs.chmodSync(to, (stat.mode & 0o777) | 0o700);
    return true;
  }
  if (stat.isSymbolicLink()) return copyLink(at, path, { from, to });
  if (!stat.isFile() || !isCopied(from, to)) return false;
  fs.chmodSync(to, stat.mode & 0o777);
  fs.utimesSync(to, stat.atimeMs / 1000, stat.mtimeMs / 1000);
  return true;
}

function isCopied(from: Buffer, to: Buffer): boolean {
  try {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The person's own folder changes while it is copied, or has files that only another user reads.
    if (code === 'EACCES' || code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

function copyLink(at: SharedFolder, path: string, { from, to }: { from: Buffer; to: Buffer }): boolean {
  const target = fs.readlinkSync(from, 'latin1');
  const full = `${walkedPath(at.path)}/${path}`;
  const inside = relativeTarget(full, target, walkedPath(at.root)) ?? target;
  if (!staysInside(full, inside)) return false;
  fs.symlinkSync(Buffer.from(inside, 'latin1'), to);
  return true;
}

async function look(folder: string): Promise<SharedManifest> {
  const found = new Map<string, SharedEntry>();
  await walkTree(folder, (path, entry) => {
    const stat = fs.lstatSync(bytesOf(folder, path), { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return 'pass';
    const mode = (stat.mode & 0o7777n).toString(8);
    // The time of a folder changes with every file that a tool puts there and takes away.
    if (entry.isDirectory()) found.set(path, { kind: 'folder', copy: '', detail: mode });
    else if (entry.isSymbolicLink())
      found.set(path, { kind: 'link', copy: '', detail: fs.readlinkSync(bytesOf(folder, path), 'latin1') });
    else {
      const copy = `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}`;
      found.set(path, { kind: 'file', copy: entry.isFile() ? copy : 'other', detail: mode });
    }
    return 'enter';
  });
  return found;
}

function isDirectory(path: Buffer): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function shown(changes: SharedChanges): SharedChanges {
  const { changed, removed, added } = changes;
  return { changed: changed.map(textOf), removed: removed.map(textOf), added: added.map(textOf) };
}

function manifestPath(at: SharedFolder): string {
  return join(at.state, `${sha256(at.path).slice(0, 32)}.json`);
}

async function keepManifest(at: SharedFolder, copy: string): Promise<void> {
  const rows = [...(await look(copy))].map(([path, { kind, copy: stamp, detail }]) => [path, kind, stamp, detail]);
  fs.mkdirSync(at.state, { recursive: true });
  inState(at.state, () => replaceFile(manifestPath(at), JSON.stringify({ path: at.path, root: at.root, rows })));
}

/** `undefined` when there is none, or one of another folder. */
function readManifest(at: SharedFolder): SharedManifest | undefined {
  try {
    const { path, root, rows } = JSON.parse(fs.readFileSync(manifestPath(at), 'utf8')) as {
      readonly path: string;
      readonly root: string;
      readonly rows: readonly (readonly [string, SharedEntry['kind'], string, string])[];
    };
    if (path !== at.path || root !== at.root) return undefined;
    return new Map(rows.map(([name, kind, copy, detail]) => [name, { kind, copy, detail }]));
  } catch {
    return undefined;
  }
}
