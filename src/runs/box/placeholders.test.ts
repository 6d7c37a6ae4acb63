import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdPlaceholders, type Journal, leftPlaceholders, sweepPlaceholders } from './placeholders.ts';

let folder = '';
let dead: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-placeholders-'));
  dead = [];
  mkdirSync(join(folder, 'home/.mine'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const journal = (owner: string): Journal => ({
  folder: join(folder, 'journal'),
  owner,
  isAlive: (one) => !dead.includes(one),
});
const settings = () => ({ path: join(folder, 'home/.mine/settings.json'), isFolder: false });
const hooks = () => ({ path: join(folder, 'home/.mine/deep/hooks'), isFolder: true });
const home = () => readdirSync(join(folder, 'home/.mine'), { recursive: true }).sort();

test('two that hold the same setting: it is there until the second leaves, with the folders made for it', async () => {
  const one = await holdPlaceholders(journal('one'), [settings(), hooks()]);
  const two = await holdPlaceholders(journal('two'), [settings(), hooks()]);
  await one();
  expect(home()).toEqual(['deep', 'deep/hooks', 'settings.json']);
  await two();
  expect(home()).toEqual([]);
});

test('what a dead process left is listed and removed; what a living one holds is neither', async () => {
  await holdPlaceholders(journal('one'), [settings()]);
  await holdPlaceholders(journal('two'), [hooks()]);
  dead = ['one'];
  expect(leftPlaceholders(journal('three'))).toEqual([settings().path]);
  await sweepPlaceholders(journal('three'));
  expect([leftPlaceholders(journal('three')), home()]).toEqual([[], ['deep', 'deep/hooks']]);
});

test('what the person wrote meanwhile stays, and what they had is never touched', async () => {
  const release = await holdPlaceholders(journal('one'), [settings()]);
  writeFileSync(settings().path, '{"mine":true}');
  await release();
  expect(existsSync(settings().path)).toBe(true);
  await (await holdPlaceholders(journal('one'), [settings()]))();
  expect(existsSync(settings().path)).toBe(true);
});

test('a journal that was cut off in the middle removes nothing and is gone', async () => {
  await holdPlaceholders(journal('one'), [settings()]);
  const [file = ''] = readdirSync(join(folder, 'journal')).filter((name) => name.endsWith('.json'));
  writeFileSync(join(folder, 'journal', file), '{"path":');
  dead = ['one'];
  await sweepPlaceholders(journal('two'));
  expect([home(), readdirSync(join(folder, 'journal'))]).toEqual([['settings.json'], []]);
});
