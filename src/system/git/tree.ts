// Trees of a work tree as it is now: what `git add --all` and `git write-tree` would give, without writing to the
// repository and without running what it configures (tree-folder.ts). Tracked, changed, deleted and new files count;
// ignored ones do not. A submodule or a repository inside counts as the commit it is at and is not looked into, unless
// the trees are to become commits (`unreadable` in the options): then files of repositories inside are files.
// Two looks, side by side, find what changed (diff-files: one pass of lstat; ls-files: one walk), and only that is
// hashed. Our own index keeps what was found, so a file is read once per change.

import * as fs from 'node:fs';
import { ForewordError } from '../../kernel/errors.ts';
import { isGitName, walkTree } from '../files/walk-tree.ts';
import { asId, noId } from './object-id.ts';
import type { Repository } from './repository.ts';
import { isDiskFull } from './run-git.ts';
import { fileStandIn, repositoryStandIn, type StandIn } from './stand-in.ts';
import { DIFF_TREE, parseTreeDiff, type TreeChange } from './tree-diff.ts';
import { openTreeFolder, type TreeFolder, type TreeOptions } from './tree-folder.ts';

export interface Trees {
  /** The id of the work tree's tree. One at a time; a second call waits for the first. Throws `disk-full`, and
   *  `bad-input` when git fails. */
  make(): Promise<string>;
  /** Throws `bad-input` when one of the ids is not known here. */
  compare(before: string, after: string): Promise<readonly TreeChange[]>;
  /** A file of a tree as it would lie in the work tree, line ends turned; `undefined` when it is not a plain file there.
   *  Throws `bad-input` when the id is not known here. */
  read(tree: string, path: string): Promise<TreeFile | undefined>;
}

export interface TreeFile {
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** A larger file is not read but counts by size and time: an attempt that downloads a model must not cost a copy. */
const LARGE = 20n * 1024n * 1024n;

/** `folder` belongs to these trees alone, one process at a time; a later process goes on with it. */
export function openTrees(folder: string, repository: Repository, options: TreeOptions): Trees {
  const maker = new TreeMaker(openTreeFolder(folder, repository, options), repository, options);
  let last: Promise<unknown> = Promise.resolve();
  return {
    make: () => {
      const made = last
        .then(() => maker.make())
        .catch((error: unknown) => {
          throw isDiskFull(error) ? diskFull(folder, error) : error;
        });
      last = made.catch(() => undefined);
      return made;
    },
    compare: async (before, after) => (before === after ? [] : parseTreeDiff(await maker.diff(before, after))),
    read: (tree, path) => maker.read(tree, path),
  };
}

/** Paths are the file system's bytes, one character each (latin1), until they are returned. */
type Path = string;

class TreeMaker {
  readonly #folder: TreeFolder;
  readonly #repository: Repository;
  readonly #ours: readonly Path[];
  readonly #unreadable: TreeOptions['unreadable'];
  /** The stand-in of each path. Lost at a restart, and made again. */
  readonly #standIns = new Map<Path, string>();
  #theirIndex = '';
  #tree: string | undefined;

  constructor(folder: TreeFolder, repository: Repository, options: TreeOptions) {
    this.#folder = folder;
    this.#repository = repository;
    this.#ours = options.ours.map((path) => Buffer.from(path).toString('latin1'));
    this.#unreadable = options.unreadable;
    // An index that is handed in has no other one beside it.
    if (options.index !== undefined) this.#theirIndex = this.#lookOfTheirIndex();
  }

