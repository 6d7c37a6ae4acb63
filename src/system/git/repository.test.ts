import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRepository } from './repository.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-repository-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function gitDirectory(path: string): string {
  for (const part of ['objects', 'refs']) mkdirSync(join(folder, path, part), { recursive: true });
  writeFileSync(join(folder, path, 'HEAD'), 'ref: refs/heads/main\n');
  return join(folder, path);
}

test('the nearest repository above is found, through links too', () => {
  gitDirectory('.git');
  gitDirectory('inner/.git');
  mkdirSync(join(folder, 'inner/a/b'), { recursive: true });
  symlinkSync('inner/a', join(folder, 'link'));
  expect(openRepository(join(folder, 'link/b'), '/bin')).toEqual({
    root: join(folder, 'inner'),
    gitDir: join(folder, 'inner/.git'),
    commonDir: join(folder, 'inner/.git'),
    objectFormat: 'sha1',
    searchPath: '/bin',
  });
  expect(openRepository(folder)?.root).toBe(folder);
  expect(openRepository(join(folder, 'not/there'))?.root).toBe(folder);
});

test('an empty .git folder is passed over, half a repository is a fault', () => {
  gitDirectory('.git');
  mkdirSync(join(folder, 'inner/.git'), { recursive: true });
  expect(openRepository(join(folder, 'inner'))?.root).toBe(folder);
  mkdirSync(join(folder, 'inner/.git/objects'));
  expect(() => openRepository(join(folder, 'inner'))).toThrow('HEAD, ');
});

test('a .git file and a worktree lead to their folders', () => {
  gitDirectory('main/.git');
  writeFileSync(join(folder, 'main/.git/config'), '[extensions]\nobjectFormat = SHA256\n');
  mkdirSync(join(folder, 'main/.git/worktrees/w'), { recursive: true });
  writeFileSync(join(folder, 'main/.git/worktrees/w/HEAD'), 'ref: refs/heads/w\n');
  writeFileSync(join(folder, 'main/.git/worktrees/w/commondir'), '../..\n');
  mkdirSync(join(folder, 'tree'));
  writeFileSync(join(folder, 'tree/.git'), 'gitdir: ../main/.git/worktrees/w\n');
  expect(openRepository(join(folder, 'tree'))).toMatchObject({
    root: join(folder, 'tree'),
    gitDir: join(folder, 'main/.git/worktrees/w'),
    commonDir: join(folder, 'main/.git'),
    objectFormat: 'sha256',
  });
});

test.each([
  ['nonsense', 'without "gitdir: <folder>"'],
  ['gitdir: nowhere\n', 'which is not a folder'],
  ['gitdir: empty\n', 'is not a git directory'],
])('a .git file with %j is a fault', (content, message) => {
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, '.git'), content);
  expect(() => openRepository(folder)).toThrow(message);
});

test('a folder in no repository has none', () => {
  expect(openRepository('/')).toBeUndefined();
});
