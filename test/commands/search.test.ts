import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword, shop } from '../foreword.ts';

let project = '';

beforeEach(() => {
  project = shop();
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

test('words find the files that speak of them, with a line of each', async () => {
  const { status, stdout } = await foreword(['search', 'total', 'cart'], { cwd: project });
  expect(status).toBe(0);
  expect(stdout.split('\n')[0]).toMatch(/^src\/cart\.js:\d+ {2}/);
});

test('only tracked files are found, and never a secret one', async () => {
  writeFileSync(join(project, 'untracked.js'), 'zebra crossing');
  writeFileSync(join(project, '.env'), 'ZEBRA=zebra');
  execFileSync('git', ['-C', project, 'add', '.env']);
  expect(await foreword(['search', 'zebra'], { cwd: project })).toMatchObject({ status: 1, stdout: '' });
  execFileSync('git', ['-C', project, 'add', 'untracked.js']);
  const { stdout } = await foreword(['search', 'zebra', '--json'], { cwd: project });
  expect(JSON.parse(stdout)).toMatchObject({
    words: ['zebra'],
    hits: [{ path: 'untracked.js', line: 1, snippet: 'zebra crossing' }],
    index: { updated: 1, leftOut: { secret: 1 } },
  });
});

test('nothing to search for, and nothing to search in, are said', async () => {
  expect(await foreword(['search', 'the'], { cwd: project })).toMatchObject({ status: 2 });
  rmSync(join(project, '.git'), { recursive: true });
  const { status, stderr } = await foreword(['search', 'cart'], { cwd: project });
  expect(status).toBe(2);
  expect(stderr).toContain('not in a git repository');
});
