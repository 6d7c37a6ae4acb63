// Looks at a checkout: all of it, ignored files, repositories inside and the agent's git directory too. Git runs with our
// directory and index, never with the agent's.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import type { CheckoutPlaces } from '../../system/files/project-state.ts';
import { bytesOf, isGitName, textOf, walkTree } from '../../system/files/walk-tree.ts';
import { fingerprint } from '../../system/git/agent-directory.ts';
import {
  type FilledFolder,
  indexedTree,
  isFilledWith,
  noteIndexed,
  runAt,
  split,
  trackedPaths,
} from '../../system/git/fill-tree.ts';
import { chooseFilters } from '../../system/git/filters.ts';
import { keepObjects } from '../../system/git/keep-objects.ts';
import { type SubmodulePlaces, submoduleAt } from '../../system/git/submodules.ts';
import { openTrees } from '../../system/git/tree.ts';
import { MARKER } from '../../system/processes/port.ts';
import { type CheckoutSource, filterOptions, layerOf, markerOf, submodulePlacesOf } from './checkout.ts';
import type { Observation, Prints } from './observation.ts';
import { sharedFolders } from './prepared.ts';
import { besideOf, type CheckoutRecord, readRecord } from './record.ts';
import { changesOfShared } from './shared.ts';

/** `isReset`: nobody worked in it since the last reset, as far as the caller knows; the look is shorter when that is so. Throws
 *  `bad-input` for a checkout that is not ready, `disk-full`, and `bad-input` when git fails. */
export async function observeCheckout(
  source: CheckoutSource,
  places: CheckoutPlaces,
  { isReset = false }: { readonly isReset?: boolean } = {},
): Promise<Observation> {
  const record = readRecord(places);
  // A link in its place would show the files of another folder.
  const isThere = fs.lstatSync(places.tree, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!record.isReady || !isThere) {
    throw new ForewordError('bad-input', `The checkout ${places.folder} was not made whole, or was exchanged.`, {
      hint: 'Reset it first.',
    });
  }
  const at = layerOf(source.own, places, record);
  const seen = await walkAll(at);
  const same = isReset ? await unchanged(at, record, seen.files) : undefined;
  const { tree, unreadable } = same ?? (await snapshot(source, places, record));
  if (unreadable.length === 0) noteIndexed(at, tree);
  const [tracked] = await Promise.all([trackedPaths(at), keepObjects(source.own, tree, record.tree)]);
  const isTracked = new Set(tracked);
  return {
    tree,
    ignored: prints(
      places.tree,
      seen.files.filter((path) => !isTracked.has(path)),
    ),
    submodules: await submodulePrints(submodulePlacesOf(source.own, places, record)),
    repositories: seen.repositories.map(textOf).sort(),
    gitDirectory: await fingerprint(places.tree),
    // A reset ends with the shared folders as they shall be.
    shared: same === undefined ? await sharedCounts(source, places, record) : noChanges(record.shared),
    unreadable: [...new Set([...unreadable, ...seen.closed.map(textOf)])].sort(),
  };
}

/** The index is that of the last reset, no file differs from it and there is no other one.
 *  `undefined` when that is not so. */
async function unchanged(
  at: FilledFolder,
  record: CheckoutRecord,
  files: readonly string[],
): Promise<{ readonly tree: string; readonly unreadable: readonly string[] } | undefined> {
  if (record.isFiltered || record.submodules.length > 0 || indexedTree(at) !== record.tree) return undefined;
  const isTracked = new Set(await trackedPaths(at));
  if (!files.every((path) => isTracked.has(path))) return undefined;
  const args = ['diff-files', '-z', '--name-only', '--ignore-submodules=dirty'];
  const isSame = isFilledWith(at, record.tree) || (await runAt(at, args)).length === 0;
  return isSame ? { tree: record.tree, unreadable: [] } : undefined;
}

