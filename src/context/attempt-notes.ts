// Notes that an agent of a run saves in its box (`foreword save`): a file in the folder of its attempt, which the run takes over when the
// attempt has ended. The agent can write there too, so that what is read is checked as any other input, and bounded.

import { join } from 'node:path';
import type { ContinuityInput } from '../config/schemas/continuity.ts';
import { isForewordError } from '../kernel/errors.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { checkContinuity, isEmpty } from './continuity.ts';

const fileIn = (folder: string): string => join(folder, 'notes.jsonl');

/** More than an agent has to say in one attempt; the newest are kept. */
const MOST_NOTES = 10;

/** `folder` is what FOREWORD_STATE names. Throws errors of the file system. */
export function saveInAttempt(folder: string, notes: ContinuityInput): void {
  const all = [...linesIn(folder).slice(1 - MOST_NOTES), JSON.stringify(notes)];
  replaceFile(fileIn(folder), `${all.join('\n')}\n`, { mode: 0o600, isSynced: false });
}

/** Never throws: what cannot be read is left out, and a file that is larger than 5 MiB has nothing. */
export function savedInAttempt(folder: string): readonly ContinuityInput[] {
  return linesIn(folder).slice(-MOST_NOTES).flatMap(notesIn);
}

function linesIn(folder: string): readonly string[] {
  const read = readTextFile(fileIn(folder), folder);
  return read.kind === 'text' ? read.text.split('\n').filter(Boolean) : [];
}

function notesIn(line: string): readonly ContinuityInput[] {
  try {
    const given: unknown = JSON.parse(line);
    const notes = checkContinuity(given as ContinuityInput, 'the notes');
    return isEmpty(notes) ? [] : [notes];
  } catch (error) {
    // Not JSON, another shape, or too long.
    if (error instanceof SyntaxError || error instanceof TypeError || isForewordError(error)) return [];
    throw error;
  }
}
