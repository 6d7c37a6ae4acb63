import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexPaths, isAsIndexed } from './read-index.ts';

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

describe('a folder', () => {
  const PAST = 1_600_000_000;
  beforeEach(() => {
    git('init', '--quiet');
    for (const path of ['plain', 'run', 'empty', 'in/side']) write(path);
    writeFileSync(join(folder, 'empty'), '');
    chmodSync(join(folder, 'run'), 0o755);
    symlinkSync('plain', join(folder, 'link'));
    for (const path of ['plain', 'run', 'empty', 'in/side']) utimesSync(join(folder, path), PAST, PAST);
    lutimesSync(join(folder, 'link'), PAST, PAST);
    git('add', '--all');
  });
  const isSame = () => isAsIndexed(folder, index(), 'sha1');

  test('is as its index says after git has read it', () => {
    expect(isSame()).toBe(true);
  });

  test.each<[string, () => void]>([
    ['a file has other content of the same length and time', () => change('plain', 'PLAIN')],
    ['a file is gone', () => rmSync(join(folder, 'in/side'))],
    ['a file can be run', () => chmodSync(join(folder, 'plain'), 0o755)],
    ['a file cannot be run', () => chmodSync(join(folder, 'run'), 0o644)],
    ['an empty file has content', () => change('empty', 'x')],
    ['a link leads elsewhere', () => exchange('link', (path) => symlinkSync('other', path))],
    ['a link is a file', () => exchange('link', (path) => writeFileSync(path, 'plain'))],
    ['a file is a folder', () => exchange('plain', (path) => mkdirSync(path))],
    ['a file is young', () => utimesSync(join(folder, 'plain'), 4_000_000_000, 4_000_000_000)],
    ['git is told not to look', () => void git('update-index', '--assume-unchanged', 'plain')],
    ['git is told to skip a file', () => void git('update-index', '--skip-worktree', 'plain')],
    [
      'there is a submodule',
      () => void git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},submodule`),
    ],
  ])('is another one when %s', (_, deed) => {
    deed();
    expect(isSame()).toBe(false);
  });

  test('is not certain when a file is as young as its index', () => {
    write('young');
    git('add', '--all');
    // As if git had been faster than the clock of the disk.
    const { atime, mtime } = lstatSync(join(folder, 'young'));
    utimesSync(index(), atime, mtime);
    expect(isSame()).toBe(false);
  });

  function change(path: string, text: string): void {
    writeFileSync(join(folder, path), text);
    utimesSync(join(folder, path), PAST, PAST);
  }

  function exchange(path: string, make: (path: string) => void): void {
    rmSync(join(folder, path));
    make(join(folder, path));
  }
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
