// How the work of a run travels to other machines, if it does: its branch is on a remote repository, and what is in our own is a
// copy of it. The remote's branch is the ledger: a task that has its commit there is completed, whoever pushed it.

/** Refs in full. */
export interface Carrier {
  /** As the person calls the remote. */
  readonly name: string;
  /** The end of a branch there, with its objects here; `null` when it has no such branch. Throws `bad-input` when the remote
   *  cannot be reached. */
  tip(branch: string): Promise<string | null>;
  /** Moves the branch from where it is known to be, by compare-and-swap. */
  push(branch: string, move: { readonly from: string; readonly to: string }): Promise<Carried>;
  /** Keeps an attempt there, so that another machine can go on with it. Why not, if not; one sentence. */
  keep(ref: string, attempt: { readonly commit: string; readonly start: string | null }): Promise<string | undefined>;
  /** Brings everything below `prefix`, which ends in `/`. */
  bring(prefix: string): Promise<void>;
}

export type Carried =
  | { readonly kind: 'pushed' }
  /** Somebody else pushed first. */
  | { readonly kind: 'moved' }
  /** `isFinal`: another try would end in the same way. The reason ends a sentence. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isFinal: boolean };
