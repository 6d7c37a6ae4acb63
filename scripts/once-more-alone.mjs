// Where a landing depends on it (FOREWORD_TEST_SECOND_TRY=1, docs/decisions/2026-11-18-a-second-try-for-everything-a-landing-needs.md):
// the files in which something failed run once more when everything else has ended, one after the other. What failed because
// the machine was busy passes then; a fault does not. What passed only then is named.

import { whatFailed } from './what-failed.mjs';

export function hasSecondTry() {
  return process.env.FOREWORD_TEST_SECOND_TRY === '1';
}

/** More failed files than this are not bad luck. */
const MOST_FILES = 12;

/** `report`: what vitest's JSON reporter wrote; `run`: starts vitest with these arguments, answers its exit status; `where` stands
 *  before each name. Answers the names of what failed at first, if all of it passes now; else none. */
export async function onceMoreAlone(report, run, where = '') {
  if (!hasSecondTry()) return [];
  const failures = whatFailed(report);
  const files = [...new Set(failures.map(({ file }) => file))];
  // An error that nobody can place cannot be tried again.
  if (files.length === 0 || files.length > MOST_FILES || files.includes(undefined)) return [];
  if ((await run(['run', '--no-file-parallelism', '--retry', '0', ...files])) !== 0) return [];
  const names = failures.map(({ file, name }) => `${where}${file}: ${name}`);
  for (const name of names) console.log(`passed when it ran once more, alone: ${name}`);
  return names;
}