async function submodulePrints(places: SubmodulePlaces): Promise<Prints> {
  const found: string[] = [];
  for (const path of places.known) {
    const at = submoduleAt(path, places);
    // Removed, or a link in its place, or on the way to it: what lies behind that is not looked at.
    if (realPath(at.folder) !== join(fs.realpathSync(places.top), textOf(path))) {
      found.push(path);
      continue;
    }
    const tracked = new Set(split(await runAt(at, ['ls-files', '-z', '--cached'])));
    const changed = split(await runAt(at, ['diff-files', '-z', '--name-only', '--ignore-submodules=all']));
    const { files } = await walkAll(at);
    found.push(...[...changed, ...files.filter((file) => !tracked.has(file))].map((file) => `${path}/${file}`));
  }
  return prints(places.top, found);
}

/** First, since it opens folders that are closed: git would take what is in them for deleted. */
async function walkAll(at: FilledFolder): Promise<{ files: string[]; repositories: string[]; closed: string[] }> {
  const [files, repositories, closed]: [string[], string[], string[]] = [[], [], []];
  const kept = new Set(at.kept);
  await walkTree(
    at.folder,
    (path, entry) => {
      if (kept.has(path)) return 'pass';
      if (isGitName(path)) {
        repositories.push(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
        return 'pass';
      }
      if (!entry.isDirectory()) files.push(path);
      return 'enter';
    },
    (path) => closed.push(path),
  );
  return { files, repositories, closed };
}

/** A file that its owner closed is opened, once: the checkout is ours. */
async function snapshot(
  source: CheckoutSource,
  places: CheckoutPlaces,
  record: CheckoutRecord,
): Promise<{ readonly tree: string; readonly unreadable: readonly string[] }> {
  const { own, theirs, person } = source;
  fs.rmSync(`${places.index}.lock`, { force: true });
  // The git that was found outside the person's repository: from the checkout's folders nobody would see that one lies in it.
  const searchPath = dirname(own.program);
  const at = { root: places.tree, gitDir: places.observer, commonDir: own.directory };
  const repository = { ...theirs, ...at, searchPath };
  const filters = record.isFiltered ? chooseFilters(record.filters, filterOptions(source)) : undefined;
  let unreadable: string[] = [];
  const trees = openTrees(places.observer, repository, {
    ours: besideOf(record),
    excludesFile: person.excludesFile,
    objects: own.objects,
    index: places.index,
    env: { ...filters?.env, [MARKER]: markerOf(places) },
    unreadable: (path) => unreadable.push(path),
  });
  const first = await trees.make();
  const opened = unreadable.filter((path) => isOpened(`${places.tree}/${path}`));
  if (opened.length === 0) return { tree: first, unreadable };
  unreadable = [];
  return { tree: await trees.make(), unreadable };
}

function isOpened(path: string): boolean {
  try {
    const stat = fs.lstatSync(path);
    if (!stat.isFile() || (stat.mode & 0o400) !== 0) return false;
    fs.chmodSync(path, stat.mode | 0o400);
    return true;
  } catch {
    return false;
  }
}

function realPath(path: string): string | undefined {
  try {
    return fs.realpathSync(path);
  } catch {
    return undefined;
  }
}

function prints(top: string, paths: readonly string[]): Prints {
  return Object.fromEntries(paths.map((path) => [textOf(path), printOf(bytesOf(top, path))]));
}

/** The time of the last change of an inode cannot be set back. */
function printOf(path: Buffer): string {
  const stat = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return 'gone';
  return `${stat.mode.toString(8)} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}

function noChanges(paths: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(paths.map((path) => [path, 0]));
}

async function sharedCounts(
  source: CheckoutSource,
  places: CheckoutPlaces,
  record: CheckoutRecord,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const at of sharedFolders(source, places, record)) {
    const { changed, removed, added } = await changesOfShared(at);
    counts[at.path] = changed.length + removed.length + added.length;
  }
  return counts;
}
