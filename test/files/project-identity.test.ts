// Which roots count as one project, with real repositories. A table: the first column is what a person did.

import { cpSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureProject, projectIdentity } from '../../src/system/files/find-project.ts';
import { rootPlaces } from '../../src/system/files/project-state.ts';
import { readTextFile } from '../../src/system/files/read-text.ts';
import { temporaryFolder } from '../bundle.ts';
import { initialised, isolatedEnvironment, type RealGit, realGit } from '../git/real-git.ts';

let folder = '';
const at = (...parts: string[]) => join(folder, ...parts);
const state = () => at('state');
const idOf = (path: string) => projectIdentity(at(path), state()).id;
const treeOf = (path: string) => projectIdentity(at(path), state()).tree;
const make = (path: string) => ensureProject(at(path), state());
const outside = () => realGit(folder, { ...isolatedEnvironment(folder), GIT_ALLOW_PROTOCOL: 'file' });

let made = 0;

/** A repository with one commit of its own. */
function repository(path: string): RealGit {
  const git = initialised(at(path));
  made += 1;
  git.write('number.txt', String(made));
  git.commit(`begin ${path}`);
  return git;
}

beforeEach(() => {
  folder = realpathSync(temporaryFolder('identity'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Case = readonly [what: string, to: string, act: () => unknown, begin?: () => unknown];

/** What is done after a project was made at `one`, and where it is looked for. */
const SAME: readonly Case[] = [
  ['it is looked at again', 'one', () => undefined],
  ['the repository is moved', 'two', () => renameSync(at('one'), at('two'))],
  ['a folder above it is renamed', 'up/one', () => [mkdirSync(at('up')), renameSync(at('one'), at('up/one'))]],
  ['it is entered by a link', 'link', () => symlinkSync(at('one'), at('link'))],
  [
    'it is cloned again at the same path',
    'one',
    () => [outside().run('clone', '-q', 'one', 'kept'), again('one'), outside().run('clone', '-q', 'kept', 'one')],
  ],
  ['a linked worktree is added', 'tree', () => realGit(at('one')).run('worktree', 'add', '-q', '../tree')],
  [
    'a linked worktree is added and the repository is moved',
    'two',
    () => [realGit(at('one')).run('worktree', 'add', '-q', '../tree'), renameSync(at('one'), at('two'))],
  ],
  ['a folder without git is looked at again', 'one', () => undefined, () => mkdirSync(at('one'))],
  ['a folder without git becomes a repository', 'one', () => initialised(at('one')), () => mkdirSync(at('one'))],
  ['a branch without a commit gets its first', 'one', () => realGit(at('one')).commit(), () => initialised(at('one'))],
];

/** What is another project than the one made at `one`. */
const OTHER: readonly Case[] = [
  ['a second repository has the same name', 'other/one', () => repository('other/one')],
  ['it is cloned', 'two', () => outside().run('clone', '-q', 'one', 'two')],
  [
    'the clone is cloned',
    'three',
    () => [outside().run('clone', '-q', 'one', 'two'), outside().run('clone', '-q', 'two', 'three')],
  ],
  ['it is copied', 'two', () => cpSync(at('one'), at('two'), { recursive: true })],
  ['another repository is put at its path', 'one', () => [again('one'), repository('one')]],
  [
    'it is removed and another one begins at its path, with the same inode perhaps',
    'one',
    () => [rmSync(at('one'), { recursive: true }), repository('one')],
  ],
  [
    'a shallow clone is put at its path',
    'one',
    () => [
      realGit(at('one')).commit('second'),
      renameSync(at('one'), at('kept')),
      outside().run('clone', '-q', '--depth=1', `file://${at('kept')}`, 'one'),
      rmSync(at('kept'), { recursive: true }),
    ],
  ],
  ['its git directory is removed', 'one', () => rmSync(at('one/.git'), { recursive: true })],
  [
    'a folder below it is a project of its own',
    'one/packages/a',
    () => mkdirSync(at('one/packages/a'), { recursive: true }),
  ],
  [
    'it gets a submodule',
    'one/sub',
    () => [
      repository('library'),
      realGit(at('one')).run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', at('library'), 'sub'),
    ],
  ],
  ['it is mirrored into a bare repository', 'bare', () => outside().run('clone', '-q', '--bare', 'one', 'bare')],
  ['a folder without git is moved', 'two', () => renameSync(at('one'), at('two')), () => mkdirSync(at('one'))],
  [
    'a folder without git is made again',
    'one',
    () => [renameSync(at('one'), at('kept')), mkdirSync(at('one'))],
    () => mkdirSync(at('one')),
  ],
  ['a .git file elsewhere names its git directory', 'evil', () => hostile(`gitdir: ${at('one/.git')}`)],
  [
    'a .git link elsewhere leads to its git directory',
    'evil',
    () => [mkdirSync(at('evil')), symlinkSync(at('one/.git'), at('evil/.git'))],
  ],
  [
    'a git directory elsewhere names its objects and refs as its own (commondir)',
    'evil',
    () => [repository('evil'), writeFileSync(at('evil/.git/commondir'), at('one/.git'))],
  ],
  [
    'a folder elsewhere says that it is one of its worktrees',
    'evil',
    () => {
      hostile(`gitdir: ${at('evil/worktrees/x')}`);
      mkdirSync(at('evil/worktrees/x'), { recursive: true });
      writeFileSync(at('evil/worktrees/x/gitdir'), `${at('evil/.git')}\n`);
      writeFileSync(at('evil/worktrees/x/commondir'), `${at('one/.git')}\n`);
      writeFileSync(at('evil/worktrees/x/HEAD'), 'ref: refs/heads/main\n');
    },
  ],
];

/** Removes what is at the path, so that the system cannot give the same inode again. */
function again(path: string): void {
  renameSync(at(path), at(`${path}-before`));
}

function hostile(text: string): void {
  mkdirSync(at('evil'));
  writeFileSync(at('evil/.git'), `${text}\n`);
}

const named = ([what, to, act, begin = () => repository('one')]: Case) => ({ what, to, act, begin });

describe('the state of a project is found again when', () => {
  test.each(SAME.map(named))('$what', ({ to, act, begin }) => {
    begin();
    const id = make('one');
    act();
    expect(idOf(to)).toBe(id);
    expect(make(to)).toBe(id);
    expect(readTextFile(rootPlaces(state(), realpathSync(at(to))).id)).toMatchObject({ text: `${id}\n` });
  });
});

describe('the state of a project is not used when', () => {
  test.each(OTHER.map(named))('$what', ({ to, act, begin }) => {
    begin();
    const id = make('one');
    act();
    expect(idOf(to)).toBeUndefined();
    const other = make(to);
    expect(other).not.toBe(id);
    expect(make(to)).toBe(other);
  });
});

test('a submodule and a sub-project keep their own state when all of it is moved', () => {
  repository('library');
  const git = repository('one');
  git.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', at('library'), 'sub');
  mkdirSync(at('one/packages/a'), { recursive: true });
  const [one, sub, a] = ['one', 'one/sub', 'one/packages/a'].map(make);
  expect(new Set([one, sub, a]).size).toBe(3);
  renameSync(at('one'), at('two'));
  expect(['two', 'two/sub', 'two/packages/a'].map(idOf)).toEqual([one, sub, a]);
});

test('worktrees of a bare repository are one project with a tree each', () => {
  repository('one');
  outside().run('clone', '-q', '--bare', 'one', 'bare');
  const bare = realGit(at('bare'));
  bare.run('worktree', 'add', '-q', '../main', 'main');
  bare.run('worktree', 'add', '-q', '-b', 'second', '../second');
  expect(make('main')).toBe(make('second'));
  expect([treeOf('main'), treeOf('second'), treeOf('one')]).toEqual(['main~', 'second', 'main']);
});

test('a git directory kept elsewhere counts once it names the folder', () => {
  outside().run('init', '-q', '--separate-git-dir', at('kept'), 'one');
  const { doubt } = projectIdentity(at('one'), state());
  expect(doubt).toBe(`${at('one/.git')} names ${at('kept')}, which does not name it back`);
  realGit(at('one')).run('config', 'core.worktree', at('one'));
  expect(projectIdentity(at('one'), state()).doubt).toBeUndefined();
});

test('what a program configured in the repository would do is not done', () => {
  const git = repository('one');
  git.write('evil.sh', `#!/bin/sh\ntouch ${at('ran')}\n`);
  git.run('config', 'core.fsmonitor', './evil.sh');
  git.run('config', 'core.pager', './evil.sh');
  make('one');
  expect(readTextFile(at('ran')).kind).toBe('absent');
});
