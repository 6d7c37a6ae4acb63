import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CodeSearch } from '../kernel/search.ts';
import { searchExistingIndex } from './existing-index.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-index-')));
});
afterEach(() => rmSync(root, { recursive: true }));

const SEARCH: CodeSearch = {
  refresh: async () => expect.fail('brought up to date'),
  find: async () => [{ path: 'a.ts', line: 1, snippet: 'a' }],
  close: () => undefined,
};
const search = (maxHits = 3) => searchExistingIndex({ root, state, maxHits, path: '/bin' }, async () => SEARCH);
const file = () => join(root, 'search.db');
const state = { toLook: () => ({ index: file() }) };

test('nothing is searched without an index, or when no hit is wanted', () => {
  expect(search()).toBeUndefined();
  writeFileSync(file(), '');
  expect(search(0)).toBeUndefined();
});

test('a state folder that cannot be used leaves the search out', () => {
  const state = { toLook: () => expect.fail('not private') };
  expect(searchExistingIndex({ root, state, maxHits: 3, path: '/bin' }, async () => SEARCH)).toBeUndefined();
});

test('outside a repository there is no search', async () => {
  writeFileSync(file(), '');
  expect(await search()?.()).toBeUndefined();
});

test('an index is searched as it is, and never brought up to date', async () => {
  writeFileSync(file(), '');
  for (const name of ['objects', 'refs']) mkdirSync(join(root, '.git', name), { recursive: true });
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(root, '.git/config'), '');
  const found = await search()?.();
  expect(await found?.refresh()).toEqual({ files: 0, updated: 0, removed: 0, read: 0, leftOut: {} });
  expect(await found?.find(['a'], 3)).toHaveLength(1);
});
