// Whether a program is there: as the system would look for it, but on absolute entries of the PATH only.

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** A name is looked for on the PATH; a path is taken from `cwd`. `undefined` when there is no such program. */
export function findProgram(name: string, where: { readonly path: string; readonly cwd: string }): string | undefined {
  if (name.includes('/')) return isProgram(resolve(where.cwd, name)) ? resolve(where.cwd, name) : undefined;
  return where.path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
