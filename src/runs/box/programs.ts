// Programs outside the system's folders that a boxed agent needs, each read-only: the folders of PATH, version managers in the home,
// the agent's own program with all it consists of, and foreword itself for its hooks.

import { closeSync, existsSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin, realPath } from '../sandboxes/mounts.ts';

/** What must stay out of sight: the home as a whole, the project, our state. */
export interface Guarded {
  readonly home: string;
  readonly top: string;
  readonly others: readonly string[];
}

/** Folders with programs and libraries, no settings and no keys, from the home. */
const TOOLCHAINS = [
  ...[
    '.nvm',
    '.volta',
    '.fnm',
    '.nodenv',
    '.asdf',
    '.pyenv',
    '.rbenv',
    '.goenv',
    '.jenv',
    '.sdkman',
    '.rustup',
    '.bun',
  ],
  ...['.deno', '.ghcup', '.juliaup', '.dotnet', '.cargo/bin', '.cargo/registry', '.cargo/git', 'go/bin', 'go/pkg/mod'],
  ...[
    '.local/share/mise',
    '.local/share/fnm',
    '.local/share/uv',
    '.local/share/pnpm',
    '.local/share/pipx',
    '.local/pipx',
  ],
  ...['.local/lib', '.npm-global', '.opam', '.gem', '.cache/ms-playwright', '.cache/puppeteer', '.cache/Cypress'],
];

/** Of the home: with far more in them than one program. */
const WIDE = ['.local', '.local/share', '.local/state', '.config', '.cache', '.var', '.var/app'];
/** A folder of programs with more links than this is read as far as that. */
const MOST_LINKS = 500;

export function toolFolders(path: string, guarded: Guarded): readonly string[] {
  const entries = path.split(':').filter((entry) => isAbsolute(entry));
  const known = TOOLCHAINS.map((name) => join(guarded.home, name));
  const folders = [...entries.map((entry) => prefixOf(entry, guarded)), ...known].filter(
    (folder) => isFolder(folder) && maySee(folder, guarded),
  );
  return [
    ...folders,
    ...entries.filter((entry) => isWithin(entry, guarded.home)).flatMap((one) => linked(one, guarded)),
  ];
}

/** What links in a folder of programs lead to, as far as it lies in hidden folders of the home: package managers keep programs
 *  there. Elsewhere a link may lead into a project. */
function linked(folder: string, guarded: Guarded): readonly string[] {
  if (!isFolder(folder)) return [];
  const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
  return links
    .slice(0, MOST_LINKS)
    .flatMap(({ name }) => realPath(join(folder, name)) ?? [])
    .filter((path) => path.startsWith(`${guarded.home}/.`))
    .map((path) => packageOf(path, guarded))
    .filter((path) => maySee(path, guarded));
}

/** What to show so that this program or script starts: each step of its links, with its package, and its interpreter. */
export function programFolders(program: string, guarded: Guarded): readonly string[] {
  const steps = linkSteps(program);
  const real = steps.at(-1) ?? program;
  const interpreter = interpreterOf(real);
  const all = interpreter === undefined || steps.includes(interpreter) ? steps : [...steps, ...linkSteps(interpreter)];
  return all.map((step) => packageOf(step, guarded)).filter((path) => maySee(path, guarded));
}

/** Neither one of the guarded places nor above one, nor in the project, which the checkout replaces, nor in our state. */
export function maySee(path: string, { home, top, others }: Guarded): boolean {
  const isFree = (one: string) =>
    ![home, top, ...others].some((place) => isWithin(place, one)) &&
    ![top, ...others].some((place) => isWithin(one, place));
  return isFree(path) && isFree(realPath(path) ?? path);
}

/** A program's package: all of its `node_modules`, or the prefix of a `bin`, or its folder; the file alone where those are too much. */
function packageOf(path: string, guarded: Guarded): string {
  const modules = /^(.*?\/node_modules)\//.exec(path)?.[1];
  const candidates = [...(modules === undefined ? [] : [modules]), prefixOf(dirname(path), guarded), dirname(path)];
  const isWide = (folder: string) => WIDE.some((name) => folder === join(guarded.home, name));
  return candidates.find((folder) => maySee(folder, guarded) && !isWide(folder)) ?? path;
}

/** The folder above `bin`, which has the libraries; not a whole folder of the home, like `~/.local`. */
function prefixOf(folder: string, guarded: Guarded): string {
  const prefix = dirname(folder);
  const isWide = dirname(prefix) === guarded.home || prefix === '/usr' || dirname(prefix) === '/';
  return basename(folder) === 'bin' && !isWide && maySee(prefix, guarded) ? prefix : folder;
}

function linkSteps(path: string): readonly string[] {
  const steps = [path];
  for (let now = path; steps.length < 20; ) {
    const stat = lstatSync(now, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() !== true) break;
    now = resolve(dirname(now), readlinkSync(now));
    steps.push(now);
  }
  const real = realPath(path);
  return real === undefined || steps.includes(real) ? steps : [...steps, real];
}

const FIRST_LINE = 256;

function interpreterOf(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const bytes = Buffer.alloc(FIRST_LINE);
    const line = bytes.subarray(0, readSync(descriptor, bytes, 0, FIRST_LINE, 0)).toString('latin1');
    const found = /^#!\s*(\/\S+)/.exec(line)?.[1];
    return found !== undefined && existsSync(found) ? found : undefined;
  } catch {
    // It cannot be read, and then it cannot be a script either.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
