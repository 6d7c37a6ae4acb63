// The first records of a transcript: they say whose session it is.

import { closeSync, openSync, readSync } from 'node:fs';

/** Those in the first bytes of the file. Throws errors of the file system. */
export function firstRecords(path: string, bytes: number): readonly unknown[] {
  return beginningOf(path, bytes).split('\n').flatMap(parsed);
}

function beginningOf(path: string, most: number): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(most);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, most, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** What is cut in two is none. */
function parsed(line: string): readonly unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}
