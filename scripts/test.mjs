// `npm test`: builds, gets what the tests need from the system's package manager, runs every test and every example,
// and closes with one line that counts them. `--long` runs the full counts that the promises name.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onceMoreAlone } from './once-more-alone.mjs';
import { runSteps, runStepsTwice, runTogether } from './run-steps.mjs';
import { needSystemPackages } from './system-packages.mjs';
import { countLine, failureLines, REPORTERS, skippedTests, whatFailed } from './what-failed.mjs';

const isLong = process.argv.includes('--long');
process.chdir(join(import.meta.dirname, '..'));
needSystemPackages(
  {
    git: 'git',
    'redis-server': 'redis-server',
    bwrap: 'bubblewrap',
    tmux: 'tmux',
    busybox: 'busybox',
    chromium: 'chromium',
    zsh: 'zsh',
    fish: 'fish',
  },
  ['bwrap', 'busybox', 'chromium', 'zsh', 'fish'],
);

const folder = mkdtempSync(join(tmpdir(), 'foreword-report-'));
const report = join(folder, 'report.json');
const long = isLong ? { FOREWORD_TEST_LONG: '1' } : {};
const vitest = (name, args) => [name, 'node_modules/.bin/vitest', args, long];
const all = ['run', ...REPORTERS, '--outputFile', report];
let { status, failed } = runStepsTwice([['build', process.execPath, ['scripts/build.mjs']]]);
let again = [];
if (status === 0) {
  status = runSteps([vitest(isLong ? 'all tests, full counts' : 'all tests', all)]);
  failed = status === 0 ? undefined : 'all tests';
  if (status !== 0) again = await onceMoreAlone(report, (args) => runSteps([vitest('once more, alone', args)]));
  if (again.length > 0) status = 0;
}
if (status === 0)
  ({ status, failed } = await runTogether([
    ['examples', process.execPath, ['scripts/run-examples.mjs']],
    ['blocks of the pages, as pasted', process.execPath, ['scripts/paste-blocks.mjs']],
  ]));
closingLines();
rmSync(folder, { recursive: true });
process.exitCode = status;

/** What failed stands at the end, since often only the end is seen. Skipped tests are named with their reason: a test that did
 *  not run proves nothing. */
function closingLines() {
  for (const title of skippedTests(report)) console.log(`skipped: ${title}`);
  if (again.length === 0) for (const line of failureLines(whatFailed(report))) console.log(line);
  if (status !== 0) console.log(`FAILED  the step "${failed}"`);
  console.log(countLine(report, again.length > 0));
}
