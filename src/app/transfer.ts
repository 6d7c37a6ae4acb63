// Export and import of a store, loaded only by the commands that do it.

import type { Stores } from '../kernel/stores.ts';

/** Everything in a store, as the values of JSON lines; secrets that became known since are taken out. */
export async function* exportLines(stores: Stores, redact: (text: string) => string): AsyncIterable<unknown> {
  const { exportRedacted } = await import('../stores/transfer.ts');
  yield* exportRedacted(stores, redact);
}

export interface ImportInto {
  readonly stores: () => Promise<Stores>;
  /** The name of the file for the person. */
  readonly where: string;
  readonly now: number;
  readonly redact: (text: string) => string;
  readonly onRead?: ((records: number) => void) | undefined;
  readonly onWrite?: ((done: number, total: number) => void) | undefined;
}

export interface ImportCounts {
  readonly added: number;
  readonly kept: number;
  /** How many were left out, by the reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** Adds what the store lacks. The text is checked whole before the store is opened. */
export async function importLines(text: string | AsyncIterable<string>, into: ImportInto): Promise<ImportCounts> {
  const { importLines: take } = await import('../stores/transfer.ts');
  const { checkLine } = await import('../config/schemas/records.ts');
  const { importable } = await import('../stores/importable.ts');
  return take(text, into.stores, { ...into, check: checkLine, accept: (line) => importable(line, into.now) });
}

/** The same from the file of an old store, which is copied and only then looked at. Records that are not valid are left out. */
export async function importStoreFile(path: string, into: ImportInto): Promise<ImportCounts> {
  const { importRecords } = await import('../stores/transfer.ts');
  const { readStoreFile } = await import('../stores/sqlite/import-file.ts');
  const { checkLine } = await import('../config/schemas/records.ts');
  const { importable } = await import('../stores/importable.ts');
  const read = readStoreFile(path, { ...into, check: checkLine });
  const done = await importRecords(read.lines, into.stores, {
    ...into,
    accept: (line) => importable(line, into.now),
  });
  return { ...done, leftOut: { ...read.leftOut, ...done.leftOut } };
}
