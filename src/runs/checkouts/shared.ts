// Files and folders that come along into a checkout beside the commit (node_modules, vendor, local files of agents): copied once,
// again when the original changed, and set right between tasks by their manifest. Never a hard link, and no link that leads out of the checkout: what an agent writes to the
// copy must not reach the person's folder. Where the file system can, a copy shares its blocks until one side is written.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import { inState } from '../../system/files/project-state.ts';
import { removeTree } from '../../system/files/remove-tree.ts';
import { bytesOf, hasPlainWay, textOf, walkedPath, walkTree } from '../../system/files/walk-tree.ts';
import { sha256 } from '../../system/sha256.ts';
import {
  compareShared,
  relativeTarget,
  type SharedChanges,
  type SharedEntry,
  type SharedManifest,
  staysInside,
} from './shared-manifest.ts';

/** A folder, or a single file. */
export interface SharedFolder {
  /** From the top of the work tree, as people write it. */
  readonly path: string;
  /** Where the original is: the top of the person's work tree, or of what `run.prepare` made. */
  readonly root: string;
  /** The top of the checkout. */
  readonly tree: string;
  /** Where manifests are kept. */
  readonly state: string;
  /** An existing folder on the disk of the checkout. */
  readonly scratch: string;
  /** It was made for this checkout, so its links may lead anywhere, as those of a virtual environment do. */
  readonly isMade?: boolean;
}

export interface SharedResult {
  /** What an agent had changed, and is as before now. Empty when the folder was copied. */
  readonly changes: SharedChanges;
  /** Links that lead out of the checkout, and files that could not be read: they are not in the copy. The folder itself, when the
   *  commit has a link or a file on the way to it. */
  readonly leftOut: readonly string[];
}

const NONE: SharedChanges = { changed: [], removed: [], added: [] };

/** Copies it, or sets right what changed since it was copied. Throws `disk-full`. */
export async function restoreShared(at: SharedFolder): Promise<SharedResult> {
  // A commit may have a link where the person has a folder: behind it could be their own files.
  if (!isInCheckout(at)) return { changes: NONE, leftOut: [at.path] };
  const kept = readManifest(at);
  const copy = join(at.tree, at.path);
  const isFile = kept?.manifest.has('') === true;
  const stat = fs.lstatSync(copy, { throwIfNoEntry: false });
  const isSameKind = isFile ? stat?.isFile() : stat?.isDirectory();
  if (kept === undefined || isSameKind !== true || kept.stamp !== stampOf(at)) return copyWhole(at);
  const { manifest } = kept;
  const changes = compareShared(manifest, await look(copy));
  if (changes.changed.length + changes.removed.length + changes.added.length === 0) return { changes, leftOut: [] };
  if (isFile) return { ...(await copyWhole(at)), changes: shown(changes) };
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
  await keepManifest(at, copy, kept.stamp);
  return { changes: shown(changes), leftOut: leftOut.map(textOf) };
}

/** What an agent changed so far; nothing is written. */
export async function changesOfShared(at: SharedFolder): Promise<SharedChanges> {
  const kept = readManifest(at);
  if (kept === undefined) return NONE;
  const found: SharedManifest = isInCheckout(at) ? await look(join(at.tree, at.path)) : new Map();
  return shown(compareShared(kept.manifest, found));
}

/** What lies in the checkout becomes the original, as `run.prepare` made it. */
export async function keepMade(at: SharedFolder): Promise<void> {
  await copyAll({ ...at, root: at.tree, tree: at.root });
  await keepManifest(at, join(at.tree, at.path), stampOf(at));
}

async function copyWhole(at: SharedFolder): Promise<SharedResult> {
  fs.rmSync(manifestPath(at), { force: true });
  // Before the copy: what changes meanwhile is copied the next time.
  const stamp = stampOf(at);
  const leftOut = await copyAll(at);
  const copy = join(at.tree, at.path);
  if (fs.lstatSync(copy, { throwIfNoEntry: false }) !== undefined) await keepManifest(at, copy, stamp);
  return { changes: NONE, leftOut };
}

