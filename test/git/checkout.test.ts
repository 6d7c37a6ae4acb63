import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkOut } from '../../src/system/git/checkout.ts';
import { openRepository } from '../../src/system/git/repository.ts';
import { temporaryFolder } from '../bundle.ts';
import { GIT_PATH, initialised, type RealGit } from './real-git.ts';

let folder = '';
let git: RealGit;

beforeEach(() => {
  folder = temporaryFolder('checkout');
  git = initialised(join(folder, 'repo'));
  git.write('a.txt', 'one\n');
  git.write('folder/b.txt', 'two\n');
  git.write('other/c.bin', 'three\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function checkedOut(home = ''): Promise<{ readonly filtered: readonly string[]; read(path: string): string }> {
  const path = join(folder, 'tree');
  git.run('worktree', 'add', '-q', '--no-checkout', '--detach', path);
  const from = openRepository(git.root, GIT_PATH) ?? expect.fail();
  const made = openRepository(path, GIT_PATH) ?? expect.fail();
  const commit = git.run('rev-parse', 'HEAD').trim();
  const filtered = await checkOut(made, { commit, from, env: { HOME: home } });
  return { filtered, read: (name) => readFileSync(join(path, name), 'utf8') };
}

const inTree = (...args: string[]) => git.run('-C', join(folder, 'tree'), ...args);

test('the worktree has the files of the commit, and git finds nothing changed', async () => {
  git.commit();
  const { filtered, read } = await checkedOut();
  expect(filtered).toEqual([]);
  expect(['a.txt', 'folder/b.txt', 'other/c.bin'].map(read)).toEqual(['one\n', 'two\n', 'three\n']);
  expect(inTree('status', '--porcelain')).toBe('');
});

test('files behind a filter are as the repository stores them, and are named', async () => {
  git.write('.gitattributes', '*.txt filter=lfs\nfolder/*.txt !filter\n');
  git.commit();
  const ran = join(folder, 'ran');
  git.run('config', 'filter.lfs.smudge', `touch ${ran}; cat`);
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'home/.gitconfig'), `[filter "lfs"]\n\tsmudge = touch ${ran}; cat\n`);
  const { filtered, read } = await checkedOut(join(folder, 'home'));
  expect(filtered).toEqual(['a.txt']);
  expect(read('a.txt')).toBe('one\n');
  expect(readdirSync(folder)).not.toContain('ran');
});

test("line ends are those of the person's own configuration", async () => {
  git.commit();
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'home/.gitconfig'), '[core]\n\tautocrlf = true\n\thooksPath = /evil\n');
  expect((await checkedOut(join(folder, 'home'))).read('a.txt')).toBe('one\r\n');
});

test('what a sparse checkout leaves out is left out', async () => {
  git.commit();
  git.run('sparse-checkout', 'set', '--cone', 'folder');
  const { read } = await checkedOut();
  expect(read('folder/b.txt')).toBe('two\n');
  expect(readdirSync(join(folder, 'tree')).toSorted()).toEqual(['.git', 'a.txt', 'folder']);
});
