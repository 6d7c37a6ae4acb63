// The version of an installed program, without starting it: from the package it belongs to, or from its path. Many programs need
// a second to print it.

import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** How many folders above the program its package.json may be. */
const MOST_UP = 5;
const MOST_BYTES = 256 * 1024;

/** `undefined` where only starting the program would show it. */
export function versionOfProgram(program: string): string | undefined {
  try {
    const real = realpathSync(program);
    return packageVersion(real) ?? versionInPath(real);
  } catch {
    return undefined;
  }
}

/** Of the nearest folder above it that has a name and a version: some packages have files for parts of theirs. */
function packageVersion(real: string): string | undefined {
  let folder = dirname(real);
  for (let up = 0; up < MOST_UP && folder !== dirname(folder); up += 1, folder = dirname(folder)) {
    const found = readPackage(join(folder, 'package.json'));
    if (found !== undefined) return found;
  }
  return undefined;
}

function readPackage(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const { name, version } = JSON.parse(text.slice(0, MOST_BYTES)) as { name?: unknown; version?: unknown };
    return typeof name === 'string' && typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Installers that keep versions apart have them as a folder or as the file's name. */
function versionInPath(real: string): string | undefined {
  return real
    .split(sep)
    .findLast((part) => /^v?\d+\.\d+\.\d+$/.test(part))
    ?.replace(/^v/, '');
}
