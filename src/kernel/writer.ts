// Who wrote a record. A store may be shared by machines and people, or come from elsewhere, so each record names its writer, and
// a record that came by import is marked. A name is for people: it proves nothing.

import { oneLine } from './safe-text.ts';

export interface Written {
  /** `person@machine`; absent in records of older versions. */
  readonly writer?: string;
  /** It came with `foreword import`; its writer is what the file said. */
  readonly imported?: true;
}

/** Far above real names. */
const MOST_CHARS = 60;

/** Who wrote it, as shown to people: `anna@desk`, `imported`. `undefined` when it was `me`, or is not known. */
export function otherWriter({ writer, imported }: Written, me: string | undefined): string | undefined {
  const named = writer === undefined ? [] : [oneLine(writer, MOST_CHARS)];
  if (imported === true) return [...named, 'imported'].join(', ');
  return writer === me ? undefined : named[0];
}

/** The record without the name of its writer where that is `me`. */
export function withoutOwnName<T extends Written>(record: T, me: string | undefined): T {
  if (record.writer === undefined || record.writer !== me || record.imported === true) return record;
  const { writer: _, ...rest } = record;
  return rest as T;
}
