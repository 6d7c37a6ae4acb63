// `npm test`: builds, gets what the tests need from the system's package manager, runs every test and every example,
// and closes with one line that counts them. `--long` runs the full counts that the promises name.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onceMoreAlone } from './once-more-alone.mjs';
import { runSteps } from './run-steps.mjs';
import { needSystemPackages } from './system-packages.mjs';

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
const reporters = ['default', 'json', './scripts/second-tries.mjs'].flatMap((name) => ['--reporter', name]);
const long = isLong ? { FOREWORD_TEST_LONG: '1' } : {};
let status = runSteps([
  ['build', process.execPath, ['scripts/build.mjs']],
  [
    isLong ? 'all tests, full counts' : 'all tests',
    'node_modules/.bin/vitest',
    ['run', ...reporters, '--outputFile', report],
    long,
  ],
]);
const again =
  status === 0
    ? []
    : onceMoreAlone(report, (args) => runSteps([['once more, alone', 'node_modules/.bin/vitest', args, long]]));
if (again.length > 0) status = 0;
status ||= runSteps([
  ['examples', process.execPath, ['scripts/run-examples.mjs']],
  ['blocks of the pages, as pasted', process.execPath, ['scripts/paste-blocks.mjs']],
]);
closingLine();
rmSync(folder, { recursive: true });
process.exitCode = status;

/** Skipped tests are named with their reason: a test that did not run proves nothing. */
function closingLine() {
  if (!existsSync(report)) return;
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const [passed, failed] = [numPassedTests + again.length, numFailedTests - again.length];
  const skipped = testResults
    .flatMap((file) => file.assertionResults)
    .filter((test) => ['pending', 'skipped', 'todo'].includes(test.status));
  for (const test of skipped) console.log(`skipped: ${test.fullName}`);
  console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
}
