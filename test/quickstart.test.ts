// The README's first command: it must work with nothing installed, and show what it is for.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from './bundle.ts';

const home = temporaryFolder('quickstart-home');

afterAll(() => rmSync(home, { recursive: true }));

test('the quickstart shows switch, retry, helper, diff and merge, with no key and no agent', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '../examples/quickstart/run.mjs')],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home },
    },
  );
  expect([status, stderr]).toEqual([0, expect.stringContaining('$ git merge --no-edit foreword/tasks-')]);
  for (const part of [
    'api_health: switch from swift to steady (rate_limit)',
    'Previous provider (swift) failed: rate_limit_exceeded',
    'api_health: validation failed',
    'api_health: validation passed',
    '3 task(s): 3 completed.',
    '+  return Math.floor((total * (100 - discount)) / 100);',
    'shop: Add a health endpoint',
    ' M package.json\n\nOne task without a file.',
    'checker proposed 1 check command(s)',
  ]) {
    expect(stdout).toContain(part);
  }
});