/** In the place of whatever is there. Returns what was left out. */
async function copyAll(at: SharedFolder): Promise<readonly string[]> {
  const [from, copy] = [join(at.root, at.path), join(at.tree, at.path)];
  await removeTree(copy, at.scratch);
  fs.mkdirSync(dirname(copy), { recursive: true });
  if (!isDirectory(Buffer.from(from))) return inState(at.tree, () => copyEntry(at, '')) ? [] : [at.path];
  fs.mkdirSync(copy);
  const leftOut: string[] = [];
  await walkTree(from, (path) => {
    if (!inState(at.tree, () => copyEntry(at, path))) leftOut.push(textOf(path));
    return 'enter';
  });
  return leftOut;
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
  const full = path === '' ? walkedPath(at.path) : `${walkedPath(at.path)}/${path}`;
  const inside = at.isMade === true ? target : (relativeTarget(full, target, walkedPath(at.root)) ?? target);
  if (at.isMade !== true && !staysInside(full, inside)) return false;
  fs.symlinkSync(Buffer.from(inside, 'latin1'), to);
  return true;
}

/** A single file has an empty path in it. */
async function look(folder: string): Promise<SharedManifest> {
  const found = new Map<string, SharedEntry>();
  const put = (path: string) => {
    const entry = entryAt(bytesOf(folder, path));
    if (entry !== undefined) found.set(path, entry);
  };
  if (!isDirectory(Buffer.from(folder))) put('');
  await walkTree(folder, (path) => {
    put(path);
    return 'enter';
  });
  return found;
}

function entryAt(path: Buffer): SharedEntry | undefined {
  const stat = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const mode = (stat.mode & 0o7777n).toString(8);
  // The time of a folder changes with every file that a tool puts there and takes away.
  if (stat.isDirectory()) return { kind: 'folder', copy: '', detail: mode };
  if (stat.isSymbolicLink()) return { kind: 'link', copy: '', detail: fs.readlinkSync(path, 'latin1') };
  const copy = `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}`;
  return { kind: 'file', copy: stat.isFile() ? copy : 'other', detail: mode };
}

/** Changes when the original was installed again: every package manager writes a file right in its folder then (npm
 *  `.package-lock.json`, pnpm `.modules.yaml`, composer `autoload.php`). Hidden folders are caches of tools. */
function stampOf(at: SharedFolder): string {
  const from = join(at.root, at.path);
  const names = isDirectory(Buffer.from(from)) ? fs.readdirSync(from, { encoding: 'latin1' }).sort() : [''];
  const rows = names.map((name) => {
    const stat = fs.lstatSync(bytesOf(from, name), { bigint: true, throwIfNoEntry: false });
    if (stat?.isDirectory() === true) return name.startsWith('.') ? '' : name;
    return `${name} ${stat?.size} ${stat?.mtimeNs}`;
  });
  return sha256(rows.join('\n')).slice(0, 32);
}

function isInCheckout({ tree, path }: SharedFolder): boolean {
  return hasPlainWay(tree, walkedPath(path));
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

async function keepManifest(at: SharedFolder, copy: string, stamp: string): Promise<void> {
  const rows = [...(await look(copy))].map(([path, { kind, copy: print, detail }]) => [path, kind, print, detail]);
  fs.mkdirSync(at.state, { recursive: true });
  inState(at.state, () => replaceFile(manifestPath(at), JSON.stringify({ path: at.path, root: at.root, stamp, rows })));
}

interface Kept {
  readonly manifest: SharedManifest;
  readonly stamp: string;
}

/** `undefined` when there is none, or one of another folder. */
function readManifest(at: SharedFolder): Kept | undefined {
  try {
    const { path, root, stamp, rows } = JSON.parse(fs.readFileSync(manifestPath(at), 'utf8')) as {
      readonly path: string;
      readonly root: string;
      readonly stamp: string;
      readonly rows: readonly (readonly [string, SharedEntry['kind'], string, string])[];
    };
    if (path !== at.path || root !== at.root) return undefined;
    return { manifest: new Map(rows.map(([name, kind, copy, detail]) => [name, { kind, copy, detail }])), stamp };
  } catch {
    return undefined;
  }
}
