// Where the state of one opened project lies: below the person's state folder, by the project's identity. To write, the project
// is made if there is none. To read, nothing is made, but a project that was moved is noted at its new place. To look,
// nothing is changed and no process is started. project-state.ts has the paths.

import { existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { replaceFile } from './atomic.ts';
import { placeCheckouts } from './checkouts-place.ts';
import type { FoundCheckout } from './find-checkout.ts';
import { ensureProject, projectIdentity } from './find-project.ts';
import { refuseNetworkDisk } from './network-disk.ts';
import { readProjectFacts } from './project-facts.ts';
import { withRootFolder } from './project-records.ts';
import {
  CONTEXT_FOLDERS,
  inState,
  makePrivateFolder,
  notPrivate,
  oldStore,
  ownFile,
  projectPlaces,
  type RunPlaces,
  rootPlaces,
  runPlaces,
} from './project-state.ts';

export interface StateFiles {
  readonly id: string;
  /** The store; it may not be there yet. */
  readonly store: string;
  /** The index of the code search, one for each working tree; it may not be there yet. */
  readonly index: string;
}

/** Every function throws `store-unreachable` when the state folder cannot be used. */
export interface ProjectState {
  /** `main`, the name of the linked worktree, or what names the task of a checkout. */
  tree(): string;
  /** The folders of what it returns are there. */
  toWrite(): StateFiles;
  /** `undefined`: no command wrote anything yet. */
  toRead(): StateFiles | undefined;
  toLook(): StateFiles | undefined;
  /** In `.foreword/`, for other tools. Throws `bad-input` when it, or the folder, is a link. */
  dump(): string;
  /** Makes the folder for runs. */
  runs(): RunPlaces;
  /** Hooks work in this project from now on, though it has neither `.foreword/` nor `.context/`. */
  switchOn(): void;
  /** The store that an earlier version kept in the repository. Nothing of it is read; a clone may have brought it. */
  oldStore(): string | undefined;
  /** A project that is gone and left state, and is like this one. Only with `asksGit` its history is compared. */
  gone(how: { readonly asksGit: boolean }): Promise<{ readonly id: string; readonly root: string } | undefined>;
}

interface StateOptions {
  /** Where checkouts lie when not in the state folder (checkouts-place.ts). */
  readonly checkoutsIn?: string | undefined;
  /** Where the caller is, if it is in one of a run. */
  readonly checkout?: FoundCheckout | undefined;
}

/** `person` is the person's state folder. */
export function stateOf(root: string, person: string, { checkoutsIn, checkout }: StateOptions = {}): ProjectState {
  let made: StateFiles | undefined;
  let found: StateFiles | undefined;
  const filesOf = (id: string, tree: string): StateFiles => {
    const { store, tree: treeOf } = projectPlaces(person, id);
    return { id, store, index: checkout?.index ?? treeOf(tree).index };
  };
  let treeName: string | undefined;
  const tree = (): string => {
    treeName ??= readProjectFacts(root).tree;
    return treeName;
  };
  const find = (how: { readonly asksGit: boolean }): StateFiles | undefined => {
    if (found !== undefined) return found;
    const { id, isNoted, tree: name } = projectIdentity(root, person, how);
    treeName = name;
    found = id === undefined ? undefined : filesOf(id, name);
    if (found !== undefined && how.asksGit && !isNoted) renew(root, person);
    return found;
  };
  const toWrite = (): StateFiles => {
    if (made !== undefined) return made;
    if (person === '') throw notPrivate('The home folder');
    makePrivateFolder(person);
    refuseNetworkDisk(person);
    const id = ensureProject(root, person);
    makePrivateFolder(person, relative(person, projectPlaces(person, id).tree(tree()).folder));
    made = filesOf(id, tree());
    found = made;
    return made;
  };
  return {
    tree: () => checkout?.tree ?? tree(),
    toWrite,
    toLook: () => find({ asksGit: false }),
    toRead: () => find({ asksGit: true }),
    dump: () => ownFile(root, 'session-state.json'),
    runs: () => {
      const { id } = toWrite();
      const { runs } = projectPlaces(person, id).tree(tree());
      const [folder, ours] = [realpathSync(makePrivateFolder(person, relative(person, runs))), realpathSync(person)];
      const places = projectPlaces(ours, id);
      const checkouts = inState(ours, () => placeCheckouts(places.checkouts, { base: checkoutsIn, id }));
      return runPlaces({ ...places, checkouts }, folder, ours);
    },
    switchOn: () => {
      if (checkout !== undefined) return;
      if (CONTEXT_FOLDERS.some((name) => existsSync(join(root, name)))) return;
      const real = realpathSync.native(root);
      const { on } = rootPlaces(person, real);
      if (!existsSync(on)) withRootFolder(person, real, () => replaceFile(on, '', { mode: 0o600 }));
    },
    oldStore: () => (existsSync(oldStore(root)) ? oldStore(root) : undefined),
    gone: async (how) => (await import('./gone-projects.ts')).goneProjectLike(root, person, how),
  };
}

/** What is not noted now is noted by the next command that writes. */
function renew(root: string, person: string): void {
  try {
    ensureProject(root, person);
  } catch {
    // A disk that is full or read-only must not stop a reader.
    return;
  }
}
