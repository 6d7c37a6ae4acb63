// Checkouts of every kind of repository, made and reset.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCheckouts, removeCheckout, resetCheckout } from '../../src/runs/checkouts/index.ts';
import { temporaryFolder } from '../bundle.ts';
import { initialised, realGit } from '../git/real-git.ts';
import { longTest } from '../long.ts';
import { checkedOut, everything, type Field, makeField, unbornTarget } from './field.ts';

let folder: string;
let field: Field;
beforeEach(() => {
  folder = temporaryFolder('checkout');
  field = makeField(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tree = () => field.places.checkout(1).tree;
const files = () => everything(tree(), /^\.git$/);
const reset = async (commit?: string) => {
  const source = await field.open();
  return resetCheckout(source, field.places.checkout(1), await field.target(source, commit));
};

describe('a new checkout', () => {
  test('has the files of the commit, and the person’s repository is as before', async () => {
    field.person.write('src/a.ts', 'a\n');
    field.person.write('tool.sh', '#!/bin/sh\n');
    chmodSync(join(field.person.root, 'tool.sh'), 0o755);
    symlinkSync('src/a.ts', join(field.person.root, 'link'));
    writeFileSync(Buffer.concat([Buffer.from(`${field.person.root}/odd `), Buffer.from([0xff, 0xfe])]), 'odd\n');
    field.person.write('with\nline feed', 'x\n');
    field.person.commit();
    field.person.write('uncommitted.txt', 'mine\n');
    const before = everything(field.person.root);
    const { result } = await checkedOut(field);
    expect(result).toEqual({ leftOut: [], restored: {} });
    const { 'uncommitted.txt': mine, ...committed } = everything(field.person.root, /^\.git$/);
    expect(mine).toBeDefined();
    expect(files()).toEqual(committed);
    expect(everything(field.person.root)).toEqual(before);
  });

  test('is a repository of its own for the agent: clean, on the branch, with history and without remotes', async () => {
    field.person.write('a', 'one\n');
    field.person.commit('first');
    field.person.write('a', 'two\n');
    field.person.commit('second');
    field.person.run('config', 'user.name', 'Ada');
    field.person.run('config', 'user.email', 'ada@example.invalid');
    field.person.run('config', 'remote.origin.url', 'https://example.invalid/x');
    field.person.run('config', 'alias.evil', '!true');
    await checkedOut(field);
    const agent = field.agent();
    expect(agent.run('status', '--porcelain', '--branch')).toBe('## foreword/r1');
    expect(agent.run('log', '--format=%s')).toBe('second\nfirst');
    expect(agent.run('remote')).toBe('');
    expect(readFileSync(join(tree(), '.git/config'), 'utf8')).not.toContain('evil');
    expect(existsSync(join(tree(), '.git/hooks'))).toBe(false);
    field.write('b', 'new\n');
    agent.run('add', '--all');
    agent.run('commit', '--quiet', '--message', 'mine');
    expect(agent.run('log', '-1', '--format=%an <%ae>')).toBe('Ada <ada@example.invalid>');
    expect(field.person.run('log', '--all', '--format=%s')).toBe('second\nfirst');
  });

  test('of a repository without a name for commits has one that works', async () => {
    field.person.write('a', 'one\n');
    field.person.commit();
    const { source } = await checkedOut(field);
    expect(source.identity).toEqual({ name: 'foreword', email: 'foreword@localhost' });
    field.agent().run('commit', '--quiet', '--allow-empty', '--message', 'x');
    expect(field.agent().run('log', '-1', '--format=%an')).toBe('foreword');
  });

  test('of a repository without a commit is empty and on an unborn branch', async () => {
    const source = await field.open();
    await resetCheckout(source, field.places.checkout(1), await unbornTarget(source));
    expect(files()).toEqual({});
    expect(field.agent().run('status', '--porcelain', '--branch')).toBe('## No commits yet on foreword/r1');
  });

  test('of a folder without git is empty until a snapshot of it is the base', async () => {
    const plain = join(folder, 'plain');
    mkdirSync(plain);
    const source = await openCheckouts({ root: plain, work: field.places.work, env: field.env });
    await resetCheckout(source, field.places.checkout(1), await unbornTarget(source));
    expect(source.own.alternates).toEqual([]);
    expect(field.agent().run('status', '--porcelain')).toBe('');
  });

  test.each([
    ['a detached HEAD', () => field.person.run('checkout', '--quiet', '--detach')],
    ['packed refs', () => field.person.run('pack-refs', '--all')],
    ['packed objects', () => field.person.run('gc', '--quiet')],
    ['a sparse checkout, as a whole', () => field.person.run('sparse-checkout', 'set', 'src')],
    ['read-only objects', () => chmodSync(join(field.person.root, '.git/objects'), 0o555)],
  ])('of a repository with %s', async (_, change) => {
    field.person.write('src/a', 'a\n');
    field.person.write('other/b', 'b\n');
    field.person.commit();
    change();
    await checkedOut(field);
    expect(Object.keys(files()).toSorted()).toEqual(['other/', 'other/b', 'src/', 'src/a']);
    expect(field.read('other/b')).toBe('b\n');
    expect(field.agent().run('status', '--porcelain')).toBe('');
    chmodSync(join(field.person.root, '.git/objects'), 0o755);
  });

  test('of a shallow clone has the history that the clone has', async () => {
    const origin = initialised(join(folder, 'origin'));
    for (const text of ['1', '2', '3']) {
      origin.write('a', text);
      origin.commit(text);
    }
    rmSync(field.person.root, { recursive: true });
    origin.run('clone', '--quiet', '--depth', '2', `file://${origin.root}`, field.person.root);
    await checkedOut(field);
    expect(field.agent().run('log', '--format=%s')).toBe('3\n2');
  });

  longTest('of a clone that borrows objects by a relative path finds them', async () => {
    const origin = initialised(join(folder, 'origin'));
    origin.write('a', 'a\n');
    origin.commit();
    rmSync(field.person.root, { recursive: true });
    origin.run('clone', '--quiet', '--shared', origin.root, field.person.root);
    writeFileSync(join(field.person.root, '.git/objects/info/alternates'), '../../../origin/.git/objects\n');
    await checkedOut(field);
    expect(field.agent().run('status', '--porcelain')).toBe('');
  });

  test('of a linked worktree is at its own HEAD', async () => {
    field.person.write('a', 'main\n');
    field.person.commit();
    field.person.run('worktree', 'add', '--quiet', '-b', 'side', join(folder, 'side'));
    const side = realGit(join(folder, 'side'));
    side.write('a', 'side\n');
    const commit = side.commit();
    const source = await field.open(side.root);
    await resetCheckout(source, field.places.checkout(1), await field.target(source, commit));
    expect(field.read('a')).toBe('side\n');
  });

  longTest('of a sha256 repository', async () => {
    rmSync(field.person.root, { recursive: true });
    field = makeField(folder, '--object-format=sha256');
    field.person.write('a', 'a\n');
    field.person.commit();
    await checkedOut(field);
    expect(field.agent().run('rev-parse', 'HEAD')).toHaveLength(64);
    expect(field.agent().run('status', '--porcelain')).toBe('');
  });

  test('has the line ends that the person’s has', async () => {
    field.person.run('config', 'core.autocrlf', 'true');
    field.person.write('a.txt', 'one\r\ntwo\r\n');
    field.person.commit();
    await checkedOut(field);
    expect(field.read('a.txt')).toBe('one\r\ntwo\r\n');
    expect(field.agent().run('status', '--porcelain')).toBe('');
  });

  test('of a partial clone that lacks files says so and what to do', async () => {
    const origin = initialised(join(folder, 'origin'));
    origin.run('config', 'uploadpack.allowFilter', 'true');
    origin.write('a', 'a\n');
    origin.commit();
    rmSync(field.person.root, { recursive: true });
    origin.run('clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${origin.root}`, field.person.root);
    await expect(checkedOut(field)).rejects.toMatchObject({
      code: 'bad-input',
      hint: expect.stringContaining('--refetch'),
    });
  });
});

describe('a reset', () => {
  test('brings every file back, removes every other, and leaves unchanged files alone', async () => {
    field.person.write('.gitignore', 'out/\n');
    for (const name of ['same', 'changed', 'deleted', 'mode', 'dir/file', 'was-file', 'was-dir/x'])
      field.person.write(name, `${name}\n`);
    field.person.commit();
    await checkedOut(field);
    const before = files();
    const { ino, mtimeNs, ctimeNs } = statSync(join(tree(), 'same'), { bigint: true });
    field.write('changed', 'by an agent\n');
    rmSync(join(tree(), 'deleted'));
    chmodSync(join(tree(), 'mode'), 0o755);
    rmSync(join(tree(), 'was-file'));
    field.write('was-file/inner', 'x');
    rmSync(join(tree(), 'was-dir'), { recursive: true });
    writeFileSync(join(tree(), 'was-dir'), 'now a file');
    field.write('out/ignored', 'x');
    field.write('new/deep/file', 'x');
    mkdirSync(join(tree(), 'empty'));
    symlinkSync('/etc', join(tree(), 'out-link'));
    field.agent().run('init', '--quiet', 'nested');
    field.write('nested/file', 'x');
    field.agent().run('init', '--quiet', 'dir');
    field.agent().run('config', 'core.hooksPath', '/evil');
    await reset();
    expect(files()).toEqual(before);
    expect(statSync(join(tree(), 'same'), { bigint: true })).toMatchObject({ ino, mtimeNs, ctimeNs });
    expect(field.agent().run('status', '--porcelain', '--ignored')).toBe('');
    expect(readFileSync(join(tree(), '.git/config'), 'utf8')).not.toContain('evil');
  });

  test('moves to another commit and back, also over renames that differ in case alone', async () => {
    field.person.write('Readme', 'a\n');
    field.person.write('gone', 'b\n');
    const first = field.person.commit();
    field.person.run('mv', 'Readme', 'README');
    field.person.run('rm', '--quiet', 'gone');
    field.person.write('came/new', 'c\n');
    const second = field.person.commit();
    await reset(first);
    await reset(second);
    expect(Object.keys(files()).toSorted()).toEqual(['README', 'came/', 'came/new']);
    await reset(first);
    expect(Object.keys(files()).toSorted()).toEqual(['Readme', 'gone']);
  });

  test('does not follow a folder that was moved away and left as a link', async () => {
    field.person.write('src/a', 'a\n');
    field.person.commit();
    await checkedOut(field);
    const outside = join(folder, 'outside');
    renameSync(join(tree(), 'src'), outside);
    symlinkSync(outside, join(tree(), 'src'));
    await reset();
    expect(lstatSync(join(tree(), 'src')).isDirectory()).toBe(true);
    expect(field.read('src/a')).toBe('a\n');
    expect(readFileSync(join(outside, 'a'), 'utf8')).toBe('a\n');
  });

  test('removes nothing elsewhere when the checkout itself was made a link to the person’s tree', async () => {
    field.person.write('a', 'a\n');
    field.person.commit();
    await checkedOut(field);
    field.person.write('mine', 'uncommitted\n');
    const before = everything(field.person.root);
    const { scratch } = field.places.checkout(1);
    for (const path of [tree(), scratch]) {
      rmSync(path, { recursive: true });
      symlinkSync(field.person.root, path);
    }
    await reset();
    expect(everything(field.person.root)).toEqual(before);
    expect(lstatSync(tree()).isDirectory()).toBe(true);
    expect(field.agent().run('status', '--porcelain')).toBe('');
  });

  test('finds a file whose size and time are as before', async () => {
    field.person.write('a', 'good\n');
    field.person.commit();
    await checkedOut(field);
    const { atime, mtime } = statSync(join(tree(), 'a'));
    field.write('a', 'evil\n');
    utimesSync(join(tree(), 'a'), atime, mtime);
    await reset();
    expect(field.read('a')).toBe('good\n');
  });

  test('removes folders that are closed, and paths longer than the system takes', async () => {
    field.person.write('a', 'a\n');
    field.person.commit();
    await checkedOut(field);
    field.write('closed/inner/file', 'x');
    chmodSync(join(tree(), 'closed/inner'), 0o500);
    chmodSync(join(tree(), 'closed'), 0);
    // Moved in from beside it: its own path is longer than any call takes.
    const half = Array.from({ length: 15 }, () => 'd'.repeat(200)).join('/');
    for (const place of [tree(), join(folder, 'other')]) mkdirSync(join(place, half), { recursive: true });
    writeFileSync(join(folder, 'other', half, 'file'), 'x');
    renameSync(join(folder, 'other', 'd'.repeat(200)), join(tree(), half, 'deeper'));
    await reset();
    expect(Object.keys(files())).toEqual(['a']);
  });

  test('repairs a checkout whose index is cut off, and one whose tree is gone', async () => {
    field.person.write('a', 'a\n');
    field.person.commit();
    await checkedOut(field);
    writeFileSync(field.places.checkout(1).index, 'DIRC');
    field.write('b', 'left\n');
    await reset();
    expect(Object.keys(files())).toEqual(['a']);
    rmSync(tree(), { recursive: true });
    await reset();
    expect(field.read('a')).toBe('a\n');
    writeFileSync(field.places.checkout(1).record, '{');
    await reset();
    expect(field.agent().run('status', '--porcelain')).toBe('');
    await removeCheckout(field.places.checkout(1));
    expect(existsSync(field.places.checkout(1).folder)).toBe(false);
  });
});
