// Code search: the port to the full-text index of the tracked files. The index is a cache: it can be deleted at any
// time and contains only what is in the working tree.

export interface SearchHit {
  readonly path: string;
  /** 1-based line of the snippet. */
  readonly line: number;
  readonly snippet: string;
}

export interface IndexReport {
  /** Tracked files that are indexed. */
  readonly files: number;
  /** Files read and indexed again in this run. */
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

/** A file in the index: enough to see whether it may have changed, without opening it. Times are decimal nanoseconds, as
 *  text, because numbers would round them. */
export interface IndexedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: string;
  readonly ctimeNs: string;
  /** Hash of the bytes that were read. */
  readonly hash: string;
  /** Milliseconds since 1970, not later than the read. */
  readonly readAt: number;
  /** Why the content is not indexed; `null` when it is. */
  readonly leftOut: string | null;
}

export type IndexChange =
  /** New content, or the first. `body` is null for a file that is left out. */
  | { readonly kind: 'content'; readonly file: IndexedFile; readonly body: string | null }
  /** The stat changed and the content did not. Harmless when another process has indexed other content since. */
  | { readonly kind: 'stat'; readonly file: IndexedFile }
  | { readonly kind: 'gone'; readonly path: string };

/** The index itself: words and stats, no text. Any number of processes may share one. Every call may throw
 *  `store-damaged` or `store-unreachable`; after `renew` it works again, perhaps empty. */
export interface SearchIndex {
  files(): ReadonlyMap<string, IndexedFile>;
  /** All or nothing. */
  apply(changes: readonly IndexChange[]): void;
  /** Paths of files that hold any of the words, best first. */
  match(words: readonly string[], limit: number): readonly string[];
  /** Opens the index again; deletes a damaged one first. */
  renew(): Promise<void>;
  /** Idempotent. */
  close(): void;
}
