import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHead } from './head.ts';
import { openRepository } from './repository.ts';

const ID = '57507e3a2b1c4d5e6f708192a3b4c5d6e7f80912';
const OTHER = 'a'.repeat(40);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-head-'));
  for (const folder of ['objects', 'refs/heads']) mkdirSync(join(root, '.git', folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, '.git', path)), { recursive: true });
  writeFileSync(join(root, '.git', path), content);
}

const head = () => readHead(openRepository(root)!);

test('a branch name that git would refuse is taken as it stands', async () => {
  put('HEAD', 'ref: refs/heads/feat: x #y\n');
  put('refs/heads/feat: x #y', `${ID}\n`);
  expect(await head()).toEqual({ branch: 'feat: x #y', commit: ID });
});

test('a name is bytes: one that is no UTF-8 is found and shown with a replacement', async () => {
  put('HEAD', Buffer.from('ref: refs/heads/caf\xe9\n', 'latin1'));
  put(
    'packed-refs',
    Buffer.from(`# pack-refs with: peeled\n${OTHER} refs/heads/caf\n${ID} refs/heads/caf\xe9\n`, 'latin1'),
  );
  expect(await head()).toEqual({ branch: 'caf\uFFFD', commit: ID });
});

test('a loose ref outranks a packed one, and a longer name is another branch', async () => {
  put('HEAD', 'ref:\trefs/heads/main  \n');
  put('packed-refs', `${OTHER} refs/heads/main-2\n^${OTHER}\n${OTHER} refs/heads/main\n`);
  expect(await head()).toEqual({ branch: 'main', commit: OTHER });
  put('refs/heads/main', ID.toUpperCase());
  expect(await head()).toEqual({ branch: 'main', commit: ID });
});

test('a folder in the place of the ref is no ref', async () => {
  put('HEAD', 'ref: refs/heads/a');
  put('refs/heads/a/b', ID);
  expect(await head()).toEqual({ branch: 'a', commit: null });
});

test('a name never leads out of the git directory', async () => {
  writeFileSync(join(root, 'outside'), ID);
  for (const name of ['refs/heads/../../../outside', '../outside', join(root, 'outside'), 'refs/../../outside']) {
    put('HEAD', `ref: ${name}\n`);
    expect((await head()).commit).toBeNull();
  }
});

test('a ref outside refs/heads is named in full', async () => {
  put('HEAD', 'ref: refs/remotes/origin/main\n');
  put('refs/remotes/origin/main', ID);
  expect(await head()).toEqual({ branch: 'refs/remotes/origin/main', commit: ID });
});

test('a circle of refs, nonsense and an empty file are faults of the repository', async () => {
  put('HEAD', 'ref: refs/heads/a\n');
  put('refs/heads/a', 'ref: refs/heads/a\n');
  await expect(head()).rejects.toThrow('more than 5 refs that name refs');
  put('refs/heads/a', 'nonsense');
  await expect(head()).rejects.toThrow('does not hold the id of a commit');
  for (const content of ['', 'nonsense', 'ref:', `${ID}0`]) {
    put('HEAD', content);
    await expect(head()).rejects.toThrow('neither "ref: <name>" nor the id of a commit');
  }
});

test('a pipe, a device or a huge file in the place of HEAD is refused at once', async () => {
  rmSync(join(root, '.git/HEAD'), { force: true });
  execFileSync('mkfifo', [join(root, '.git/HEAD')]);
  await expect(head()).rejects.toThrow('not a regular file');
  rmSync(join(root, '.git/HEAD'));
  symlinkSync('/dev/zero', join(root, '.git/HEAD'));
  await expect(head()).rejects.toThrow('not a regular file');
  rmSync(join(root, '.git/HEAD'));
  put('HEAD', 'x'.repeat(100_000));
  await expect(head()).rejects.toThrow('the limit is 65536');
});
