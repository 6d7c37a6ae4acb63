// What changed in a checkout, as paths from the project's root. A snapshot is the id of a tree and, behind it, that of what else
// was seen (ignored files, the agent's git directory), which is kept beside the checkout until it is reset: a bare
// tree is a snapshot too.

import { mkdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { nameSome } from '../../kernel/name-some.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { type CheckoutPlaces, inState } from '../../system/files/project-state.ts';
import type { TreeChange } from '../../system/git/tree-diff.ts';
import { sha256 } from '../../system/sha256.ts';
import { type Changes, NO_CHANGES, type Observer, type Snapshot } from '../changes.ts';
import {
  type CheckoutSource,
  changedPaths,
  compareBeside,
  type Observation,
  type ObservedBeside,
  observeCheckout,
} from '../checkouts/index.ts';

/** `prefix` is the project's path from the top of the work tree; empty when it is the top. `takeReset` is true for the first look
 *  after a reset. `gitFiles` are made in the git directory by agents themselves, and no change. */
export function openCheckoutObserver(
  source: CheckoutSource,
  places: CheckoutPlaces,
  how: { readonly prefix: string; takeReset(): boolean; readonly gitFiles?: readonly string[] | undefined },
): Observer {
  const { prefix, gitFiles = [] } = how;
  return {
    snapshot: async () => keep(places, await observeCheckout(source, places, { isReset: how.takeReset() })),
    changes: async (before, after) => {
      const [one, other] = [load(places, before), load(places, after)];
      const all = await changedPaths(source.own, treeIn(before), treeIn(after));
      const beside = one === undefined || other === undefined ? undefined : compareBeside(one, other, gitFiles);
      return toChanges(all, beside, (path) => fromRoot(prefix, path));
    },
  };
}

/** The tree of a snapshot; a commit's id is returned as it is. */
export function treeIn(snapshot: Snapshot): string {
  return snapshot.split('-')[0] ?? '';
}

/** A path from the top of the work tree as one from the project's root: `../` leads out of the project. */
export function fromRoot(prefix: string, path: string): string {
  return prefix === '' ? path : posix.relative(prefix, path);
}

/** The same; a folder that ends in `/` still does. */
export function fromRootFolder(prefix: string, path: string): string {
  return path.endsWith('/') ? `${fromRoot(prefix, path.slice(0, -1))}/` : fromRoot(prefix, path);
}

function toChanges(
  all: readonly TreeChange[],
  beside: ObservedBeside | undefined,
  named: (path: string) => string,
): Changes {
  const paths = (kind: TreeChange['kind']) =>
    all
      .filter((change) => change.kind === kind)
      .map(({ path }) => named(path))
      .sort();
  return {
    ...NO_CHANGES,
    created: paths('created'),
    updated: paths('updated'),
    deleted: paths('deleted'),
    linesAdded: all.reduce((sum, { added }) => sum + added, 0),
    linesRemoved: all.reduce((sum, { removed }) => sum + removed, 0),
    ...(beside === undefined ? {} : besides(beside, named)),
  };
}

function besides(beside: ObservedBeside, named: (path: string) => string): Pick<Changes, 'ignored' | 'facts'> {
  const { ignored, submodules } = beside;
  const uncommitted = [ignored, submodules].flatMap((each) => [...each.created, ...each.updated, ...each.deleted]);
  const inSubmodules = [...submodules.created, ...submodules.updated, ...submodules.deleted].map(named);
  const shared = Object.entries(beside.shared).map(([path, count]) => `${named(path)} (${count})`);
  return {
    ignored: uncommitted.map(named).sort(),
    facts: [
      ...gitFacts(beside),
      fact('repositories made inside', beside.repositories.map(named)),
      fact('files in submodules changed, which are not part of the commit', inSubmodules),
      fact('files in shared folders changed, which are not part of the commit', shared),
      fact('files that cannot be read', beside.unreadable.map(named)),
    ].flatMap((each) => each ?? []),
  };
}

/** The empty path is the directory itself: with it, everything else in it is gone or new too. */
function gitFacts({ hooks, config, refs }: ObservedBeside): readonly (string | undefined)[] {
  if (config.includes('')) return ['its git directory was removed or replaced'];
  return [
    fact('hooks of its git directory changed', hooks),
    fact('configuration of its git directory changed', config),
    fact('refs of its git directory changed', refs),
  ];
}

function fact(what: string, paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  return `${what}: ${nameSome(paths)}`;
}

function keep(places: CheckoutPlaces, observation: Observation): Snapshot {
  const text = JSON.stringify(observation);
  const snapshot = `${observation.tree}-${sha256(text).slice(0, 16)}`;
  inState(places.folder, () => {
    mkdirSync(places.observations, { recursive: true, mode: 0o700 });
    replaceFile(fileOf(places, snapshot), text, { mode: 0o600, isSynced: false });
  });
  return snapshot;
}

/** `undefined` when the checkout was reset since, or another one is used now: then only the trees can be compared. */
function load(places: CheckoutPlaces, snapshot: Snapshot): Observation | undefined {
  if (!/^[0-9a-f]+-[0-9a-f]{16}$/.test(snapshot)) return undefined;
  try {
    return JSON.parse(readFileSync(fileOf(places, snapshot), 'utf8')) as Observation;
  } catch {
    return undefined;
  }
}

function fileOf(places: CheckoutPlaces, snapshot: Snapshot): string {
  return join(places.observations, `${snapshot}.json`);
}
