// Observes a git work tree: a snapshot is the id of a tree made beside the repository (system/git/tree.ts).

import { realpathSync, rmSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { openRepository } from '../../system/git/repository.ts';
import { openTrees, type Trees } from '../../system/git/tree.ts';
import type { TreeChange } from '../../system/git/tree-diff.ts';
import type { Changes } from '../changes.ts';
import type { GitObserver, GitOptions } from './open-observer.ts';

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
