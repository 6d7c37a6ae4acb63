// What an observer has beside the port: a folder of its own, and an end.

import type { TreeFile } from '../../system/git/tree.ts';
import type { Observer, Snapshot } from '../changes.ts';

export interface OpenObserver extends Observer {
  /** Deletes the state folder: snapshots taken so far can no longer be compared. Not needed when a run is to be taken
   *  up again. */
  close(): Promise<void>;
}

/** Of a git work tree: what was in a snapshot can be read again. */
export interface GitObserver extends OpenObserver {
  /** As the file would lie in the work tree; `undefined` when it is not a plain file in the snapshot. */
  read(snapshot: Snapshot, path: string): Promise<TreeFile | undefined>;
}

export interface FolderOptions {
  /** Belongs to one observer alone, one process at a time; made with mode 0700. A later observer with the same folder
   *  knows the snapshots of the earlier one. It never counts as observed. */
  readonly stateFolder: string;
  /** Further folders that never count, wherever they lie. */
  readonly away?: readonly string[] | undefined;
  /** Globs that do not count; only for folders without git, which has lists of its own. */
  readonly ignore?: readonly string[] | undefined;
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
