// Where a landing depends on it (FOREWORD_TEST_SECOND_TRY=1, docs/decisions/2026-11-16-a-second-try-for-a-landing.md): the files
// with a failed test run once more when everything else has ended, one after the other. A test that failed because the
// machine was busy passes then; a fault does not. What passed only then is named.

import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** More failed files than this are not bad luck. */
const MOST_FILES = 5;

/** `report`: what vitest's JSON reporter wrote; `run`: starts vitest with these arguments, answers its exit status. Answers the
 *  names of the tests that failed at first, if all of them pass now; else none. */
export function onceMoreAlone(report, run) {
  if (process.env.FOREWORD_TEST_SECOND_TRY !== '1' || !existsSync(report)) return [];
  const files = JSON.parse(readFileSync(report, 'utf8')).testResults.filter(({ status }) => status === 'failed');
  const failed = files.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'));
  // A file that failed as a whole has no failed test, and nothing to count.
  const isWhole = files.some(({ assertionResults }) => assertionResults.every(({ status }) => status !== 'failed'));
  if (failed.length === 0 || isWhole || files.length > MOST_FILES) return [];
  const paths = files.map(({ name }) => relative(process.cwd(), name));
  if (run(['run', '--no-file-parallelism', '--retry', '0', ...paths]) !== 0) return [];
  for (const { fullName } of failed) console.log(`passed when it ran once more, alone: ${fullName}`);
  return failed.map(({ fullName }) => fullName);
}
