// Which folders of a person's home hold programs that hooks, servers and the agent need: they are mounted read-only in the scratch home.
// Everything else of the home is not there.

import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, delimiter, dirname, extname, join, relative, resolve } from 'node:path';
import { isAgentsOwn } from './agent-folders.ts';
import { entriesOf, isBelow, isIn, isSecret, placesBelow, realOf, statOf, toolOf } from './home-paths.ts';
import { isKeyName } from './key-names.ts';

/** Managers of programs, and their caches, by which `npx` and `uvx` start servers without a network. Without what they keep beside them:
 *  credentials for registries. */
const KNOWN = [
  ...['.nvm', '.bun', '.volta', '.deno', '.pyenv', '.asdf', '.rbenv', '.npm-global/bin', '.npm-global/lib'],
  ...['.cargo/bin', '.rustup/toolchains', '.gem/ruby', '.composer/vendor', 'go/bin', 'bin'],
  ...['.local/bin', '.local/lib', '.local/share/uv/tools', '.local/share/uv/python', '.local/share/pipx'],
  ...['.local/share/pnpm', '.local/share/mise', '.local/share/fnm', '.npm/_npx', '.npm/_cacache', '.cache/uv'],
];
const SCRIPTS = new Set([
  '.sh',
  '.bash',
  '.zsh',
  '.fish',
  '.py',
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.rb',
  '.pl',
  '.php',
]);
const PROJECTS = ['package.json', 'pyproject.toml'];

export interface ProgramsAsked {
  readonly home: string;
  readonly path: string;
  /** Programs that run in any case: the agent, Node, foreword. */
  readonly programs: readonly string[];
  /** Command lines of hooks and servers. */
  readonly lines: readonly string[];
  /** Below the home, where the copy is already. */
  readonly copied: readonly string[];
}

/** Paths below the home, none inside of another. */
export function programsBelow({ home, path, programs, lines, copied }: ProgramsAsked): readonly string[] {
  const isFree = (one: string) =>
    isMountable(one, home) && !copied.some((other) => isIn(relative(home, resolve(one)), other));
  const onPath = path.split(delimiter).filter((folder) => isBelow(folder, home));
  const wanted = [
    ...KNOWN.map((one) => join(home, one)),
    ...onPath.flatMap((folder) => [folder, ...rootOf(folder, home)]),
    ...programs.flatMap((program) => [program, realOf(program)]).flatMap((program) => first(aroundOf(program), isFree)),
    ...lines.flatMap((line) => namedIn(line, home)).flatMap((one) => first(one, isFree)),
  ];
  const below = wanted.filter((one) => existsSync(one) && isFree(one)).map((one) => relative(home, resolve(one)));
  const sorted = [...new Set(below)].sort((a, b) => a.length - b.length);
  return sorted.filter((one) => !sorted.some((other) => isBelow(one, other)));
}

/** Whether nothing on the way to it is private: by its own path, and where its links lead. */
function isMountable(path: string, home: string): boolean {
  const places = placesBelow(path, home);
  if (places === undefined || isKeyFile(path)) return false;
  return places.every((one) => isKnown(one) || !(isSecret(one) || isAgentsOwn(one)));
}

export function isKeyFile(path: string): boolean {
  return isKeyName(basename(path)) && statOf(path)?.isFile() === true && !isProgram(path);
}

export function isKnown(path: string): boolean {
  return KNOWN.some((one) => isIn(path, one));
}

/** `…/v22/bin` is used with what stands beside it. */
function rootOf(folder: string, home: string): readonly string[] {
  const root = dirname(folder);
  const within = relative(home, root);
  // The own folder of a tool may hold more than its program.
  const isWide = root === home || within === '.local' || toolOf(within)?.length === 1;
  return basename(folder) === 'bin' && !isWide && !isKnown(relative(home, folder)) ? [root] : [];
}

/** The folder that a program needs, or else the program alone. */
function aroundOf(program: string): readonly string[] {
  return [packageOf(program), program];
}

function first(alternatives: readonly string[], isFree: (path: string) => boolean): readonly string[] {
  return alternatives.filter(isFree).slice(0, 1);
}

/** The outermost folder of packages around it, or the folder it is in. */
function packageOf(program: string): string {
  const at = program.indexOf('/node_modules/');
  return at === -1 ? dirname(program) : program.slice(0, at + '/node_modules'.length);
}

/** For each path in the line what it needs, the best first. A script needs its folder, in which its parts are; a file in the home itself stands
 *  alone. */
function namedIn(line: string, home: string): readonly (readonly string[])[] {
  const plain = line.replaceAll(/(?<![\w/])~(?=\/)|\$HOME\b|\$\{HOME\}/g, () => home);
  const paths = (plain.match(/\/[^\s"';|&<>()$`]+/g) ?? []).map((path) => resolve(path));
  return paths.flatMap((path) => {
    const stat = isBelow(path, home) ? statOf(path) : undefined;
    if (stat === undefined) return [];
    const places = placesBelow(path, home) ?? [];
    // Among the settings and data of tools only what is a program counts.
    if (places.some((one) => toolOf(one) !== undefined && !isKnown(one)) && !isProgram(path)) return [];
    if (stat.isDirectory() || dirname(path) === home) return [[path]];
    const alone = isProgram(path) ? [path] : [];
    // A link to a program of a package leads to the package.
    return [
      [packageOf(path), ...alone],
      [packageOf(realOf(path)), ...alone.map(realOf)],
    ];
  });
}

/** A folder is one that holds a program. */
export function isProgram(path: string): boolean {
  const stat = statOf(path);
  if (stat?.isDirectory() === true)
    return entriesOf(path).some(
      (entry) => PROJECTS.includes(entry.name) || (entry.isFile() && isProgram(join(path, entry.name))),
    );
  return stat?.isFile() === true && (SCRIPTS.has(extname(path)) || /^(#!|\u007fELF)/.test(beginningOf(path)));
}

function beginningOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(4);
      return bytes.toString('latin1', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** Folders of the home in which tools keep their own data (`.tool`), named in the files of the set-up. */
export function dataFolders(
  home: string,
  copied: readonly string[],
  isNamed: (name: string) => boolean,
): readonly string[] {
  return entriesOf(home)
    .filter((entry) => entry.isDirectory() && /^\.[\w-]{4,}$/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !copied.includes(name) && isMountable(join(home, name), home))
    .filter((name) => !KNOWN.some((one) => isIn(one, name)))
    .filter(isNamed);
}
