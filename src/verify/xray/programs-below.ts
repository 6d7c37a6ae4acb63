// Which folders of a person's home hold programs that hooks, servers and the agent need: they are mounted read-only in the scratch home.
// Everything else of the home is not there.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { isBelow, PRIVATE, realOf } from './home-paths.ts';

/** Managers of programs, and their caches, by which `npx` and `uvx` start servers without a network. */
const KNOWN = [
  ...[
    '.nvm',
    '.bun',
    '.volta',
    '.deno',
    '.pyenv',
    '.asdf',
    '.rbenv',
    '.npm-global',
    '.cargo/bin',
    '.rustup/toolchains',
  ],
  ...['.local/bin', '.local/lib', '.local/share/uv', '.local/share/pipx', '.local/share/pnpm'],
  ...['.local/share/mise', '.local/share/fnm', '.npm/_npx', '.npm/_cacache', '.cache/uv', 'go/bin', 'bin'],
];
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
  const onPath = path.split(delimiter).filter((folder) => isBelow(folder, home));
  const wanted = [
    ...KNOWN.map((one) => join(home, one)),
    ...onPath.flatMap((folder) => [folder, ...rootOf(folder, home)]),
    ...programs.flatMap((program) => [program, realOf(program)]).map(packageOf),
    ...lines.flatMap((line) => namedIn(line, home)),
  ];
  const below = wanted.flatMap((one) => (isBelow(one, home) && existsSync(one) ? [relative(home, one)] : []));
  const allowed = below.filter(
    (one) => !PRIVATE.has(one) && !copied.some((other) => one === other || one.startsWith(`${other}/`)),
  );
  const sorted = [...new Set(allowed)].sort((a, b) => a.length - b.length);
  return sorted.filter((one) => !sorted.some((other) => one !== other && one.startsWith(`${other}/`)));
}

/** `…/v22/bin` is used with what stands beside it. */
function rootOf(folder: string, home: string): readonly string[] {
  const root = dirname(folder);
  const isWide = root === home || root === join(home, '.local');
  return basename(folder) === 'bin' && !isWide ? [root] : [];
}

/** The outermost folder of packages around it, or the folder it is in. */
function packageOf(program: string): string {
  const at = program.indexOf('/node_modules/');
  return at === -1 ? dirname(program) : program.slice(0, at + '/node_modules'.length);
}

/** A script is mounted with its folder, in which its parts are; one in the home itself alone. */
function namedIn(line: string, home: string): readonly string[] {
  const plain = line.replaceAll(/(?<![\w/])~(?=\/)|\$HOME\b|\$\{HOME\}/g, () => home);
  const paths = plain.match(/\/[^\s"';|&<>()$`]+/g) ?? [];
  return paths.flatMap((path) => {
    const stat = isBelow(path, home) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (stat === undefined) return [];
    if (stat.isDirectory() || dirname(path) === home) return [path];
    // A link to a program of a package leads to the package.
    return [packageOf(path), packageOf(realOf(path))];
  });
}

/** Folders of the home in which tools keep their own data (`.tool`), named in the files of the set-up. */
export function dataFolders(
  home: string,
  copied: readonly string[],
  isNamed: (name: string) => boolean,
): readonly string[] {
  return readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\.[\w-]{4,}$/.test(entry.name))
    .map(({ name }) => name)
    .filter((name) => !PRIVATE.has(name) && !copied.includes(name) && !KNOWN.some((one) => one.startsWith(name)))
    .filter(isNamed);
}
