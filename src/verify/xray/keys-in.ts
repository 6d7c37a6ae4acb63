// What holds keys in the folders of the home that are mounted: it is covered there, so that hooks find it empty.

import { basename, join } from 'node:path';
import { entriesOf, PRIVATE } from './home-paths.ts';
import { isKeyFile, isKnown } from './programs-below.ts';

const DEEPEST = 5;
const MOST_NAMES = 20_000;
/** Programs of others. */
const PACKAGES = new Set(['node_modules', 'site-packages', '.venv', 'venv', '__pycache__']);
/** Settings of npm for all users of an installed Node; the address of a git remote, which may have a token in it. */
const SETTINGS = /(^|\/)(etc\/npmrc|\.git\/config)$/;

/** Files that are named like holders of keys, and private folders, in these folders of the home; as paths relative to the home. */
export function keysIn(home: string, mounted: readonly string[]): readonly string[] {
  return mounted.filter((path) => !PACKAGES.has(basename(path))).flatMap((path) => keysBelow(home, path));
}

function keysBelow(home: string, path: string): readonly string[] {
  // What managers of programs install has files with such names that hold no keys of the person.
  const isOthers = isKnown(path);
  let left = MOST_NAMES;
  const found: string[] = [];
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(join(home, folder))) {
      left -= 1;
      if (left < 0) return;
      const one = join(folder, entry.name);
      // A link leads into what is mounted, and is covered there, or to what is not there.
      if (entry.isDirectory()) {
        if (!isOthers && PRIVATE.has(entry.name)) found.push(one);
        else if (depth < DEEPEST && !PACKAGES.has(entry.name)) look(one, depth + 1);
      } else if (entry.isFile() && (SETTINGS.test(one) || (!isOthers && isKeyFile(join(home, one))))) found.push(one);
    }
  };
  look(path, 1);
  return found;
}
