// Finds a program as the system would, but never one that the repository brings: a PATH may begin with the project's own
// folder of programs (npx, direnv), and a clone may have any name in it. Relative and empty entries do not count.

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { findRoot } from '../files/project.ts';
import { isInside } from '../files/read-text.ts';
import { findOutside, isProgram, safeSearchPath } from '../git/environment.ts';
import { foldersOf, openRepository } from '../git/repository.ts';

const SYSTEM_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** `cwd` is a folder of the project. */
export interface SearchPlace {
  readonly path: string;
  readonly cwd: string;
}

/** A name is looked for on the PATH, outside of the repository of `cwd`; a path is taken from `cwd`. `undefined` when there is
 *  no such program. */
export function findProgram(name: string, where: SearchPlace): string | undefined {
  if (name.includes('/')) return isProgram(resolve(where.cwd, name)) ? resolve(where.cwd, name) : undefined;
  if (name === '') return undefined;
  const folders = foreignFolders(where.cwd);
  return findOutside(name, safeSearchPath(where.path, folders), folders);
}

/** The PATH without the entries of the repository, for a program that we start for ourselves: a script of it would take its
 *  interpreter from there. */
export function pathOutside({ path, cwd }: SearchPlace): string {
  return safeSearchPath(path, foreignFolders(cwd)).join(delimiter);
}

/** A folder that holds the person's home or the system's programs brings nothing foreign: a home may be a repository of
 *  dotfiles with `~/.local/bin` in it, and a person may be in /usr. */
function foreignFolders(cwd: string): readonly string[] {
  const own = [homedir(), ...SYSTEM_FOLDERS].map(realOrSame);
  const folders = [realOrSame(cwd), realOrSame(findRoot(cwd)), ...repositoryFolders(cwd)];
  return folders.filter((folder) => !own.some((one) => isInside(folder, one)));
}

function repositoryFolders(cwd: string): readonly string[] {
  try {
    const repository = openRepository(cwd);
    return repository === undefined ? [] : foldersOf(repository).map(realOrSame);
  } catch {
    // A broken one: its root is known all the same.
    return [];
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
