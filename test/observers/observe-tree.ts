// A work tree observed by system/git/tree.ts alone, where it is: for tests of that file, and to measure it. Runs observe checkouts
// (src/runs/checkouts/observe.ts).

import { realpathSync, rmSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { ForewordError } from '../../src/kernel/errors.ts';
import type { Changes, Observer, Snapshot } from '../../src/runs/changes.ts';
import { openRepository } from '../../src/system/git/repository.ts';
import { openTrees, type TreeFile, type Trees } from '../../src/system/git/tree.ts';
import type { TreeChange } from '../../src/system/git/tree-diff.ts';

export interface OpenObserver extends Observer {
  /** Deletes the state folder: snapshots taken so far can no longer be compared. */
  close(): Promise<void>;
}

export interface GitObserver extends OpenObserver {
  /** As the file would lie in the work tree; `undefined` when it is not a plain file in the snapshot. */
  read(snapshot: Snapshot, path: string): Promise<TreeFile | undefined>;
}

export interface GitOptions {
  readonly stateFolder: string;
  /** Further folders that never count, wherever they lie. */
  readonly away?: readonly string[] | undefined;
  /** Where git is looked for, a PATH. */
  readonly searchPath: string;
  /** A person's own list of ignored files (`~/.config/git/ignore`). */
  readonly excludesFile?: string | undefined;
  /** Further paths that never count, from the top of the work tree. */
  readonly ours?: readonly string[] | undefined;
}

/** The whole work tree that `root` lies in counts, also outside `root`; paths are from its top. Not seen: ignored files,
 *  and files inside a submodule or a repository within, until they are committed there. Nothing is written before the
 *  first snapshot. Throws `bad-input` when there is no repository. */
export function observeGitTree(root: string, options: GitOptions): GitObserver {
  const repository = openRepository(root, options.searchPath);
  if (repository === undefined) throw new ForewordError('bad-input', `There is no git repository at ${root}.`);
  const stateFolder = resolve(options.stateFolder);
  const folders = [stateFolder, ...(options.away ?? [])];
  const ours = [...folders.flatMap((folder) => oursIn(repository.root, root, folder)), ...(options.ours ?? [])];
  let trees: Trees | undefined;
  const open = () => {
    trees ??= openTrees(stateFolder, repository, { ours, excludesFile: options.excludesFile });
    return trees;
  };
  return {
    snapshot: async () => open().make(),
    changes: async (before, after) => {
      const all = await open().compare(before, after);
      return toChanges(all.filter(({ path }) => !ours.some((folder) => `${path}/`.startsWith(`${folder}/`))));
    },
    read: async (snapshot, path) => open().read(snapshot, path),
    close: async () => {
      trees = undefined;
      rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}

/** `.foreword` at the top of the work tree and of the project, and a folder of ours, as far as they lie in it. */
function oursIn(top: string, root: string, folder: string): string[] {
  const real = realpathSync(root);
  const places = ['.foreword', `${real}/.foreword`, resolve(real, relative(resolve(root), folder)), folder];
  const paths = places.map((place) => relative(top, resolve(top, place)).split(sep).join('/'));
  return [...new Set(paths)].filter((path) => path !== '' && path !== '..' && !path.startsWith('../'));
}

function toChanges(all: readonly TreeChange[]): Changes {
  const paths = (kind: TreeChange['kind']) =>
    all
      .filter((change) => change.kind === kind)
      .map((change) => change.path)
      .sort();
  return {
    created: paths('created'),
    updated: paths('updated'),
    deleted: paths('deleted'),
    linesAdded: all.reduce((sum, change) => sum + change.added, 0),
    linesRemoved: all.reduce((sum, change) => sum + change.removed, 0),
  };
}
