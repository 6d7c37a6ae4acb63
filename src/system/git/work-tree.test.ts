import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WorkTree } from './work-tree.ts';

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-work-tree-')));
  root = join(folder, 'project');
  mkdirSync(join(root, 'src/deep'), { recursive: true });
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'outside/file'), 'private');
  writeFileSync(join(root, 'src/deep/file'), 'text');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const look = (path: string) => new WorkTree(root).look(path).kind;
const read = (path: string, limit = 100) => new WorkTree(root).read(path, limit)?.bytes.toString();

test('a file is looked at and read', () => {
  expect(look('src/deep/file')).toBe('file');
  expect(read('src/deep/file')).toBe('text');
  expect(read('src/deep/file', 3)).toBeUndefined();
  expect([look('src/none'), look('none/none'), look('src/deep/file/none')]).toEqual(['missing', 'missing', 'missing']);
  expect(look('src')).toBe('unreadable');
});

test('no link is followed, at the end or on the way', () => {
  symlinkSync('../outside', join(root, 'folder'));
  symlinkSync('../outside/file', join(root, 'link'));
  symlinkSync('src', join(root, 'inside'));
  for (const path of ['link', 'folder/file', 'inside/deep/file']) {
    expect([path, look(path), read(path)]).toEqual([path, 'link', undefined]);
  }
});

test.each([
  '../outside/file',
  '/etc/passwd',
  'src/../../outside/file',
  './src/deep/file',
  'src//deep/file',
  '.git/config',
  'a/.GIT/x',
  '',
  'src/deep/file\0',
])('the path %j is refused', (path) => {
  expect([look(path), read(path)]).toEqual(['link', undefined]);
});

test('names that only look like those are files', () => {
  for (const name of ['.gitignore', '..x', 'x..', '...', '.github']) {
    writeFileSync(join(root, name), name);
    expect(read(name)).toBe(name);
  }
});

test('a pipe does not block, a hard link is a file of ours', () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect([look('pipe'), read('pipe')]).toEqual(['unreadable', undefined]);
  linkSync(join(root, 'src/deep/file'), join(root, 'hard'));
  expect(read('hard')).toBe('text');
});

test('a folder that became a link after it was looked at lets nothing in', () => {
  const tree = new WorkTree(root);
  expect(tree.look('src/deep/file').kind).toBe('file');
  rmSync(join(root, 'src/deep'), { recursive: true });
  symlinkSync('../../outside', join(root, 'src/deep'));
  expect(tree.read('src/deep/file', 100)).toBeUndefined();
});
