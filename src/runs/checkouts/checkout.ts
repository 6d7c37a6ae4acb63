// A checkout: a folder in the state folder with the files of a commit, in which an agent works. It is made once and reset from
// task to task; a reset touches only what changed. The whole tree is checked out, also where the person has a sparse checkout:
// an agent's checks may need any of it. What could not come along is named.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { ForewordError, isForewordError } from '../../kernel/errors.ts';
import { type CheckoutPlaces, inState } from '../../system/files/project-state.ts';
import { removeTree } from '../../system/files/remove-tree.ts';
import { textOf, walkedPath } from '../../system/files/walk-tree.ts';
import { prepareAgentDirectory } from '../../system/git/agent-directory.ts';
import { changedPaths } from '../../system/git/diff-text.ts';
import { type FilledFolder, fillTree, runAt, split } from '../../system/git/fill-tree.ts';
import { chooseFilters, type FilterChoice, filterNames, missingLfs } from '../../system/git/filters.ts';
import { asId } from '../../system/git/object-id.ts';
import type { OwnRepository } from '../../system/git/own-repository.ts';
import type { CommitIdentity, PersonConfig } from '../../system/git/person-config.ts';
import type { Repository } from '../../system/git/repository.ts';
import {
  fillSubmodules,
  forgetSubmodules,
  type SubmodulePlaces,
  type SubmodulesFound,
} from '../../system/git/submodules.ts';
import { endMarked } from '../../system/processes/end-marked.ts';
import { sha256 } from '../../system/sha256.ts';
import type { Carrier } from '../workplaces/carrier.ts';
import { type Preparation, prepareCheckout, sharedFolders, stillPrepared } from './prepared.ts';
import { besideOf, type CheckoutRecord, readRecord, writeRecord } from './record.ts';
import { restoreShared } from './shared.ts';
import type { SharedChanges } from './shared-manifest.ts';

/** What the checkouts of a project come from. */
export interface CheckoutSource {
  readonly own: OwnRepository;
  /** The person's; without one, a value whose git directory is ours. */
  readonly theirs: Repository;
  readonly person: PersonConfig;
  readonly identity: CommitIdentity;
  /** The environment that foreword was started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For what a person does with a run that other machines share: its branch is on that remote. */
  readonly carry?: (remote: string) => Promise<Carrier>;
}

export interface CheckoutTarget {
  /** `null` when there is no commit yet; the tree is the empty one then. */
  readonly commit: string | null;
  readonly tree: string;
  /** In full; the agent's HEAD is on it. */
  readonly branch: string;
  /** Paths from the top of the work tree (shared.ts). */
  readonly shared: readonly string[];
  readonly prepare?: Preparation | undefined;
}

/** Something that the person's tree may have and the checkout lacks. */
export type LeftOut =
  | { readonly kind: 'submodule'; readonly path: string }
  /** An LFS object that is not in the person's `.git/lfs`; the file is its pointer. */
  | { readonly kind: 'lfs'; readonly path: string }
  /** Files name a filter that only the repository's configuration defines, or nobody. */
  | { readonly kind: 'filter'; readonly name: string }
  /** A filter of the person failed, so none ran. */
  | { readonly kind: 'filters-failed'; readonly reason: string }
  /** A link out of the checkout, or a file that cannot be read. */
  | { readonly kind: 'shared'; readonly path: string };

export interface ResetCheckout {
  readonly leftOut: readonly LeftOut[];
  /** What the agent before had changed in shared folders, by folder. */
  readonly restored: Readonly<Record<string, SharedChanges>>;
}

/** Makes the checkout, or resets it, whatever state it is in: a process that died in the middle, an agent that removed half of it.
 *  No process of an agent may be left in it. Throws `disk-full`, and `bad-input` when the commit cannot be checked out. */
