// The mark of every SQLite file that we make. A file that a person named and that lacks it is never moved or replaced.

import { closeSync, openSync, readSync } from 'node:fs';
import { ForewordError } from '../../kernel/errors.ts';

/** `PRAGMA application_id` of every file we make: bytes 68 to 71 of the header. "fwrd". */
export const APPLICATION_ID = 0x66777264;

/** Whether the header has our mark, also when the rest is damaged. */
export function bearsMark(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const header = Buffer.alloc(72);
    return readSync(descriptor, header, 0, 72, 0) === 72 && header.readUInt32BE(68) === APPLICATION_ID;
  } finally {
    closeSync(descriptor);
  }
}

export function unknownFile(file: string, what: string): ForewordError {
  return new ForewordError('store-damaged', `${file} is not a foreword ${what}. It was not changed.`, {
    hint: 'Choose another path, or move this file away.',
  });
}

const FOREIGN = 'it is a SQLite database of another program';

export function foreign(file: string, what: string): ForewordError {
  return new ForewordError('store-damaged', `${file} cannot be the ${what}: ${FOREIGN}. It was not changed.`, {
    hint: 'Choose another path.',
  });
}

export const isForeign = (error: ForewordError) => error.message.includes(FOREIGN);
