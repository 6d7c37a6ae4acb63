import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRoot } from './project.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-root-')));
  mkdirSync(join(folder, 'outer/inner'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(['.foreword', '.context'])('the nearest parent with %s is the root', (mark) => {
  mkdirSync(join(folder, 'outer', mark));
  expect(findRoot(join(folder, 'outer/inner'))).toBe(join(folder, 'outer'));
});

test('a repository is the root, also a linked working tree', () => {
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  expect(findRoot(join(folder, 'outer/inner'))).toBe(folder);
  writeFileSync(join(folder, 'outer/.git'), 'gitdir: elsewhere\n');
  expect(findRoot(join(folder, 'outer/inner'))).toBe(join(folder, 'outer'));
});

test('an empty .git that a sandbox left in a parent makes no project', () => {
  mkdirSync(join(folder, '.git'));
  expect(findRoot(join(folder, 'outer/inner'))).toBe(join(folder, 'outer/inner'));
});
