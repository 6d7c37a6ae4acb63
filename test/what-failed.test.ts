// The end of a run names everything that failed, also what is no test: run with the real test runner.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { runStepsTwice, runTogether } from '../scripts/run-steps.mjs';
import { countLine, failureLines, REPORTERS, skippedTests, whatFailed } from '../scripts/what-failed.mjs';
import { temporaryFolder } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const FILES = {
  bad: `test('fails', () => { throw new Error('wrong\\nsecond line'); });
    test('passes too early', async () => { Promise.reject(new Error('nobody caught me')); await new Promise((done) => setTimeout(done, 20)); });
    test.skip('waits', () => {});`,
  hook: `beforeAll(() => { throw new Error('no server'); }); test('never runs', () => {});`,
  broken: `import './is-not-there.ts';`,
  dies: `test('is gone', () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); });`,
};
let folder: string;
let report: string;
beforeAll(() => {
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'node_modules/.cache/what-failed-'));
  report = join(folder, 'report.json');
  for (const [name, text] of Object.entries(FILES))
    writeFileSync(join(folder, `${name}.test.ts`), `import { beforeAll, test } from 'vitest';\n${text}\n`);
  const config = { test: { include: [`${folder}/*.test.ts`], exclude: [], pool: 'forks', maxWorkers: 1 } };
  writeFileSync(join(folder, 'config.mjs'), `export default ${JSON.stringify(config)};\n`);
  const args = ['run', '--config', join(folder, 'config.mjs'), '--root', ROOT, ...REPORTERS, '--outputFile', report];
  spawnSync('node_modules/.bin/vitest', args, { cwd: ROOT, stdio: 'ignore' });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('failed tests, failed hooks, files that cannot be loaded, lost workers and uncaught errors are all named', () => {
  const here = (name: string) => relative(process.cwd(), join(folder, `${name}.test.ts`));
  const lines = failureLines(whatFailed(report));
  expect(lines).toContain(`FAILED  ${here('bad')}: fails (Error: wrong)`);
  expect(lines).toContain(`FAILED  ${here('hook')}: failed as a whole (no server)`);
  expect(lines.filter((line) => line.startsWith(`FAILED  ${here('broken')}: failed as a whole (`))).toHaveLength(1);
  expect(lines).toContain(`FAILED  ${here('bad')}: an error that no test caught (nobody caught me)`);
  expect(lines.filter((line) => line.startsWith(`FAILED  ${here('dies')}: `)).length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes('(no file)'))).toEqual([]);
  expect(skippedTests(report)).toContain('waits');
  expect(countLine(report, false)).toMatch(/^1 passed, 1 failed, \d skipped$/);
});

test('a step that fails has a second try where a landing depends on it, and only there', async () => {
  const place = temporaryFolder('steps');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(place, { recursive: true });
  });
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const failsOnce = ['a step', 'sh', ['-c', `test -e ${place}/b || { touch ${place}/b; exit 3; }`]];
  const failsAlways = ['another', 'sh', ['-c', 'exit 4']];
  vi.stubEnv('FOREWORD_TEST_SECOND_TRY', '');
  expect(runStepsTwice([failsOnce, failsAlways])).toEqual({ status: 3, failed: 'a step' });
  rmSync(join(place, 'b'));
  expect(await runTogether([failsOnce, failsAlways])).toEqual({ status: 3, failed: 'a step' });
  rmSync(join(place, 'b'));
  vi.stubEnv('FOREWORD_TEST_SECOND_TRY', '1');
  expect(await runTogether([failsOnce, failsAlways])).toEqual({ status: 4, failed: 'another' });
  rmSync(join(place, 'b'));
  expect(runStepsTwice([failsOnce, failsAlways])).toEqual({ status: 4, failed: 'another' });
  expect(said.mock.calls.filter(([line]) => line === 'passed at the second try: the step "a step"')).toHaveLength(2);
});
