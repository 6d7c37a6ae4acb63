// Filters of a checkout (git-lfs and the like). A filter that the system or the person defined runs, since a faithful checkout
// needs it; one that only the repository's configuration defines never does. Without any, git runs in an environment in which it
// can start nothing.

import * as fs from 'node:fs';
import { bytesOf, textOf } from '../files/walk-tree.ts';
import { safeSearchPath } from './environment.ts';
import type { OwnRun } from './own-repository.ts';
import { type PersonConfig, personEnvironment } from './person-config.ts';

/** Runs git on the repository whose files are looked at. */
type Run = (args: readonly string[], more?: OwnRun) => Promise<Buffer>;

export interface FilterChoice {
  /** Over the environment of a git that writes or reads files of the checkout; `undefined` when no filter is to run. */
  readonly env: Readonly<Record<string, string | undefined>> | undefined;
  readonly names: readonly string[];
  /** Those that do not run. */
  readonly without: readonly string[];
  readonly hasLfs: boolean;
}

export interface FilterOptions {
  readonly person: PersonConfig;
  /** The environment foreword was started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders in which no program is looked for. */
  readonly folders: readonly string[];
  /** The `lfs` folder of the repository that the files come from. */
  readonly lfs: string;
}

/** The filters that a tree names, sorted: by the lines of attributes, whether a file matches or not. One too many does nothing. */
export async function filterNames(run: Run, tree: string): Promise<readonly string[]> {
  const args = ['grep', '-h', '-I', '-o', '--no-color', '--no-textconv', '-E', 'filter=[^[:space:]]+', tree];
  const found = await run([...args, '--', '.gitattributes', '*/.gitattributes'], { accepted: [0, 1] });
  const lines = new Set(found.toString('utf8').split('\n').filter(Boolean));
  return [...lines].map((line) => line.slice('filter='.length)).sort();
}

export function chooseFilters(names: readonly string[], options: FilterOptions): FilterChoice {
  const { filters } = options.person;
  return {
    env: names.some((name) => filters.has(name)) ? filterEnvironment(options) : undefined,
    names,
    without: names.filter((name) => !filters.has(name)),
    hasLfs: names.includes('lfs'),
  };
}

/** What a shell would give the filter, less what could point git elsewhere, and less programs of the project. An LFS object that
 *  is not there is not fetched: the pointer stays. */
function filterEnvironment({ env, folders, lfs }: FilterOptions): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !/^(GIT_|LD_|DYLD_)/i.test(name));
  return {
    ...Object.fromEntries(kept),
    ...personEnvironment('', env),
    PATH: safeSearchPath(env.PATH ?? '', folders).join(':'),
    GIT_EXEC_PATH: undefined,
    GIT_CONFIG_NOSYSTEM: env.GIT_CONFIG_NOSYSTEM,
    GIT_CONFIG_SYSTEM: env.GIT_CONFIG_SYSTEM,
    GIT_CONFIG_GLOBAL: env.GIT_CONFIG_GLOBAL,
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_CONFIG_COUNT: '3',
    GIT_CONFIG_KEY_0: 'lfs.storage',
    GIT_CONFIG_VALUE_0: lfs,
    GIT_CONFIG_KEY_1: 'core.hooksPath',
    GIT_CONFIG_VALUE_1: '/dev/null',
    GIT_CONFIG_KEY_2: 'core.fsmonitor',
    GIT_CONFIG_VALUE_2: 'false',
  };
}

/** Every pointer file begins so. */
const POINTER = 'version https://git-lfs.github.com/spec/';
/** The specification's limit. */
const POINTER_BYTES = 1024;

/** Files of the index whose filter is `lfs` and that are still pointers in `folder`. */
export async function missingLfs(run: Run, folder: string): Promise<readonly string[]> {
  const input = await run(['ls-files', '-z', '--cached']);
  const output = await run(['check-attr', '-z', '--stdin', '--cached', 'filter'], { input });
  const fields = output.toString('latin1').split('\0');
  const missing: string[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', value] = [fields[at], fields[at + 2]];
    if (value === 'lfs' && isPointer(bytesOf(folder, path))) missing.push(textOf(path));
  }
  return missing;
}

function isPointer(path: Buffer): boolean {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size > POINTER_BYTES) return false;
  return fs.readFileSync(path, 'latin1').startsWith(POINTER);
}