export async function resetCheckout(
  source: CheckoutSource,
  places: CheckoutPlaces,
  target: CheckoutTarget,
): Promise<ResetCheckout> {
  const { own } = source;
  inState(places.folder, () => fs.mkdirSync(places.folder, { recursive: true, mode: 0o700 }));
  const before = readRecord(places);
  await endOrphans(places, before);
  if (fs.lstatSync(places.scratch, { throwIfNoEntry: false })?.isDirectory() !== true) {
    fs.rmSync(places.scratch, { force: true });
    fs.mkdirSync(places.scratch);
  }
  for (const name of fs.readdirSync(places.scratch)) await removeTree(join(places.scratch, name), places.scratch);
  const known = await keptSubmodules(source, before, target);
  const prepared = stillPrepared(places, before, target.prepare);
  const writing = { ...before, isReady: false, submodules: known, shared: target.shared, prepared };
  writeRecord(places, writing);
  const gone = before.submodules.filter(({ path }) => !known.some((kept) => kept.path === path));
  const submodulePlaces = submodulePlacesOf(own, places, writing);
  await forgetSubmodules(
    submodulePlaces,
    gone.map(({ path }) => path),
  );

  const at = layerOf(own, places, writing);
  const choice = filtersOf(source, before, target);
  const { identity, person } = source;
  const { tree, index, scratch } = places;
  const { branch, commit } = target;
  const agent = { tree, index, scratch, settings: person.settings, identity, branch, commit };
  const preparing = prepareAgentDirectory(own, agent);
  // Both are awaited when the files are written; a failure until then is no unhandled one.
  for (const promise of [choice, preparing]) promise.catch(() => undefined);
  const filled = await fill(at, target.tree, choice);
  const [filters, putAgentDirectory] = [await choice, await preparing];
  const submodules: SubmodulesFound = await fillSubmodules(
    { path: '', at },
    {
      repository: source.theirs,
      filters: async (run, commit, gitDir) => {
        const options = { ...filterOptions(source), lfs: join(gitDir, 'lfs') };
        return filled.isFiltered ? chooseFilters(await filterNames(run, commit), options).env : undefined;
      },
    },
    submodulePlaces,
  );
  await emptyStale(submodulePlaces, submodules);
  const shared = await restoreAll(source, places, writing);
  const lfs = filters.hasLfs ? await missingLfs((args, more) => runAt(at, args, more), places.tree) : [];
  await putAgentDirectory();
  const inner = submodules.filled.map((one) => ({ path: one.path, commit: one.commit }));
  const isNew = target.prepare !== undefined && prepared === undefined;
  const now = isNew ? await prepareCheckout({ source, places, at, shared: target.shared }, target.prepare) : prepared;
  if (isNew) {
    // What it changed of the commit, or made and git does not ignore, is nobody's work; nor is what it did to the git directory.
    await fill(layerOf(own, places, { ...writing, submodules: inner, prepared: now }), target.tree, choice);
    await (await prepareAgentDirectory(own, agent))();
  }
  await removeTree(places.observer, places.scratch);
  writeRecord(places, {
    isReady: true,
    commit,
    tree: target.tree,
    filters: filters.names,
    isFiltered: filled.isFiltered && filters.env !== undefined,
    submodules: inner,
    shared: target.shared,
    prepared: now,
  });
  return {
    leftOut: [
      ...submodules.missing.map((path) => ({ kind: 'submodule', path }) as const),
      ...lfs.map((path) => ({ kind: 'lfs', path }) as const),
      ...filters.without
        .filter((name) => name !== 'lfs' || lfs.length === 0)
        .map((name) => ({ kind: 'filter', name }) as const),
      ...filled.leftOut,
      ...shared.leftOut,
    ],
    restored: shared.restored,
  };
}

/** Everything of it. */
export async function removeCheckout(places: CheckoutPlaces): Promise<void> {
  if (!fs.existsSync(places.folder)) return;
  fs.mkdirSync(places.scratch, { recursive: true });
  await removeTree(places.tree, places.scratch);
  fs.rmSync(places.folder, { recursive: true, force: true });
}

/** Our git on the files of a checkout, never the agent's. */
export function layerOf(own: OwnRepository, places: CheckoutPlaces, record: CheckoutRecord): FilledFolder {
  const inner = record.submodules.map(({ path }) => path);
  return {
    folder: places.tree,
    index: places.index,
    scratch: places.scratch,
    marker: markerOf(places),
    objectFormat: own.objectFormat,
    kept: ['.git', ...besideOf(record).map(walkedPath), ...inner],
    run: (args, more) => own.run(args, more),
  };
}

export function submodulePlacesOf(own: OwnRepository, places: CheckoutPlaces, record: CheckoutRecord): SubmodulePlaces {
  const known = record.submodules.map(({ path }) => path);
  const { tree: top, submodules: state, scratch } = places;
  return { program: own.program, top, state, scratch, marker: markerOf(places), known };
}

export function markerOf(places: CheckoutPlaces): string {
  return `checkout-${sha256(places.folder).slice(0, 24)}`;
}

/** Git that a process which was killed had started may go on writing to the tree. */
async function endOrphans(places: CheckoutPlaces, before: CheckoutRecord): Promise<void> {
  const hasLock = () => fs.existsSync(`${places.index}.lock`);
  if (fs.existsSync(places.tree) && (!before.isReady || hasLock())) await endMarked(markerOf(places), () => !hasLock());
}

async function filtersOf(
  source: CheckoutSource,
  before: CheckoutRecord,
  target: CheckoutTarget,
): Promise<FilterChoice> {
  const run: FilledFolder['run'] = (args, more) => source.own.run(args, more);
  const isKnown = before.isReady && (await hasSameAttributes(source, before.tree, target.tree));
  return chooseFilters(isKnown ? before.filters : await filterNames(run, asId(target.tree)), filterOptions(source));
}

