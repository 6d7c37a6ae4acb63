// What the editors of all formats answer.

import type { Insertion } from './insertion.ts';

/** Why a file is left as it is: what stands in it is not what we can safely edit. */
export interface Misplaced {
  readonly ok: false;
  /** 1-based; absent when it is the file as a whole. */
  readonly line?: number;
  readonly message: string;
}

export type Inserted =
  | {
      readonly ok: true;
      readonly insertions: readonly Insertion[];
      /** Maps and lists that were not there before, outermost first: taking our entries out leaves them empty. */
      readonly created: readonly (readonly string[])[];
    }
  | Misplaced;

export type Removed = { readonly ok: true; readonly text: string } | Misplaced;

/** Something of ours in a text: which event, which command, and all of the entry. */
export interface OwnPart {
  readonly event: string;
  /** The command line; empty where the format has none. */
  readonly command: string;
  readonly value: unknown;
}

export type Owned = { readonly ok: true; readonly parts: readonly OwnPart[] } | Misplaced;

/** An edit that would change anything else than it should is not made. Seen only if an editor is wrong. */
export function unsafe(what: string): Misplaced {
  return {
    ok: false,
    message: `${what} cannot be done without touching something else, so the file is left as it is.`,
  };
}
