// What was last put into a checkout, kept beside it. `isReady` is false while it is being written.

import { readFileSync } from 'node:fs';
import { replaceFile } from '../../system/files/atomic.ts';
import { type CheckoutPlaces, inState } from '../../system/files/project-state.ts';

export interface CheckoutRecord {
  readonly isReady: boolean;
  readonly commit: string | null;
  /** Where the task started: what it holds is kept by a ref. Empty before the first. */
  readonly tree: string;
  /** The filters that the tree names. */
  readonly filters: readonly string[];
  /** Whether filters ran, and so must run when the files are read. */
  readonly isFiltered: boolean;
  /** Paths as a walk has them (system/files/walk-tree.ts), those in submodules too. */
  readonly submodules: readonly { readonly path: string; readonly commit: string }[];
  readonly shared: readonly string[];
  /** Absent until `run.prepare` succeeded. */
  readonly prepared?: PreparedRecord | undefined;
}

export interface PreparedRecord {
  readonly key: string;
  /** What it made that git ignores: files and folders, from the top of the checkout. Originals are in `places.prepared`. */
  readonly made: readonly string[];
}

const NOTHING: CheckoutRecord = {
  isReady: false,
  commit: null,
  tree: '',
  filters: [],
  isFiltered: false,
  submodules: [],
  shared: [],
};

/** Everything that lies in the checkout beside the commit and stays from task to task. */
export function besideOf({ shared, prepared }: CheckoutRecord): readonly string[] {
  return [...shared, ...(prepared?.made ?? [])];
}

/** One that is missing or cut off is that of a checkout with nothing in it. */
export function readRecord(places: CheckoutPlaces): CheckoutRecord {
  try {
    return { ...NOTHING, ...(JSON.parse(readFileSync(places.record, 'utf8')) as Partial<CheckoutRecord>) };
  } catch {
    return NOTHING;
  }
}

/** Not synced: after a power cut a checkout is reset before it is used again. */
export function writeRecord(places: CheckoutPlaces, record: CheckoutRecord): void {
  inState(places.folder, () => replaceFile(places.record, JSON.stringify(record), { mode: 0o600, isSynced: false }));
}
