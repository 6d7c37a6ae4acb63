// The environment in which we start git: built from nothing, so that neither the repository nor the shell that
// started us can name a program, a configuration or a folder. `git` itself is found by us, by an absolute path.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';
import { platform } from '../platform.ts';

/** Every variable that git gets, except the paths of the repository. `nowhere` must not exist: git finds no program by name,
 *  not even itself, so a command that would look into a submodule with a second git fails instead. Older versions
 *  ignore variables they do not know. */
export function gitEnvironment(nowhere: string): Record<string, string> {
  return {
    PATH: nowhere,
    GIT_EXEC_PATH: nowhere,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'false',
  };
}

/** `changes` over `env`; `undefined` takes a variable out. */
export function withChanges(
  env: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const all = Object.entries({ ...env, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The entries of `searchPath` that a repository cannot have filled: absolute, and outside `folders` also after
 *  links are resolved. Entries that do not exist are dropped too. */
export function safeSearchPath(searchPath: string, folders: readonly string[]): string[] {
  const real = folders.map((folder) => realpathOrSame(folder));
  return searchPath.split(delimiter).filter((entry) => {
    if (!isAbsolute(entry)) return false;
    const target = realpathOrUndefined(entry);
    return target !== undefined && !real.some((folder) => isInside(target, folder) || isInside(entry, folder));
  });
}

/** The absolute path of `git` in `entries`, or `undefined`. A link into one of `folders` is passed over. */
export function findGit(entries: readonly string[], folders: readonly string[]): string | undefined {
  return findOutside(platform.name === 'win32' ? 'git.exe' : 'git', entries, folders);
}

/** The same for any program. */
export function findOutside(name: string, entries: readonly string[], folders: readonly string[]): string | undefined {
  const real = folders.map((folder) => realpathOrSame(folder));
  return entries
    .map((entry) => join(entry, name))
    .find((candidate) => {
      const target = realpathOrUndefined(candidate);
      return target !== undefined && isProgram(target) && !real.some((folder) => isInside(target, folder));
    });
}

/** Whether there is a file that we may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Missing, or we may not run it: the next entry is tried.
    return false;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function realpathOrUndefined(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // What cannot be resolved cannot be run either.
    return undefined;
  }
}

function realpathOrSame(path: string): string {
  return realpathOrUndefined(path) ?? path;
}