/** A task seldom touches them, and what it changed is known. */
async function hasSameAttributes({ own }: CheckoutSource, before: string, after: string): Promise<boolean> {
  if (before === after) return true;
  try {
    const changes = await changedPaths(own, before, after);
    return !changes.some(({ path }) => path === '.gitattributes' || path.endsWith('/.gitattributes'));
  } catch {
    // The tree of before is gone.
    return false;
  }
}

export function filterOptions({ theirs, person, env }: CheckoutSource) {
  const folders = [theirs.root, theirs.gitDir, theirs.commonDir];
  return { person, env, folders, lfs: join(theirs.commonDir, 'lfs') };
}

/** Those of before that the target has at the same path. What lies in one that moves to another commit is filled from nothing. */
async function keptSubmodules(
  { own }: CheckoutSource,
  before: CheckoutRecord,
  target: CheckoutTarget,
): Promise<CheckoutRecord['submodules']> {
  if (before.submodules.length === 0) return [];
  const outer = before.submodules.filter(
    ({ path }) => !before.submodules.some((other) => path.startsWith(`${other.path}/`)),
  );
  const paths = outer.map(({ path }) => textOf(path));
  const listed = split(await own.run(['ls-tree', '-z', '--full-tree', asId(target.tree), '--', ...paths]));
  const now = new Map(
    listed.flatMap((entry) => {
      const [, commit, path] = /^160000 commit ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? [];
      return commit === undefined || path === undefined ? [] : [[path, commit] as const];
    }),
  );
  return before.submodules.filter(({ path }) => {
    const top = outer.find((each) => path === each.path || path.startsWith(`${each.path}/`));
    return top !== undefined && now.has(top.path) && (path === top.path || now.get(top.path) === top.commit);
  });
}

/** One that was there before and is missing now is an empty folder, as git leaves it. */
async function emptyStale(places: SubmodulePlaces, { filled }: SubmodulesFound): Promise<void> {
  const stale = places.known.filter((path) => !filled.some((each) => each.path === path));
  await forgetSubmodules(places, stale);
  for (const path of stale) fs.mkdirSync(join(places.top, textOf(path)), { recursive: true });
}

interface Filled {
  readonly isFiltered: boolean;
  readonly leftOut: readonly LeftOut[];
}

/** A filter that fails stops git at the first file: then the files come as they are stored. */
async function fill(at: FilledFolder, tree: string, choice: Promise<FilterChoice>): Promise<Filled> {
  try {
    await fillOrRepair(at, tree, async () => (await choice).env);
    return { isFiltered: true, leftOut: [] };
  } catch (error) {
    const filters = await choice;
    if (filters.env === undefined || isDiskFull(error)) throw explained(error, at.folder);
    await fillOrRepair(at, tree).catch((again: unknown) => {
      throw explained(again, at.folder);
    });
    const reason = error instanceof Error ? error.message : String(error);
    return { isFiltered: false, leftOut: [{ kind: 'filters-failed', reason }] };
  }
}

/** What an index or a folder is that git cannot work with is not worth knowing: the second time both begin empty. */
async function fillOrRepair(at: FilledFolder, tree: string, env?: () => Promise<FilterChoice['env']>): Promise<void> {
  try {
    await fillTree(at, tree, env);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    await removeTree(at.folder, at.scratch);
    fs.rmSync(at.index, { force: true });
    await fillTree(at, tree, env);
  }
}

function isDiskFull(error: unknown): boolean {
  return isForewordError(error) && error.code === 'disk-full';
}

function explained(error: unknown, folder: string): unknown {
  const message = error instanceof Error ? error.message : '';
  if (!/unable to read|missing blob|promisor|bad object|invalid object/i.test(message)) return error;
  return new ForewordError(
    'bad-input',
    `The commit cannot be checked out in ${folder}: the repository lacks some of its files.`,
    {
      hint: 'A partial clone fetches files when they are needed, which foreword does not do: fetch them all with "git fetch --refetch --filter=blob:limit=10g", or clone again.',
      cause: error,
    },
  );
}

async function restoreAll(
  source: CheckoutSource,
  places: CheckoutPlaces,
  record: CheckoutRecord,
): Promise<{ readonly leftOut: readonly LeftOut[]; readonly restored: Readonly<Record<string, SharedChanges>> }> {
  const leftOut: LeftOut[] = [];
  const restored: Record<string, SharedChanges> = {};
  for (const at of sharedFolders(source, places, record)) {
    const { path } = at;
    const result = await restoreShared(at);
    restored[path] = result.changes;
    for (const inner of result.leftOut)
      leftOut.push({ kind: 'shared', path: inner === path ? path : `${path}/${inner}` });
  }
  return { leftOut, restored };
}
