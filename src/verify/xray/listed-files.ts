// The instruction files that a list in settings names, by paths with `*` for any name.

import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const MOST_FILES = 500;
const DEEPEST = 6;

/** `folders`: where a relative path may begin. An address is left out. With a `*`, all texts below the folder before it: the one that is
 *  read is found by its words. */
export function listedFiles(list: unknown, folders: readonly string[], home: string): readonly string[] {
  const entries = Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];
  const paths = entries
    .filter((entry) => !/^https?:/.test(entry))
    .flatMap((entry) =>
      entry.startsWith('~/') ? [join(home, entry.slice(2))] : folders.map((folder) => resolve(folder, entry)),
    );
  const files = paths.flatMap((path) => {
    const at = path.search(/[*?{[]/);
    return at === -1 ? [path] : textsBelow(dirname(`${path.slice(0, at)}x`));
  });
  return [...new Set(files)].slice(0, MOST_FILES);
}

function textsBelow(folder: string, depth = 0): readonly string[] {
  if (depth > DEEPEST || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name === '.git' ? [] : textsBelow(path, depth + 1);
    return /\.(mdc?|txt)$/.test(entry.name) ? [path] : [];
  });
}
