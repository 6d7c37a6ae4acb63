import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initialised, type RealGit, realGit } from '../../../test/git/real-git.ts';
import { foreignDirectory } from './own-directory.ts';
import { openRepository } from './repository.ts';

let folder: string;
let git: RealGit;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-own-git-')));
  git = initialised(join(folder, 'mine'));
  git.write('a.txt', 'a\n');
  git.commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

const foreignAt = (path: string) => foreignDirectory(openRepository(join(folder, path))!);

describe('git may write to the directory of', () => {
  test('a plain repository', () => expect(foreignAt('mine')).toBeUndefined());

  test('a linked worktree, and of one of a bare repository', () => {
    git.run('worktree', 'add', '--quiet', '--detach', '../linked');
    expect(foreignAt('linked')).toBeUndefined();
    realGit(folder).run('clone', '--quiet', '--bare', 'mine', 'bare.git');
    realGit(join(folder, 'bare.git')).run('worktree', 'add', '--quiet', '--detach', '../of-bare');
    expect(foreignAt('of-bare')).toBeUndefined();
  });

  test('a submodule', () => {
    const outer = initialised(join(folder, 'outer'));
    outer.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', git.root, 'part');
    expect(foreignAt('outer/part')).toBeUndefined();
  });
});

describe('git may not write to the directory of another repository, named by', () => {
  beforeEach(() => mkdirSync(join(folder, 'clone')));

  test('a file', () => {
    writeFileSync(join(folder, 'clone/.git'), 'gitdir: ../mine/.git\n');
    expect(foreignAt('clone')).toBe(join(folder, 'mine/.git'));
  });

  test('a file that names one of its worktrees', () => {
    git.run('worktree', 'add', '--quiet', '--detach', '../linked');
    writeFileSync(join(folder, 'clone/.git'), 'gitdir: ../mine/.git/worktrees/linked\n');
    expect(foreignAt('clone')).toBe(join(folder, 'mine/.git/worktrees/linked'));
  });

  test('a directory that pretends to be one of its worktrees', () => {
    mkdirSync(join(folder, 'clone/own'));
    writeFileSync(join(folder, 'clone/.git'), 'gitdir: own\n');
    writeFileSync(join(folder, 'clone/own/commondir'), '../../mine/.git\n');
    writeFileSync(join(folder, 'clone/own/gitdir'), join(folder, 'clone/.git\n'));
    writeFileSync(join(folder, 'clone/own/HEAD'), 'ref: refs/heads/main\n');
    expect(foreignAt('clone')).toBe(join(folder, 'clone/own'));
    rmSync(join(folder, 'clone/.git'));
    for (const name of ['objects', 'refs']) mkdirSync(join(folder, 'clone/own', name));
    renameSync(join(folder, 'clone/own'), join(folder, 'clone/.git'));
    expect(foreignAt('clone')).toBe(join(folder, 'clone/.git'));
  });

  test('a link', () => {
    symlinkSync('../mine/.git', join(folder, 'clone/.git'));
    expect(foreignAt('clone')).toBe(join(folder, 'clone/.git'));
  });
});

test('a link in place of the folder of worktrees is found', () => {
  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync('../../elsewhere', join(git.root, '.git/worktrees'));
  expect(foreignAt('mine')).toBe(join(git.root, '.git/worktrees'));
});
