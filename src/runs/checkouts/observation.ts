// What was seen in a checkout at one moment beside the tracked files, and what changed between two moments. Pure; observe.ts looks.

export interface Observation {
  /** The id of the tree of all files that are not ignored. Its objects are in our repository. */
  readonly tree: string;
  /** Ignored files outside shared folders, and what they are like. */
  readonly ignored: Prints;
  /** Files in submodules that differ from the recorded commit: they cannot be part of a commit. */
  readonly submodules: Prints;
  /** Folders with a git directory of their own, the checkout's top and submodules not counted. Their files are files. */
  readonly repositories: readonly string[];
  /** The agent's git directory: hooks, configuration, refs. */
  readonly gitDirectory: Prints;
  /** How many files of each shared folder differ from the copy that was made. */
  readonly shared: Readonly<Record<string, number>>;
  /** Files that are not in the tree, or not as they are, since they cannot be read. */
  readonly unreadable: readonly string[];
}

/** Path → what is there. */
export type Prints = Readonly<Record<string, string>>;

export interface PrintChanges {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
}

export interface ObservedBeside {
  readonly ignored: PrintChanges;
  readonly submodules: PrintChanges;
  readonly repositories: readonly string[];
  /** Files of the agent's git directory. Refs change with every commit of the agent; hooks and configuration do not. */
  readonly hooks: readonly string[];
  readonly config: readonly string[];
  readonly refs: readonly string[];
  readonly shared: Readonly<Record<string, number>>;
  readonly unreadable: readonly string[];
}

/** `gitFiles` of the git directory are no change. */
export function compareBeside(
  before: Observation,
  after: Observation,
  gitFiles: readonly string[] = [],
): ObservedBeside {
  const { created, updated, deleted } = comparePrints(before.gitDirectory, after.gitDirectory);
  const git = [...created, ...updated, ...deleted].filter((path) => !gitFiles.includes(path)).sort();
  const isRef = (path: string) => /^(refs\/|HEAD$|packed-refs$|[A-Z_]+HEAD$)/.test(path);
  const isHook = (path: string) => path.startsWith('hooks/');
  return {
    ignored: comparePrints(before.ignored, after.ignored),
    submodules: comparePrints(before.submodules, after.submodules),
    repositories: after.repositories.filter((path) => !before.repositories.includes(path)),
    hooks: git.filter(isHook),
    config: git.filter((path) => !isHook(path) && !isRef(path)),
    refs: git.filter(isRef),
    shared: Object.fromEntries(Object.entries(after.shared).filter(([, count]) => count > 0)),
    unreadable: after.unreadable,
  };
}

export function comparePrints(before: Prints, after: Prints): PrintChanges {
  const has = (prints: Prints, path: string) => Object.hasOwn(prints, path);
  const now = Object.keys(after);
  return {
    created: now.filter((path) => !has(before, path)).sort(),
    updated: now.filter((path) => has(before, path) && before[path] !== after[path]).sort(),
    deleted: Object.keys(before)
      .filter((path) => !has(after, path))
      .sort(),
  };
}
