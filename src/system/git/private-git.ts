// Runs git on a repository without letting git see that repository's configuration or hooks. Git gets a git directory
// of our own making; objects, index and work tree are the repository's, and the first two are only read. A driver that
// .gitattributes names is defined nowhere, so no filter, textconv or external diff can run. What that costs: a file
// behind a filter (git-lfs) whose stat changed is compared unfiltered, and reads as changed.

import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { harmlessSettings } from './config-text.ts';
import { findGit, gitEnvironment, safeSearchPath } from './environment.ts';
import { brokenRepository, readFileWithin } from './read-file.ts';
import { configTexts, foldersOf, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';

export interface PrivateGit {
  /** Ours, mode 0700, gone when `use` ends: git's own directory and the place for files that git shall write. */
  readonly directory: string;
  /** Runs one of git's built-in commands at the top of the work tree and returns its standard output; `env` goes over
   *  the environment made here. It can start no other program: pass `--ignore-submodules=dirty` where git would. Throws `bad-input` when git fails, takes more than ten seconds or prints more than 64 MiB. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Buffer>;
  /** Copies the repository's index into `directory` and returns the variable that makes git use the copy: for commands
   *  that may refresh the index, which is not ours to write. */
  copyIndex(): Readonly<Record<string, string>>;
}

/** Makes the private git directory, calls `use`, and removes the directory whatever happens. Throws `bad-input` when
 *  there is no git on the search path. */
export async function withPrivateGit<T>(repository: Repository, use: (git: PrivateGit) => Promise<T>): Promise<T> {
  const program = gitFor(repository);
  const directory = makePrivateFolder();
  try {
    fillGitDirectory(directory, repository);
    const env = environmentFor(directory, repository);
    return await use({
      directory,
      run: (args, more = {}) => runGit({ program, cwd: repository.root, env: { ...env, ...more } }, args),
      copyIndex: () => copyIndex(directory, repository),
    });
  } finally {
    removePrivateFolder(directory);
  }
}

/** The absolute path of git. Programs inside the repository are never taken for it. */
export function gitFor(repository: Repository): string {
  const folders = foldersOf(repository);
  const program = findGit(safeSearchPath(repository.searchPath, folders), folders);
  if (program === undefined) throw brokenRepository(repository.root, 'git is not installed outside of it');
  return program;
}

export function environmentFor(directory: string, repository: Repository): Record<string, string> {
  return {
    ...gitEnvironment(join(directory, 'nowhere')),
    GIT_DIR: directory,
    GIT_WORK_TREE: repository.root,
    GIT_OBJECT_DIRECTORY: join(repository.commonDir, 'objects'),
    GIT_INDEX_FILE: join(repository.gitDir, 'index'),
  };
}

/** Folders that a `process.exit` in the middle of `use` would leave behind. */
const alive = new Set<string>();

export function makePrivateFolder(): string {
  if (alive.size === 0) process.once('exit', removeAll);
  const folder = fs.mkdtempSync(join(tmpdir(), 'foreword-git-'));
  alive.add(folder);
  return folder;
}

export function removePrivateFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true });
  alive.delete(folder);
  if (alive.size === 0) process.off('exit', removeAll);
}

function removeAll(): void {
  for (const folder of alive) fs.rmSync(folder, { recursive: true, force: true });
}

/** HEAD and configuration are ours. `extensions` go into the configuration beside those that the format needs. */
export function writeGitDirectory(
  directory: string,
  repository: Repository,
  extensions: Readonly<Record<string, string>> = {},
): void {
  const all = repository.objectFormat === 'sha256' ? { objectFormat: 'sha256', ...extensions } : extensions;
  const lines = [
    '[core]',
    `repositoryformatversion = ${Object.keys(all).length === 0 ? 0 : 1}`,
    'bare = false',
    'fsmonitor = false',
    'hooksPath = /dev/null',
    'attributesFile = /dev/null',
    'excludesFile = /dev/null',
    ...[...harmlessSettings(configTexts(repository))].map(([key, value]) => `${key.slice('core.'.length)} = ${value}`),
    '[protocol]',
    'allow = never',
    '[extensions]',
    ...Object.entries(all).map(([key, value]) => `${key} = ${value}`),
  ];
  fs.mkdirSync(join(directory, 'refs'));
  fs.writeFileSync(join(directory, 'config'), `${lines.join('\n')}\n`);
  fs.writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/private\n');
}

const ATTRIBUTES_LIMIT = 1024 * 1024;

function fillGitDirectory(directory: string, repository: Repository): void {
  writeGitDirectory(directory, repository);
  const attributes = readFileWithin(join(repository.commonDir, 'info/attributes'), ATTRIBUTES_LIMIT);
  if (attributes !== undefined) {
    fs.mkdirSync(join(directory, 'info'));
    fs.writeFileSync(join(directory, 'info/attributes'), attributes);
  }
  // The other half of a split index is looked for in the git directory, wherever the index is.
  for (const name of fs.readdirSync(repository.gitDir)) {
    if (/^sharedindex\.[0-9a-f]+$/.test(name)) fs.symlinkSync(join(repository.gitDir, name), join(directory, name));
  }
}

/** An entry is compared by content when the index is not newer than the file, so the copy must not look younger: it
 *  gets the original's time, rounded down. */
function copyIndex(directory: string, repository: Repository): Record<string, string> {
  const [from, to] = [join(repository.gitDir, 'index'), join(directory, 'index')];
  const stat = fs.statSync(from, { throwIfNoEntry: false });
  if (stat?.isFile() === true) {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
    const seconds = Math.floor(stat.mtimeMs - 1) / 1000;
    fs.utimesSync(to, seconds, seconds);
  }
  return { GIT_INDEX_FILE: to };
}
