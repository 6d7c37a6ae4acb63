// The folder in which trees of a work tree are made (tree.ts): a git directory, an index and an object store of our own.
// The repository's objects are read as alternates, its index is copied; neither is written. The repository's settings about
// ignored files, attributes and line ends outside the work tree are read once, when the folder is made: an attempt that
// writes to .git/info/exclude hides nothing by it.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { withChanges } from './environment.ts';
import { environmentFor, gitFor, writeGitDirectory } from './private-git.ts';
import { readFileWithin } from './read-file.ts';
import type { Repository } from './repository.ts';
import { runGitStatus } from './run-git.ts';

export interface TreeFolder {
  /** Where git puts new objects. */
  readonly objects: string;
  /** Our index; absent until it was first made. */
  readonly index: string;
  /** Runs git at the top of the work tree, with our index unless another is named. Starts no other program, except
   *  filters when the options' `env` defines some. */
  run(args: readonly string[], more?: TreeRun): Promise<Buffer>;
  /** Copies the repository's index to `to`; writes nothing when the repository has no index yet. */
  copyTheirIndex(to: string): void;
}

interface TreeRun {
  readonly input?: Uint8Array;
  readonly index?: string;
  /** Exit codes that are no failure; 0 when absent. */
  readonly accepted?: readonly number[];
}

export interface TreeOptions {
  /** Folders that never count, as paths from the top of the work tree. */
  readonly ours: readonly string[];
  /** A person's own list of ignored files, outside any repository. */
  readonly excludesFile?: string | undefined;
  /** Where new objects go, with the alternates it names; a folder of these trees alone when absent. */
  readonly objects?: string | undefined;
  /** The index to work with; when absent, one of these trees alone, which begins as a copy of the repository's. */
  readonly index?: string | undefined;
  /** Goes over the environment in which git runs; `undefined` takes a variable out. For a person's filters. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** For trees that become commits: a file of any size is read, the files of a repository inside count as files, and
   *  nothing stands in for a file that cannot be read: it is named here and keeps the entry it has. */
  readonly unreadable?: ((path: string) => void) | undefined;
}

/** The first look at a repository with gigabytes that nobody ignores takes its time; a hanging disk is not waited for. */
const TIME_LIMIT_MS = 300_000;
const LIST_LIMIT = 1024 * 1024;

/** Makes the folder (mode 0700), or goes on with the one that an earlier process left. */
export function openTreeFolder(folder: string, repository: Repository, options: TreeOptions): TreeFolder {
  const program = gitFor(repository);
  const directory = join(folder, 'git');
  const { objects = join(folder, 'objects'), index = join(folder, 'index') } = options;
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.mkdirSync(objects, { recursive: true, mode: 0o700 });
  fs.chmodSync(folder, 0o700);
  // Left by a process that died. One folder has one owner, so nobody waits behind it.
  for (const name of fs.readdirSync(folder)) if (name.endsWith('.lock')) fs.rmSync(join(folder, name));
  if (!fs.existsSync(directory)) makeGitDirectory(directory, repository, options);
  const env = withChanges(
    {
      ...environmentFor(directory, repository),
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(repository.commonDir, 'objects')),
    },
    options.env,
  );
  return {
    objects,
    index,
    run: async (args, more = {}) => {
      const invocation = { program, cwd: repository.root, timeLimitMs: TIME_LIMIT_MS };
      const input = more.input === undefined ? {} : { input: more.input };
      const whole = { ...invocation, ...input, env: { ...env, GIT_INDEX_FILE: more.index ?? index } };
      return (await runGitStatus(whole, args, more.accepted ?? [0])).output;
    },
    copyTheirIndex: (to) => copyIndex(repository, directory, to),
  };
}

/** Whole or not at all: a half-made one would be taken for done after a crash. */
function makeGitDirectory(directory: string, repository: Repository, options: TreeOptions): void {
  const making = `${directory}.making`;
  fs.rmSync(making, { recursive: true, force: true });
  fs.mkdirSync(join(making, 'info'), { recursive: true });
  writeGitDirectory(making, repository);
  fs.appendFileSync(join(making, 'config'), settings(options));
  fs.writeFileSync(join(making, 'info/exclude'), theirsWith(repository, 'info/exclude', excludeLines(options.ours)));
  // Lines are counted by content: `-diff` in a .gitattributes would hide a change of any size.
  fs.writeFileSync(join(making, 'info/attributes'), theirsWith(repository, 'info/attributes', '* !diff\n'));
  fs.renameSync(making, directory);
}

/** Later values count. A split index is written again only in its changed part; whole, in a repository of 50,000 files,
 *  it cost 40 of 220 ms per snapshot; one that is handed in is copied elsewhere, so it stays whole. A compressed object
 *  would take longer to write than it will ever be kept, unless somebody else keeps the objects. */
function settings(options: TreeOptions): string {
  const lines = ['[core]', `splitIndex = ${options.index === undefined}`, 'untrackedCache = false'];
  if (options.objects === undefined) lines.push('looseCompression = 0');
  if (options.excludesFile !== undefined) lines.push(`excludesFile = ${quoted(options.excludesFile)}`);
  return `${lines.join('\n')}\n`;
}

/** Ours last: it wins over what comes before it. */
function theirsWith(repository: Repository, name: string, lines: string): Buffer {
  const bytes = readFileWithin(join(repository.commonDir, name), LIST_LIMIT) ?? Buffer.alloc(0);
  return Buffer.concat([bytes, Buffer.from(`\n${lines}`)]);
}

function excludeLines(ours: readonly string[]): string {
  return ours.map((path) => `/${path.replace(/[\\*?[\] !#]/g, '\\$&')}\n`).join('');
}

/** C style, as git reads it in its configuration and in lists of folders. */
export function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** A copy must not look younger than the original: entries as young as the index are compared by content, and these
 *  are the ones that may have changed unseen. The other half of a split index is looked for in the git directory, and
 *  git sets its time when it reads it: hence a copy, not a link. */
function copyIndex(repository: Repository, directory: string, to: string): void {
  fs.rmSync(to, { force: true });
  const from = join(repository.gitDir, 'index');
  const stat = fs.statSync(from, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return;
  for (const name of fs.readdirSync(repository.gitDir)) {
    const copy = join(directory, name);
    // Named by its content, so one that is there is the same, and must be whole.
    if (!SHARED_INDEX.test(name) || fs.existsSync(copy)) continue;
    fs.copyFileSync(join(repository.gitDir, name), `${copy}.new`);
    fs.renameSync(`${copy}.new`, copy);
  }
  fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
  const seconds = Math.floor(stat.mtimeMs - 1) / 1000;
  fs.utimesSync(to, seconds, seconds);
}

const SHARED_INDEX = /^sharedindex\.[0-9a-f]+$/;
