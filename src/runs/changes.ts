// Changes: what an attempt did to the files, as observed from outside, never as the agent claims.

export interface Changes {
  /** Paths from the work tree's top, sorted, `/` between parts. A renamed file is one deleted and one created. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
  /** Lines over all text files; for the policy's limits. */
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

export const NO_CHANGES: Changes = { created: [], updated: [], deleted: [], linesAdded: 0, linesRemoved: 0 };

/** The state of a work tree at one moment: a git tree id, or the id of a scan. Survives a restart as text. */
export type Snapshot = string;

/** Looks at one work tree. What is ignored by git, and everything of ours (`.foreword/`), does not count. */
export interface Observer {
  snapshot(): Promise<Snapshot>;
  changes(before: Snapshot, after: Snapshot): Promise<Changes>;
}
