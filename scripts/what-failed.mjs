// What of a run of the tests failed, by name: tests, files that failed as a whole (a hook, an import), files that never came to
// their end (a worker that died), and errors that no test caught. From the reports of vitest's JSON reporter and of
// scripts/second-tries.mjs, which writes beside it.

import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The reporters of a run whose end is told by what is below: `[...REPORTERS, '--outputFile', report]`. */
export const REPORTERS = reporters('default');

export function reporters(first) {
  return [first, 'json', './scripts/second-tries.mjs'].flatMap((name) => ['--reporter', name]);
}

/** Where scripts/second-tries.mjs writes what the JSON reporter leaves out. */
export function besides(report) {
  return `${report}.besides`;
}

/** Each as `{ file, name, why }`, with the path from here; `file` is undefined for an error that nobody can place. */
export function whatFailed(report) {
  if (!existsSync(report)) return [];
  const { testResults } = readJson(report);
  const { unended = [], errors = [] } = existsSync(besides(report)) ? readJson(besides(report)) : {};
  const here = (file) => relative(process.cwd(), file);
  const failed = testResults.filter(({ status }) => status === 'failed').flatMap(ofFile);
  const notEnded = unended.map((file) => ({ file: here(file), name: 'did not come to its end', why: '' }));
  const uncaught = errors.map(({ file, message }) => ({
    file: file === undefined ? undefined : here(file),
    name: 'an error that no test caught',
    why: firstLine(message),
  }));
  return [...failed, ...notEnded, ...uncaught];
}

function ofFile({ name, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const tests = assertionResults.filter(({ status }) => status === 'failed');
  if (tests.length === 0) return [{ file, name: 'failed as a whole', why: firstLine(message) }];
  return tests.map(({ fullName, failureMessages = [] }) => ({
    file,
    name: fullName.trim(),
    why: firstLine(failureMessages[0]),
  }));
}

/** The last lines of a run: what failed, since often only the end of an output is seen. */
export function failureLines(failures) {
  return failures.map(
    ({ file, name, why }) => `FAILED  ${file ?? '(no file)'}: ${name}${why === '' ? '' : ` (${why})`}`,
  );
}

/** The titles of tests that did not run; the title has the reason. */
export function skippedTests(report) {
  return allTests(report)
    .filter(({ status }) => ['pending', 'skipped', 'todo'].includes(status))
    .map(({ fullName }) => fullName);
}

/** `isCured`: what failed passed when it ran once more. */
export function countLine(report, isCured) {
  const tests = allTests(report);
  const count = (...wanted) => tests.filter(({ status }) => wanted.includes(status)).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('pending', 'skipped', 'todo')];
  const [good, bad] = isCured ? [passed + failed, 0] : [passed, failed];
  return `${good} passed, ${bad} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function allTests(report) {
  return existsSync(report) ? readJson(report).testResults.flatMap(({ assertionResults }) => assertionResults) : [];
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function firstLine(text) {
  const line = (text ?? '').trim().split('\n')[0];
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
