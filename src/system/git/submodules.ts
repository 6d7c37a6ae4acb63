// Submodules of a checkout: their files at the recorded commit, as plain files without a git directory. They come from the
// repositories that the person's clone has in `.git/modules` (or in the submodule's folder, as old gits put them); what is not
// there is named, since nothing is fetched.

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { bytesOf, hasPlainWay, textOf } from '../files/walk-tree.ts';
import { gitEnvironment, withChanges } from './environment.ts';
import { type FilledFolder, fillTree, runAt, split } from './fill-tree.ts';
import type { OwnRun } from './own-repository.ts';
import { writeGitDirectory } from './private-git.ts';
import { openRepository, type Repository } from './repository.ts';
import { runGitStatus } from './run-git.ts';

/** A submodule whose files are in the checkout. */
export interface FilledSubmodule {
  /** From the top of the checkout, as a walk has it. */
  readonly path: string;
  readonly commit: string;
  readonly at: FilledFolder;
}

export interface SubmodulePlaces {
  /** Absolute path of git. */
  readonly program: string;
  /** The checkout. */
  readonly top: string;
  /** Where indexes and git directories are kept. */
  readonly state: string;
  readonly scratch: string;
  readonly marker: string;
  /** Paths that were filled before, in submodules too, as a walk has them. */
  readonly known: readonly string[];
}

export interface SubmoduleOrigin {
  /** Has the submodules of its commits in its `modules` folder. */
  readonly repository: Repository;
  /** The environment of the filters for the submodule whose git directory is given. */
  filters(run: FilledFolder['run'], tree: string, gitDir: string): Promise<OwnRun['env']>;
}

export interface SubmodulesFound {
  readonly filled: readonly FilledSubmodule[];
  /** From the top of the checkout, as people write it. */
  readonly missing: readonly string[];
}

const TIME_LIMIT_MS = 1_800_000;

/** Fills every submodule of `outer`, whose index is up to date, and those in them. */
export async function fillSubmodules(
  outer: Pick<FilledSubmodule, 'path' | 'at'>,
  origin: SubmoduleOrigin,
  places: SubmodulePlaces,
): Promise<SubmodulesFound> {
  const filled: FilledSubmodule[] = [];
  const missing: string[] = [];
  const links = await linksOf(outer.at);
  const names = links.length === 0 ? new Map<string, string>() : await namesOf(outer.at);
  for (const { path, commit } of links) {
    const source = sourceOf(origin.repository, textOf(path), names.get(textOf(path)));
    const full = below(outer.path, path);
    const at = source && openSubmodule(full, source, places);
    if (source === undefined || at === undefined || !(await hasCommit(at, commit))) {
      missing.push(textOf(full));
      continue;
    }
    fs.mkdirSync(dirname(at.folder), { recursive: true });
    await fillTree(at, commit, () => origin.filters(at.run, commit, source.commonDir));
    const inner = { path: full, commit, at };
    const deeper = await fillSubmodules(inner, { ...origin, repository: source }, places);
    filled.push(inner, ...deeper.filled);
    missing.push(...deeper.missing);
  }
  return { filled, missing };
}

/** Removes the files of those that a commit no longer has. Where an agent put a link on the way to one, that goes when the checkout
 *  is filled, and nothing behind it. */
export async function forgetSubmodules(places: SubmodulePlaces, gone: readonly string[]): Promise<void> {
  for (const path of gone) {
    if (hasPlainWay(places.top, path)) await removeTree(bytesOf(places.top, path), places.scratch);
    await removeTree(stateOf(places, path), places.scratch);
  }
}

function stateOf(places: SubmodulePlaces, path: string): string {
  return join(places.state, createHash('sha256').update(path).digest('hex').slice(0, 32));
}

function below(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

async function linksOf(at: FilledFolder): Promise<{ readonly path: string; readonly commit: string }[]> {
  // Without it an entry is no submodule to git either, and its folder is empty in every clone.
  if (!fs.existsSync(join(at.folder, '.gitmodules'))) return [];
  return split(await runAt(at, ['ls-files', '--stage', '-z'])).flatMap((entry) => {
    const [, commit, path] = /^160000 ([0-9a-f]+) 0\t(.+)$/s.exec(entry) ?? [];
    return commit === undefined || path === undefined ? [] : [{ commit, path }];
  });
}

/** The name of each path, by .gitmodules as the commit has it. */
async function namesOf(at: FilledFolder): Promise<Map<string, string>> {
  const args = ['config', '-z', '--blob', ':.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'];
  const output = await runAt(at, args, { accepted: [0, 1, 128] });
  const names = new Map<string, string>();
  for (const entry of split(output)) {
    const [, name, path] = /^submodule\.(.+)\.path\n(.+)$/s.exec(Buffer.from(entry, 'latin1').toString('utf8')) ?? [];
    const isSafe = name?.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..') === true;
    if (isSafe && name !== undefined && path !== undefined) names.set(path, name);
  }
  return names;
}

function sourceOf(outer: Repository, path: string, name: string | undefined): Repository | undefined {
  const folders = name === undefined ? [] : [outer.gitDir, outer.commonDir].map((at) => join(at, 'modules', name));
  const gitDir = folders.find((folder) => fs.existsSync(join(folder, 'objects')));
  const root = join(outer.root, path);
  if (gitDir !== undefined) return { ...outer, root, gitDir, commonDir: gitDir };
  try {
    const found = openRepository(root, outer.searchPath);
    return found?.root === fs.realpathSync(root) ? found : undefined;
  } catch {
    // Broken, or not there.
    return undefined;
  }
}

/** Writes down where its objects are, so that it can be looked at again by `submoduleAt`. */
function openSubmodule(path: string, source: Repository, places: SubmodulePlaces): FilledFolder {
  const state = stateOf(places, path);
  fs.rmSync(join(state, 'git'), { recursive: true, force: true });
  fs.mkdirSync(join(state, 'git'), { recursive: true });
  writeGitDirectory(join(state, 'git'), source);
  fs.rmSync(join(state, 'objects'), { force: true });
  fs.symlinkSync(join(source.commonDir, 'objects'), join(state, 'objects'));
  return submoduleAt(path, places);
}

/** One that was filled before. `path` is from the top of the checkout, as a walk has it. */
export function submoduleAt(path: string, places: SubmodulePlaces): FilledFolder {
  const state = stateOf(places, path);
  const directory = join(state, 'git');
  const base = {
    ...gitEnvironment(join(directory, 'nowhere')),
    GIT_DIR: directory,
    GIT_OBJECT_DIRECTORY: join(state, 'objects'),
  };
  const run: FilledFolder['run'] = async (args, more = {}) => {
    const input = more.input === undefined ? {} : { input: Buffer.from(more.input) };
    const invocation = { program: places.program, cwd: more.cwd ?? directory, env: withChanges(base, more.env) };
    const limit = { timeLimitMs: TIME_LIMIT_MS };
    return (await runGitStatus({ ...invocation, ...input, ...limit }, args, more.accepted ?? [0])).output;
  };
  const inner = places.known.filter((known) => known.startsWith(`${path}/`));
  const kept = inner.map((known) => known.slice(path.length + 1));
  const { scratch, marker } = places;
  return { folder: join(places.top, textOf(path)), index: join(state, 'index'), kept, scratch, marker, run };
}

async function hasCommit(at: FilledFolder, commit: string): Promise<boolean> {
  const output = await at.run(['cat-file', '--batch-check=%(objecttype)'], { input: `${commit}^{tree}\n` });
  return output.toString('latin1').trimEnd() === 'tree';
}
