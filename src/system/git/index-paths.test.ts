import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { indexPaths } from './index-paths.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-index-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'latin1' });
const listed = () =>
  git('ls-files', '-z')
    .split('\0')
    .filter((path) => path !== '');
const index = () => join(folder, '.git/index');

function write(path: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), path);
}

/** Every length of padding, a name that is not ASCII, and one longer than its field in the flags. */
function writeMany(): void {
  for (let length = 1; length <= 20; length += 1) write('x'.repeat(length));
  for (const path of ['a/b/c', 'é/ü 😀', 'line\nend', Array(60).fill('y'.repeat(75)).join('/').slice(0, 3000)])
    write(path);
}

test.each(['sha1', 'sha256'] as const)('lists what git lists, with %s', (format) => {
  git('init', '--quiet', `--object-format=${format}`);
  writeMany();
  git('add', '--all');
  expect(listed()).toHaveLength(24);
  expect(indexPaths(index(), format)).toEqual(listed());
  // With notes behind the entries, and with a flag that needs the third version.
  git('write-tree');
  write('later');
  git('add', '--intent-to-add', 'later');
  expect(indexPaths(index(), format)).toEqual(listed());
});

test('leaves an index that lists only a part, or in another form, to git', () => {
  git('init', '--quiet');
  writeMany();
  git('add', '--all');
  git('update-index', '--index-version=4');
  expect(indexPaths(index(), 'sha1')).toBeUndefined();
  git('update-index', '--index-version=2');
  expect(indexPaths(index(), 'sha1')).toEqual(listed());
  git('update-index', '--split-index');
  write('one-more');
  git('add', '--all');
  expect(indexPaths(index(), 'sha1')).toBeUndefined();
});

test('leaves a file that is cut off or something else to git', () => {
  git('init', '--quiet');
  writeMany();
  git('add', '--all');
  writeFileSync(join(folder, 'half'), Buffer.alloc(100, 'DIRC'));
  expect(indexPaths(join(folder, 'half'), 'sha1')).toBeUndefined();
  writeFileSync(join(folder, 'empty'), '');
  expect(indexPaths(join(folder, 'empty'), 'sha1')).toBeUndefined();
  expect(indexPaths(join(folder, 'absent'), 'sha1')).toEqual([]);
});
