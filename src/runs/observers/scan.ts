// Observes a folder without git: every file by its stat, read again only when the stat moved. Links count as links and
// are not followed.

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ForewordError } from '../../kernel/errors.ts';
import { openInside, readBounded } from '../../system/files/open-inside.ts';
import { compileGlob } from '../judging/glob.ts';
import { linePrints } from './line-prints.ts';
import { compareManifests, keepManifest, type Manifest, type ManifestEntry, readManifest } from './manifest.ts';
import type { FolderOptions, OpenObserver } from './open-observer.ts';

/** Ours, and what tools put there by the ten thousand. */
const SKIPPED = new Set(['.foreword', '.git', 'node_modules']);
/** A file system may keep times by the second or two (FAT): a file as young as that may change again unseen. */
const SETTLED_NS = 2_000_000_000n;
/** A larger file is not read but counts by size and time, as in a git work tree. */
const LARGE = 20n * 1024n * 1024n;
/** Lines are counted up to here. */
const MAX_TEXT = 1024 * 1024;
/** A home folder, not a project. */
const MAX_FILES = 200_000;
const BREATH_MS = 20;

/** `ignore` takes globs (runs/judging/glob.ts). What cannot be read counts by size and time; a folder that cannot be listed is
 *  empty. `snapshot` throws `bad-input` when there are more than 200,000 files. */
export function observeFolder(root: string, options: FolderOptions): OpenObserver {
  const folder = resolve(options.stateFolder);
  const scan = new Scan(resolve(root), [folder, ...(options.away ?? [])], options.ignore ?? []);
  return {
    snapshot: async () => keepManifest(folder, await scan.run()),
    changes: async (before, after) => compareManifests(readManifest(folder, before), readManifest(folder, after)),
    close: async () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

interface Known extends ManifestEntry {
  readonly stat: string;
  readonly isSettled: boolean;
}

class Scan {
  readonly #root: string;
  readonly #isIgnored: (path: string) => boolean;
  /** From the scan before; lost at a restart, when everything is read once. */
  #known: ReadonlyMap<string, Known> = new Map();

  constructor(root: string, folders: readonly string[], ignore: readonly string[]) {
    const real = fs.realpathSync(root);
    this.#root = real;
    const globs = ignore.map(compileGlob);
    const own = new Set(
      folders.flatMap((folder) => [root, real].map((top) => relative(top, folder).split(sep).join('/'))),
    );
    this.#isIgnored = (path) => own.has(path) || globs.some((matches) => matches(path));
  }

  async run(): Promise<Manifest> {
    const startedNs = BigInt(Date.now()) * 1_000_000n;
    const found = new Map<string, Known>();
    let breathedAt = performance.now();
    for (const folders = ['']; folders.length > 0; ) {
      this.#list(folders.pop() as string, { folders, found, startedNs });
      if (found.size > MAX_FILES) throw tooMany(this.#root);
      if (performance.now() - breathedAt > BREATH_MS) {
        await setImmediate();
        breathedAt = performance.now();
      }
    }
    this.#known = found;
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #list(folder: string, scan: { folders: string[]; found: Map<string, Known>; startedNs: bigint }): void {
    for (const entry of entriesOf(this.#full(folder))) {
      const name = entry.name.toString('latin1');
      const path = folder === '' ? name : `${folder}/${name}`;
      if (SKIPPED.has(name) || this.#isIgnored(utf8(path))) continue;
      if (entry.isDirectory()) scan.folders.push(path);
      else {
        const known = this.#look(path, scan.startedNs);
        if (known !== undefined) scan.found.set(path, known);
      }
    }
  }

  /** `undefined` for what is gone again, and for pipes and devices. */
  #look(path: string, startedNs: bigint): Known | undefined {
    const full = this.#full(path);
    const found = lstat(full);
    if (found === undefined || !(found.isFile() || found.isSymbolicLink())) return undefined;
    const stat = [found.size, found.mtimeNs, found.ctimeNs, found.ino, found.mode].join(' ');
    const before = this.#known.get(path);
    if (before?.stat === stat && before.isSettled) return before;
    const isSettled = found.mtimeNs < startedNs - SETTLED_NS && found.ctimeNs < startedNs - SETTLED_NS;
    return {
      ...(found.isFile() ? readEntry({ path: full, root: this.#root }, found) : readLink(full)),
      stat,
      isSettled,
    };
  }

  #full(path: string): Buffer {
    return Buffer.concat([Buffer.from(`${this.#root}/`), Buffer.from(path, 'latin1')]);
  }
}

function entriesOf(folder: Buffer): fs.Dirent<Buffer>[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    // No permission, or gone since its parent was listed.
    return [];
  }
}

function lstat(path: Buffer): fs.BigIntStats | undefined {
  try {
    return fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder on the way was closed or exchanged meanwhile.
    return undefined;
  }
}

function readEntry(at: { readonly path: Buffer; readonly root: string }, stat: fs.BigIntStats): ManifestEntry {
  const mode = (stat.mode & 0o111n) === 0n ? 'file' : 'program';
  const bytes = stat.size > LARGE ? undefined : readBytes(at.path, at.root);
  if (bytes === undefined) return { id: `${mode} ${stat.size} bytes of ${stat.mtimeNs}`, lines: 0 };
  const lines = bytes.length > MAX_TEXT ? undefined : linePrints(bytes);
  return { id: `${mode} ${sha256(bytes)}`, lines: lines ?? 0 };
}

function readLink(path: Buffer): ManifestEntry {
  try {
    return { id: `link ${sha256(fs.readlinkSync(path, 'buffer'))}`, lines: 0 };
  } catch {
    // Exchanged meanwhile; the next scan sees what it is.
    return { id: 'link', lines: 0 };
  }
}

/** `undefined` when it cannot be read or is no longer a file of this folder; size and time are used instead. */
function readBytes(path: Buffer, root: string): Buffer | undefined {
  const opened = openInside(path, { root, isLinkFree: true });
  if (opened.kind !== 'open') return undefined;
  try {
    return readBounded(opened.descriptor, Number(LARGE));
  } catch {
    return undefined;
  } finally {
    fs.closeSync(opened.descriptor);
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 40);
}

function utf8(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

function tooMany(root: string): ForewordError {
  return new ForewordError('bad-input', `${root} has more than ${MAX_FILES} files, too many to scan.`, {
    hint: 'Make it a git repository and add folders with generated files to .gitignore.',
  });
}
