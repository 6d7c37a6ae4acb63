// The results of the editors of all formats.

import type { Insertion } from './insertion.ts';

/** Why a file is not changed: its content cannot be edited safely. */
export interface Misplaced {
  readonly ok: false;
  /** 1-based; absent for a problem of the whole file. */
  readonly line?: number;
  readonly message: string;
}

export type Inserted =
  | {
      readonly ok: true;
      readonly insertions: readonly Insertion[];
      /** Maps and lists that we added, outermost first: without our entries they are empty. */
      readonly created: readonly (readonly string[])[];
    }
  | Misplaced;

export type Removed = { readonly ok: true; readonly text: string } | Misplaced;

/** One entry of ours in a text: its event, its command, and the whole entry. */
export interface OwnPart {
  readonly event: string;
  /** The command line; empty for a format without one. */
  readonly command: string;
  readonly value: unknown;
}

export type Owned = { readonly ok: true; readonly parts: readonly OwnPart[] } | Misplaced;

/** For an edit that would change anything else; it is not made. Happens only when an editor has a bug. */
export function unsafe(what: string): Misplaced {
  return {
    ok: false,
    message: `${what} would change something else too, so the file was not changed.`,
  };
}
