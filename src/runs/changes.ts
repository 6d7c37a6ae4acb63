// Changes: what an attempt did to the files, as observed from outside, never as the agent claims.

export interface Changes {
  /** Paths from the project's root, sorted, `/` between parts; `../` leads to files of the repository outside the project. A
   *  renamed file is one deleted and one created. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
  /** Lines over all text files; for the policy's limits. */
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Files that changed and can be no part of a commit: ignored ones, and those in submodules. */
  readonly ignored?: readonly string[];
  /** What else was seen, each a sentence without its end: hooks, configuration and refs of the agent's git directory, shared folders. */
  readonly facts?: readonly string[];
}

export const NO_CHANGES: Changes = { created: [], updated: [], deleted: [], linesAdded: 0, linesRemoved: 0 };

/** The state of a work tree at one moment: a git tree id, with or without the id of what else was seen. Survives a restart
 *  as text. */
export type Snapshot = string;

/** Looks at one work tree. */
export interface Observer {
  snapshot(): Promise<Snapshot>;
  changes(before: Snapshot, after: Snapshot): Promise<Changes>;
}
