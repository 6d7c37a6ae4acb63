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
  /** Files opened in this run. More than `updated` when a file's stat changed but not its content. */
  readonly read: number;
  /** Tracked files left out, by reason: secret, link, huge, binary, encoding, unreadable. */
  readonly leftOut: Readonly<Record<string, number>>;
}

export interface CodeSearch {
  /** Brings the index up to date: reads only files whose stat changed, indexes only those whose content did. */
  refresh(): Promise<IndexReport>;
  /** The best `limit` files for any of the words, best first; an empty list for no words. */
  find(words: readonly string[], limit: number): Promise<readonly SearchHit[]>;
  close(): void;
}

/** What the index knows of a file: enough to see without opening it whether it may have changed. Times are decimal
 *  nanoseconds, as text, because numbers would round them. */
export interface IndexedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: string;
  readonly ctimeNs: string;
  /** Of the bytes as they were read. */
  readonly hash: string;
  /** Milliseconds since 1970, not after the moment the bytes were read. */
  readonly readAt: number;
  /** Why the content is not indexed; `null` when it is. */
  readonly leftOut: string | null;
}

export type IndexChange =
  /** New content, or the first. `body` is null for a file that is left out. */
  | { readonly kind: 'content'; readonly file: IndexedFile; readonly body: string | null }
  /** The stat changed and the content did not: harmless when another process has indexed other content since. */
  | { readonly kind: 'stat'; readonly file: IndexedFile }
  | { readonly kind: 'gone'; readonly path: string };

/** The index itself: words and stats, no text. Any number of processes may use one. Every call may throw
 *  `store-damaged` or `store-unreachable`; after `renew` it works again, perhaps empty. */
export interface SearchIndex {
  files(): ReadonlyMap<string, IndexedFile>;
  /** All or nothing. */
  apply(changes: readonly IndexChange[]): void;
  /** Paths of files that hold any of the words, best first. */
  match(words: readonly string[], limit: number): readonly string[];
  /** Opens the index again; a damaged one is thrown away first. */
  renew(): Promise<void>;
  /** Idempotent. */
  close(): void;
}
