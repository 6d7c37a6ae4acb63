// Finds the repository of a folder by looking at files alone. Only `.git` entries count, as folder, file or link:
// a bare repository that lies inside a project is content, not a repository of ours.

import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { configValue } from './config-text.ts';
import { brokenRepository, readFileWithin, SMALL } from './read-file.ts';

export interface Repository {
  /** The top of the work tree, with links resolved. */
  readonly root: string;
  /** Where HEAD and the index are: one per worktree. */
  readonly gitDir: string;
  /** Where objects, refs and configuration are: shared by worktrees. */
  readonly commonDir: string;
  readonly objectFormat: ObjectFormat;
  /** Where `git` is looked for: the PATH that `openRepository` gets. */
  readonly searchPath: string;
}

export type ObjectFormat = 'sha1' | 'sha256';

/** For callers without a PATH: where packages install git. */
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/** A configuration larger than this is not one a person or git wrote. */
const CONFIG_LIMIT = 1024 * 1024;

/** More than a person has; each costs a read. */
const MOST_WORKTREES = 1000;

/** The repository whose work tree holds `cwd`, nearest first; `undefined` when there is no repository. Throws `bad-input`
 *  when a `.git` exists but is broken. */
export function openRepository(cwd: string, searchPath: string = USUAL_PATH): Repository | undefined {
  for (let root = realFolder(cwd); ; root = dirname(root)) {
    const gitDir = gitDirOf(root);
    if (gitDir !== undefined) {
      const commonDir = commonDirOf(gitDir);
      return { root, gitDir, commonDir, objectFormat: objectFormatOf(commonDir), searchPath };
    }
    if (root === dirname(root)) return undefined;
  }
}

/** The texts of the configuration files, the one with the higher rank last. They are data: see config-text.ts. */
export function configTexts(repository: Pick<Repository, 'gitDir' | 'commonDir'>): string[] {
  return [join(repository.commonDir, 'config'), join(repository.gitDir, 'config.worktree')]
    .map((path) => readFileWithin(path, CONFIG_LIMIT)?.toString('utf8'))
    .filter((text) => text !== undefined);
}

/** Every folder whose content came with the repository or can be written by what works in it: all its work trees, its git
 *  directories, and the repository that it is a submodule of. It says itself where its work trees are: for what it must not
 *  reach; `isWorktree` leaves out what is not one. Never throws. */
export function foldersOf(
  repository: Pick<Repository, 'root' | 'gitDir' | 'commonDir'>,
  isWorktree: (path: string) => boolean = () => true,
): string[] {
  const { root, gitDir, commonDir } = repository;
  const main = basename(commonDir) === '.git' ? [dirname(commonDir)] : [];
  const above = /^(.+)[/\\]\.git[/\\]modules[/\\]/.exec(commonDir)?.[1];
  const all = [
    root,
    gitDir,
    commonDir,
    ...main,
    ...(above === undefined ? [] : [above]),
    ...worktreesOf(commonDir).filter(isWorktree),
  ];
  return [...new Set(all)];
}

/** Where git has noted that work trees are; some may be gone. */
function worktreesOf(commonDir: string): string[] {
  try {
    return readdirSync(join(commonDir, 'worktrees'))
      .slice(0, MOST_WORKTREES)
      .flatMap((name) => {
        const entry = join(commonDir, 'worktrees', name);
        const noted = readFileWithin(join(entry, 'gitdir'), SMALL)?.toString('utf8').trimEnd();
        return noted === undefined || noted === '' || noted.includes('\0') ? [] : [dirname(resolve(entry, noted))];
      });
  } catch {
    // It has none, or none that can be read.
    return [];
  }
}

function realFolder(cwd: string): string {
  try {
    return realpathSync.native(cwd);
  } catch {
    // A folder that is gone or closed to us: its parents still can be looked at.
    return resolve(cwd);
  }
}

function gitDirOf(root: string): string | undefined {
  const path = join(root, '.git');
  const kind = kindOf(path);
  if (kind === undefined) return undefined;
  if (kind === 'folder') return hasGitFiles(path, path) ? path : undefined;
  const text = readFileWithin(path, SMALL)?.toString('utf8') ?? '';
  const named = /^gitdir: ([^\0]+?)[\r\n]*$/.exec(text)?.[1];
  if (named === undefined) throw brokenRepository(path, 'it is a file without "gitdir: <folder>"');
  const gitDir = resolve(root, named);
  if (kindOf(gitDir) !== 'folder') throw brokenRepository(path, `it names ${gitDir}, which is not a folder`);
  if (!hasGitFiles(gitDir, commonDirOf(gitDir))) throw brokenRepository(path, `${gitDir} is not a git directory`);
  return gitDir;
}

function commonDirOf(gitDir: string): string {
  const named = readFileWithin(join(gitDir, 'commondir'), SMALL)
    ?.toString('utf8')
    .replace(/[\r\n]+$/, '');
  if (named === undefined) return gitDir;
  if (named === '' || named.includes('\0'))
    throw brokenRepository(join(gitDir, 'commondir'), 'it is empty or not a path');
  return resolve(gitDir, named);
}

/** As in git, a folder without any of these files is skipped. Some without the others are a broken repository: going
 *  on to a parent would show facts of another project. */
function hasGitFiles(gitDir: string, commonDir: string): boolean {
  const parts = [join(gitDir, 'HEAD'), join(commonDir, 'objects'), join(commonDir, 'refs')];
  const missing = parts.filter((part) => !exists(part));
  if (missing.length === parts.length) return false;
  if (missing.length > 0) throw brokenRepository(gitDir, `${missing.join(', ')} is missing`);
  return true;
}

function kindOf(path: string): 'folder' | 'file' | undefined {
  const stat = look(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) return undefined;
  return stat.isDirectory() ? 'folder' : 'file';
}

/** Before the first commit a HEAD of the old kind is a link to nothing. */
function exists(path: string): boolean {
  return look(path, () => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}

function look<T>(path: string, stat: () => T): T {
  try {
    return stat();
  } catch (error) {
    throw brokenRepository(path, error instanceof Error ? error.message : String(error), error);
  }
}

function objectFormatOf(commonDir: string): ObjectFormat {
  const text = readFileWithin(join(commonDir, 'config'), CONFIG_LIMIT)?.toString('utf8') ?? '';
  return configValue(text, 'extensions.objectformat')?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1';
}
