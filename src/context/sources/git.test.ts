import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observeDiffstat, observeGit } from './git.ts';

const ID = '57507e3a2b1c4d5e6f708192a3b4c5d6e7f80912';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-git-source-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function repository(head: string): void {
  for (const folder of ['objects', 'refs']) mkdirSync(join(root, '.git', folder), { recursive: true });
  writeFileSync(join(root, '.git/HEAD'), head);
}

test('a folder in no repository is absent', async () => {
  expect(await observeGit(root)).toEqual({ kind: 'absent' });
  expect(await observeDiffstat(root)).toEqual({ kind: 'absent' });
});

test('without git the first seven characters are the head', async () => {
  repository(ID);
  expect(await observeGit(root, '')).toEqual({ kind: 'found', value: { branch: null, head: '57507e3' }, from: '.git' });
  expect(await observeDiffstat(root, '')).toEqual({
    kind: 'unavailable',
    from: '.git',
    faults: [{ where: root, path: '', message: 'git is not installed outside of it' }],
  });
});

test('before the first commit there is no head', async () => {
  repository('ref: refs/heads/main\n');
  expect(await observeGit(root, '')).toEqual({ kind: 'found', value: { branch: 'main', head: null }, from: '.git' });
});

test('a broken repository is unavailable, with its fault', async () => {
  writeFileSync(join(root, '.git'), 'nonsense');
  const message = 'it is a file without "gitdir: <folder>"';
  const expected = { kind: 'unavailable', from: '.git', faults: [{ where: join(root, '.git'), path: '', message }] };
  expect(await observeGit(root)).toEqual(expected);
  expect(await observeDiffstat(root)).toEqual(expected);
});
