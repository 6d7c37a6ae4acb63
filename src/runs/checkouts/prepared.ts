// `run.prepare` in a checkout: a command that runs once, when the checkout is new. What it made and git ignores stays from task to
// task, by the means of shared folders: a copy beside the checkout is the original. A process that dies before it is kept means that
// the command runs again.

import { existsSync, mkdirSync } from 'node:fs';
import { type CheckoutPlaces, inState } from '../../system/files/project-state.ts';
import { removeTree } from '../../system/files/remove-tree.ts';
import { textOf } from '../../system/files/walk-tree.ts';
import { type FilledFolder, runAt, split } from '../../system/git/fill-tree.ts';
import type { CheckoutSource } from './checkout.ts';
import type { CheckoutRecord, PreparedRecord } from './record.ts';
import { keepMade, type SharedFolder } from './shared.ts';
import { isAmong, plainPath } from './shared-choice.ts';

export interface Preparation {
  /** Names the command: with another one a checkout is prepared again. */
  readonly key: string;
  /** Resolves when the command succeeded, and throws when it did not. None of its processes is left. */
  run(): Promise<void>;
}

/** What an earlier reset prepared; `undefined` when it must be done, again or for the first time. */
export function stillPrepared(
  { prepared }: CheckoutPlaces,
  before: CheckoutRecord,
  prepare: Preparation | undefined,
): PreparedRecord | undefined {
  if (prepare === undefined || before.prepared?.key !== prepare.key) return undefined;
  return existsSync(prepared) ? before.prepared : undefined;
}

interface NewCheckout {
  readonly source: Pick<CheckoutSource, 'person'>;
  readonly places: CheckoutPlaces;
  readonly at: FilledFolder;
  readonly shared: readonly string[];
}

/** The checkout is at its commit and has nothing else but `shared`. */
export async function prepareCheckout(
  { source, places, at, shared }: NewCheckout,
  prepare: Preparation,
): Promise<PreparedRecord> {
  await removeTree(places.prepared, places.scratch);
  await prepare.run();
  inState(places.folder, () => mkdirSync(places.prepared, { mode: 0o700 }));
  const { excludesFile } = source.person;
  const own = excludesFile === undefined ? [] : ['-c', `core.excludesFile=${excludesFile}`];
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const found = split(await runAt(at, [...own, ...list])).map((path) => plainPath(textOf(path)));
  const made = found.filter((path) => path !== '.git' && !isAmong(path, shared));
  for (const path of made) await keepMade(madeFolder(places, path));
  return { key: prepare.key, made };
}

/** Everything that lies in a checkout beside its commit, with where its original is. */
export function sharedFolders(
  { theirs }: Pick<CheckoutSource, 'theirs'>,
  places: CheckoutPlaces,
  { shared, prepared }: CheckoutRecord,
): readonly SharedFolder[] {
  const { tree, shared: state, scratch } = places;
  return [
    ...shared.map((path) => ({ path, root: theirs.root, tree, state, scratch })),
    ...(prepared?.made ?? []).map((path) => madeFolder(places, path)),
  ];
}

function madeFolder({ prepared: root, tree, shared: state, scratch }: CheckoutPlaces, path: string): SharedFolder {
  return { path, root, tree, state, scratch, isMade: true };
}
