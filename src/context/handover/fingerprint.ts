// Fingerprint: a verdict's errors without everything that differs between two runs of the same failure. Words and quoted
// names stay: another missing name is another error, that is, progress. Equal fingerprints three times in a row are a
// loop. An empty fingerprint is never part of a loop.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import { oneLine } from '../../kernel/safe-text.ts';

/** Attempts in a row with the same fingerprint that count as a loop. */
const LOOP_LENGTH = 3;
/** Bounds the work: a check may print a line per file of a repository. */
const MAX_ERRORS = 100;
const MAX_ERROR_LENGTH = 400;

/** The errors without paths, numbers, hashes and times, in lower case, each once, sorted: checks that run side by side
 *  report in any order. Whatever is not a list of strings counts as no errors. */
export function fingerprint(errors: readonly string[] | null | undefined): string {
  if (!Array.isArray(errors)) return '';
  const texts = errors.filter((error) => typeof error === 'string').slice(0, MAX_ERRORS);
  const normal = texts.map(normalise).filter((text) => text !== '');
  return [...new Set(normal)].sort().join('\n');
}

/** An attempt without errors breaks the row. One that was cut off was never judged: it breaks no row, and ends none. */
export function detectTaskLoop(
  attempts:
    | readonly (Partial<Pick<AttemptRecord, 'validationErrors' | 'exitReason'>> | null | undefined)[]
    | null
    | undefined,
): boolean {
  if (!Array.isArray(attempts) || attempts.at(-1)?.exitReason === 'interrupted') return false;
  const judged = attempts.filter((attempt) => attempt?.exitReason !== 'interrupted');
  if (judged.length < LOOP_LENGTH) return false;
  const last = judged.slice(-LOOP_LENGTH).map((attempt) => fingerprint(attempt?.validationErrors));
  return last[0] !== '' && last.every((each) => each === last[0]);
}

function normalise(error: string): string {
  const text = oneLine(
    error.length > 4 * MAX_ERROR_LENGTH ? error.slice(0, 4 * MAX_ERROR_LENGTH) : error,
    MAX_ERROR_LENGTH,
  );
  return text
    .toLowerCase()
    .replace(/\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?/g, '<time>')
    .replace(/[^\s"'`()[\]{},;=|]+/g, (word) => (/[/\\]/.test(word) ? '<path>' : word))
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<hash>')
    .replace(/\b[0-9a-f]{7,64}\b/g, (word) => (/\d/.test(word) && /[a-f]/.test(word) ? '<hash>' : word))
    .replace(/(?:0x[0-9a-f]+|\d+(?:[.,:]\d+)*)(?: ?(?:ns|us|ms|s|sec|seconds?|min|minutes?|h|hours?)\b)?/g, '#');
}