  async make(): Promise<string> {
    if (!fs.existsSync(this.#folder.index)) await this.#takeTheirIndex();
    const { gone, there } = await this.#look();
    const changed = await this.#sort(gone, there);
    if (changed.entries.length > 0) await this.#putEntries(changed.entries);
    if (changed.files.length > 0) await this.#putFiles(changed.files);
    if (this.#tree === undefined || changed.entries.length + changed.files.length > 0) {
      // Objects that a partial clone has not fetched may be missing.
      this.#tree = (await this.#folder.run(['write-tree', '--missing-ok'])).toString('latin1').trimEnd();
    }
    return this.#tree;
  }

  diff(before: string, after: string): Promise<Buffer> {
    return this.#folder.run([...DIFF_TREE, ...[before, after].map(asId), '--']);
  }

  async read(tree: string, path: string): Promise<TreeFile | undefined> {
    const listed = (await this.#folder.run(['ls-tree', '-z', '--full-tree', asId(tree), '--', path])).toString('utf8');
    const [, mode, id] = /^(100\d{3}) blob ([0-9a-f]+)\t/.exec(listed) ?? [];
    if (mode === undefined || id === undefined) return undefined;
    const bytes = await this.#folder.run(['cat-file', '--filters', `--path=${path}`, id]);
    return { bytes, isExecutable: mode === '100755' };
  }

  /** Our index begins as a copy of theirs, for its stat data. Their settings to skip a file are left out: entries marked
   *  "assume unchanged" lose the mark; entries outside a sparse checkout are dropped, so that a file put in their place
   *  reads as new. */
  async #takeTheirIndex(): Promise<void> {
    this.#theirIndex = this.#lookOfTheirIndex();
    const making = `${this.#folder.index}.making`;
    this.#folder.copyTheirIndex(making);
    const tagged = split(await this.#folder.run(['ls-files', '-v', '-z'], { index: making }));
    const skipped = tagged.filter((entry) => /^s /i.test(entry)).map((entry) => removal(entry.slice(2), this.#noId));
    const assumed = tagged.filter((entry) => /^[a-rt-z] /.test(entry)).map((entry) => entry.slice(2));
    if (skipped.length > 0) await this.#update(['--index-info'], skipped, making);
    // Always written again: entries as young as the index would be read again at every look.
    await this.#update(['--force-write-index', '--no-assume-unchanged', '--stdin'], assumed, making);
    fs.renameSync(making, this.#folder.index);
  }

  async #look(): Promise<{ readonly gone: readonly Path[]; readonly there: readonly Path[] }> {
    const [tracked, others, forced] = await Promise.all([
      this.#folder.run(['diff-files', '-z', '--name-status', '--ignore-submodules=dirty']),
      this.#folder.run(['ls-files', '-z', '--others', '--exclude-standard']),
      this.#trackedThoughIgnored(),
    ]);
    const gone = new Set<Path>();
    const there = new Set<Path>([...split(others), ...forced]);
    const fields = split(tracked);
    for (let at = 0; at + 1 < fields.length; at += 2) {
      const [status, path] = [fields[at] as string, fields[at + 1] as string];
      (status === 'D' ? gone : there).add(path);
    }
    return { gone: [...gone].filter(this.#counts), there: [...there].filter(this.#counts) };
  }

  /** Files that `git add --force` put into their index since we looked last: no look of ours would find them. */
  async #trackedThoughIgnored(): Promise<readonly Path[]> {
    const now = this.#lookOfTheirIndex();
    if (now === this.#theirIndex) return [];
    const copy = `${this.#folder.index}.theirs`;
    this.#folder.copyTheirIndex(copy);
    const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
    const paths = split(await this.#folder.run(args, { index: copy }));
    fs.rmSync(copy, { force: true });
    this.#theirIndex = now;
    return paths;
  }

  /** Git replaces the file when it changes something in it. */
  #lookOfTheirIndex(): string {
    const stat = fs.statSync(`${this.#repository.gitDir}/index`, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
  }

  /** Files that git shall hash, and entries that are put into the index as they are. */
  async #sort(gone: readonly Path[], there: readonly Path[]): Promise<Changed> {
    const changed: Changed = { entries: gone.map((path) => removal(path, this.#noId)), files: [] };
    for (const path of gone) this.#standIns.delete(path);
    for (const path of there) {
      const stat = this.#lstat(path);
      if (stat?.isSymbolicLink() === true) changed.files.push(path);
      else if (stat?.isFile() === true && this.#isWanted(stat) && this.#isReadable(path)) {
        if (!this.#isStoodIn(path, stat)) changed.files.push(path);
      } else if (stat?.isFile() === true && this.#unreadable !== undefined) this.#unreadable(utf8(path));
      else if (stat?.isFile() === true) this.#stand(path, this.#fileStandIn(stat), changed.entries);
      else if (stat?.isDirectory() === true && this.#unreadable !== undefined) {
        await this.#open(path.replace(/\/$/, ''), changed);
      } else if (stat?.isDirectory() === true) {
        const name = path.replace(/\/$/, '');
        this.#stand(
          name,
          await repositoryStandIn(`${this.#repository.root}/${utf8(name)}`, this.#repository),
          changed.entries,
        );
      } else changed.entries.push(removal(path, this.#noId));
    }
    return changed;
  }

  #isWanted(stat: fs.BigIntStats): boolean {
    return stat.size <= LARGE || this.#unreadable !== undefined;
  }

  /** The files of a repository inside that are not ignored. A submodule keeps the commit it is recorded with. */
  async #open(folder: Path, changed: Changed): Promise<void> {
    const listed = await this.#folder.run(['ls-files', '--stage', '-z', '--', `:(literal)${utf8(folder)}`]);
    if (listed.toString('latin1').startsWith('160000 ')) return;
    const found: Path[] = [];
    await walkTree(this.#full(folder), (path, entry) => {
      if (isGitName(path)) return 'pass';
      if (entry.isFile() || entry.isSymbolicLink()) found.push(`${folder}/${path}`);
      return 'enter';
    });
    const input = Buffer.from(found.map((path) => `${path}\0`).join(''), 'latin1');
    const ignored = await this.#folder.run(['check-ignore', '-z', '--stdin', '--no-index'], {
      input,
      accepted: [0, 1],
    });
    const isIgnored = new Set(split(ignored));
    for (const path of found) {
      if (isIgnored.has(path)) continue;
      if (this.#isReadable(path)) changed.files.push(path);
      else this.#unreadable?.(utf8(path));
    }
  }

  /** One that git refused before and that is still the same. */
  #isStoodIn(path: Path, stat: fs.BigIntStats): boolean {
    return this.#standIns.has(path) && this.#standIns.get(path) === entryOf(this.#fileStandIn(stat), path);
  }

  #stand(path: Path, standIn: StandIn, entries: string[]): void {
    const entry = entryOf(standIn, path);
    if (this.#standIns.get(path) !== entry) entries.push(entry);
    this.#standIns.set(path, entry);
  }

  async #putEntries(entries: readonly string[]): Promise<void> {
    await this.#update(['--index-info'], entries);
  }

  /** One file that git refuses (no permission, an encoding it cannot turn, gone again) makes it refuse all: the list is
   *  halved until that file is alone, and it gets a stand-in. */
  async #putFiles(paths: readonly Path[]): Promise<void> {
    try {
      await this.#update(['--add', '--remove', '--replace', '--stdin'], paths);
      for (const path of paths) this.#standIns.delete(path);
    } catch (error) {
      const [only] = paths;
      if (only === undefined || isDiskFull(error)) throw error;
      if (paths.length > 1) {
        const half = Math.ceil(paths.length / 2);
        await this.#putFiles(paths.slice(0, half));
        return this.#putFiles(paths.slice(half));
      }
      const entries: string[] = [];
      const stat = this.#lstat(only);
      if (stat?.isFile() === true && this.#unreadable !== undefined) return this.#unreadable(utf8(only));
      if (stat?.isFile() === true) this.#stand(only, this.#fileStandIn(stat), entries);
      else entries.push(removal(only, this.#noId));
      if (entries.length > 0) await this.#putEntries(entries);
    }
  }

  async #update(args: readonly string[], lines: readonly string[], index = this.#folder.index): Promise<void> {
    const input = Buffer.from(lines.map((line) => `${line}\0`).join(''), 'latin1');
    await this.#folder.run(['update-index', '-z', ...args], { input, index });
  }

  #fileStandIn(stat: fs.BigIntStats): StandIn {
    return fileStandIn(stat, this.#folder.objects, this.#repository);
  }

  #lstat(path: Path): fs.BigIntStats | undefined {
    try {
      return fs.lstatSync(this.#full(path), { bigint: true, throwIfNoEntry: false });
    } catch {
      // A folder on the way is closed to us or a file by now.
      return undefined;
    }
  }

  #isReadable(path: Path): boolean {
    try {
      fs.accessSync(this.#full(path), fs.constants.R_OK);
      return true;
    } catch {
      // Its size and time are known all the same.
      return false;
    }
  }

  #full(path: Path): Buffer {
    return Buffer.concat([Buffer.from(`${this.#repository.root}/`), Buffer.from(path, 'latin1')]);
  }

  readonly #counts = (path: Path): boolean =>
    !this.#ours.some((folder) => path === folder || path.startsWith(`${folder}/`));

  get #noId(): string {
    return noId(this.#repository.objectFormat);
  }
}

interface Changed {
  readonly entries: string[];
  readonly files: Path[];
}

function split(output: Buffer): string[] {
  return output
    .toString('latin1')
    .split('\0')
    .filter((part) => part !== '');
}

function entryOf(standIn: StandIn, path: Path): string {
  return `${standIn.mode} ${standIn.id}\t${path}`;
}

function removal(path: Path, noId: string): string {
  return `0 ${noId}\t${path}`;
}

function utf8(path: Path): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

function diskFull(folder: string, cause: unknown): ForewordError {
  return new ForewordError('disk-full', `No space left for the snapshot of the work tree: ${folder}.`, {
    hint: 'Free some space, or add large folders of generated files to .gitignore.',
    cause,
  });
}
