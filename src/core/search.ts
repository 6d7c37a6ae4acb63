// Code search: the port to the full-text index of the tracked files. The index is a cache: it can be deleted at any
// time and holds nothing that is not in the work tree.

export interface SearchHit {
  readonly path: string;
  /** 1-based line of the snippet. */
  readonly line: number;
  readonly snippet: string;
}

export interface IndexReport {
  /** Tracked files that are indexed. */
  readonly files: number;
  /** Files read and indexed anew in this run. */
  readonly updated: number;
  readonly removed: number;
  /** Tracked files left out, by reason: binary, huge, secret, unreadable. */
  readonly leftOut: Readonly<Record<string, number>>;
}

export interface CodeSearch {
  /** Brings the index up to date: reads only files whose stat changed, indexes only those whose content did. */
  refresh(): Promise<IndexReport>;
  /** The best `limit` files for any of the words, best first; an empty list for no words. */
  find(words: readonly string[], limit: number): Promise<readonly SearchHit[]>;
  close(): void;
}
