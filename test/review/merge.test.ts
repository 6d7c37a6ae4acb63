// The person's own merge of a run, and what it refuses without touching a byte.

import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { merge } from '../../src/runs/review/merge.ts';
import { isoAt } from '../../src/stores/contract/samples.ts';
import { temporaryFolder } from '../bundle.ts';
import { everything, type Field } from '../checkouts/field.ts';
import { everydayRows } from '../long.ts';
import { allowed, allowedMerge, type ReviewField, RUN, reviewField } from './field.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('merge');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function merged(field: ReviewField, isSquash = false) {
  const commands: string[] = [];
  const how = {
    announce: (command: string) => void commands.push(command),
    snapshots: field.places.work.snapshots,
    away: [],
  };
  return { outcome: await merge(field.parts, await allowedMerge(field, isSquash), how), commands };
}

const ME = ['-c', 'user.name=me', '-c', 'user.email=me@example.invalid'];

describe('in a repository', () => {
  let field: ReviewField;
  beforeEach(async () => {
    field = await reviewField(folder, ({ person, env }) => {
      person.write('a', '1\n2\n3\n4\n5\n');
      person.write('b', 'b\n');
      person.write('.gitignore', 'local\n');
      person.commit();
      writeFileSync(join(env.HOME ?? '', '.gitconfig'), '[user]\n\tname = Me\n\temail = me@example.invalid\n');
    });
  });

  test.each([false, true])(
    'a tag with the name of the branch is not merged in its place (squash: %s)',
    async (isSquash) => {
      field.person.run('tag', `foreword/${RUN}`);
      await field.complete('t', { a: 'new\n' });
      expect((await merged(field, isSquash)).outcome).toMatchObject({ kind: 'merged' });
      expect(field.person.run('show', 'main:a')).toBe('new');
    },
  );

  test('the branch is merged by the command that was printed, and run and tasks know it', async () => {
    const tip = await field.complete('t', { a: 'new\n' });
    await field.attempt('open', { b: 'x\n' });
    expect(await merged(field)).toEqual({
      outcome: { kind: 'merged', commit: tip, how: 'merge' },
      commands: [`git merge --no-edit foreword/${RUN}`],
    });
    expect(field.person.run('rev-parse', 'main')).toBe(tip);
    expect(field.person.run('status', '--porcelain')).toBe('');
    expect(await field.run()).toMatchObject({
      state: 'merged',
      merged: { at: isoAt(60_000), commit: tip, how: 'merge' },
    });
    expect(await field.task('t')).toMatchObject({ status: 'completed', merged: isoAt(60_000) });
    expect((await field.task('open')).merged).toBeUndefined();
    const { act } = await allowed(field, ['t', { name: 'undo' }, 'print-revert']);
    expect(act.command).toBe(`git revert ${tip}`);
    field.person.run(...ME, 'revert', '--no-edit', tip);
    expect(field.person.run('show', 'HEAD:a')).toBe('1\n2\n3\n4\n5');
  });

  test("commits of the person's own since then are kept, and so are uncommitted files that are not in the way", async () => {
    await field.complete('t', { a: 'new\n' });
    field.person.write('c', 'mine\n');
    field.person.commit();
    field.person.write('b', 'uncommitted\n');
    field.person.write('untracked', 'u\n');
    const { outcome } = await merged(field);
    expect(outcome).toMatchObject({ kind: 'merged', commit: field.person.run('rev-parse', 'HEAD') });
    expect(field.person.run('rev-list', '--count', '--merges', 'HEAD')).toBe('1');
    expect(field.person.run('status', '--porcelain')).toBe(' M b\n?? untracked');
    expect(readFileSync(join(field.person.root, 'b'), 'utf8')).toBe('uncommitted\n');
  });

  test('--squash is one commit of the person', async () => {
    await field.complete('t', { a: 'new\n' });
    await field.complete('u', { b: 'new\n' });
    const { outcome, commands } = await merged(field, true);
    expect(commands).toEqual([`git merge --squash foreword/${RUN}`, 'git commit --no-edit']);
    expect(outcome).toMatchObject({ kind: 'merged', how: 'squash', commit: field.person.run('rev-parse', 'HEAD') });
    expect(field.person.run('rev-list', '--count', 'HEAD')).toBe('2');
    expect(field.person.run('show', 'HEAD:b')).toBe('new');
    expect(field.person.run('log', '-1', '--format=%an')).toBe('Me');
  });

  test.each<[string, (field: ReviewField) => void, string]>([
    ['an uncommitted change', ({ person }) => person.write('a', 'mine\n'), 'a'],
    [
      'a staged change',
      ({ person }) => {
        person.write('a', 'mine\n');
        person.run('add', 'a');
      },
      'a',
    ],
    [
      'a staged change whose file is as before',
      ({ person }) => {
        person.write('a', 'mine\n');
        person.run('add', 'a');
        person.write('a', '1\n2\n3\n4\n5\n');
      },
      'a',
    ],
    ['a deleted file', ({ person }) => rmSync(join(person.root, 'a')), 'a'],
    ['an untracked file in the place of a new one', ({ person }) => person.write('new', 'mine\n'), 'new'],
    ['an ignored file in the place of a new folder', ({ person }) => person.write('local', 'mine\n'), 'local/c'],
    ['an ignored file in the place of a new one', ({ person }) => person.write('local', 'mine\n'), 'local'],
  ])('%s stops the merge before a byte is touched', async (_, change, path) => {
    const local = path === 'local/c' ? 'local/c' : 'local';
    await field.complete('t', { a: 'new\n', new: 'new\n', '.gitignore': '', [local]: 'theirs\n' });
    change(field);
    const before = everything(field.person.root);
    const { outcome, commands } = await merged(field);
    expect(outcome).toMatchObject({
      kind: 'refused',
      because: `foreword/${RUN} changes files in which you have uncommitted work: ${path}.`,
    });
    expect(commands).toEqual([]);
    expect(everything(field.person.root)).toEqual(before);
    expect((await field.run()).state).toBe('open');
  });

  test('--squash does not swallow what is staged', async () => {
    await field.complete('t', { a: 'new\n' });
    field.person.write('b', 'mine\n');
    field.person.run('add', 'b');
    const before = everything(field.person.root);
    expect((await merged(field, true)).outcome).toMatchObject({
      kind: 'refused',
      because: 'The squashed commit would hold what you have staged: b.',
    });
    expect(everything(field.person.root)).toEqual(before);
    expect((await merged(field)).outcome).toMatchObject({ kind: 'merged' });
    expect(field.person.run('status', '--porcelain')).toBe('M  b');
  });

  test('what is staged stops a merge that needs a commit, and no other', async () => {
    await field.complete('t', { a: 'new\n' });
    field.person.write('c', 'mine\n');
    field.person.commit();
    field.person.write('b', 'mine\n');
    field.person.run('add', 'b');
    const before = everything(field.person.root);
    const { outcome, commands } = await merged(field);
    expect(outcome).toMatchObject({
      kind: 'refused',
      because: 'You have commits that the run does not have, and git merges these only with nothing staged: b.',
      hint: expect.stringContaining('git restore --staged'),
    });
    expect(commands).toEqual([]);
    expect(everything(field.person.root)).toEqual(before);
    field.person.run('restore', '--staged', 'b');
    field.person.run(...ME, 'merge', '--quiet', '--no-edit', `foreword/${RUN}`);
    field.person.run('add', 'b');
    // The person did it already: git has nothing to do.
    expect((await merged(field)).outcome).toMatchObject({ kind: 'merged' });
    expect(field.person.run('status', '--porcelain')).toBe('M  b');
  });

  /** Leaves the person in the middle of it. */
  const stopped = (...args: string[]) => {
    try {
      field.person.run(...ME, ...args);
    } catch {
      // A conflict, as it shall be.
    }
  };
  test.each<[string, () => void, string, string]>([
    ['a merge', () => stopped('merge', 'side'), 'in the middle of a merge', 'git merge --abort'],
    ['a rebase', () => stopped('rebase', 'side'), 'in the middle of a rebase', 'git rebase --abort'],
    [
      'a cherry-pick',
      () => stopped('cherry-pick', 'side'),
      'in the middle of a cherry-pick',
      'git cherry-pick --abort',
    ],
    ['a revert', () => stopped('revert', '--no-edit', 'HEAD~1'), 'in the middle of a revert', 'git revert --abort'],
    ['a bisect', () => field.person.run('bisect', 'start'), 'in the middle of a bisect', 'git bisect reset'],
    ['a detached HEAD', () => field.person.run('checkout', '--quiet', '--detach'), 'on no branch', 'git switch main'],
    ["the run's branch", () => field.person.run('checkout', '--quiet', `foreword/${RUN}`), 'itself', 'git switch main'],
  ])('%s of the person stops the merge before a byte is touched', async (_, begin, because, hint) => {
    const { person } = field;
    person.write('b', 'one\n');
    person.commit();
    person.write('b', 'two\n');
    person.commit();
    person.run('checkout', '--quiet', '-b', 'side', 'HEAD~1');
    person.write('b', 'side\n');
    person.commit();
    person.run('checkout', '--quiet', 'main');
    await field.complete('t', { new: 'new\n' });
    begin();
    const before = everything(person.root);
    const { outcome, commands } = await merged(field);
    expect(outcome).toMatchObject({
      kind: 'refused',
      because: expect.stringContaining(because),
      hint: expect.stringContaining(hint),
    });
    expect(commands).toEqual([]);
    expect(everything(person.root)).toEqual(before);
    expect((await field.run()).state).toBe('open');
  });

  test('a squash that was cut off before its commit is explained, and goes on', async () => {
    await field.complete('t', { a: 'new\n' });
    field.person.run('merge', '--quiet', '--squash', `foreword/${RUN}`);
    const before = everything(field.person.root);
    expect((await merged(field, true)).outcome).toMatchObject({
      kind: 'refused',
      hint: expect.stringContaining('git commit --no-edit ends it, git reset --merge goes back.'),
    });
    expect(everything(field.person.root)).toEqual(before);
    field.person.run(...ME, 'commit', '--quiet', '--no-edit');
    expect((await merged(field, true)).outcome).toMatchObject({ kind: 'merged', how: 'squash' });
    expect(field.person.run('rev-list', '--count', 'HEAD')).toBe('2');
  });

  test('in a linked worktree it is the branch there that gets the work', async () => {
    const tip = await field.complete('t', { a: 'new\n' });
    const other = join(folder, 'other');
    field.person.run('worktree', 'add', '--quiet', '-b', 'topic', other);
    const before = everything(field.person.root, /^\.git$/);
    const source = await field.open(other);
    const how = { announce: () => undefined, snapshots: field.places.work.snapshots, away: [] };
    const outcome = await merge({ ...field.parts, source }, await allowedMerge(field), how);
    expect(outcome).toEqual({ kind: 'merged', commit: tip, how: 'merge' });
    expect([field.person.run('rev-parse', 'topic'), readFileSync(join(other, 'a'), 'utf8')]).toEqual([tip, 'new\n']);
    expect(field.person.run('rev-parse', 'main')).not.toBe(tip);
    expect(everything(field.person.root, /^\.git$/)).toEqual(before);
  });

  test('a conflict with commits of the person is named, and nothing is begun', async () => {
    await field.complete('t', { a: 'new\n' });
    field.person.write('a', 'mine\n');
    field.person.commit();
    const before = everything(field.person.root);
    expect((await merged(field)).outcome).toMatchObject({
      kind: 'refused',
      because: `foreword/${RUN} is in conflict with what you have committed: a.`,
      hint: `Merge it yourself and resolve the conflict: git merge foreword/${RUN}`,
    });
    expect(everything(field.person.root)).toEqual(before);
  });

  test('a hook of the person that says no stops it, and the run stays open', async () => {
    await field.complete('t', { a: 'new\n' });
    field.person.write('c', 'mine\n');
    field.person.commit();
    const hook = join(field.person.root, '.git/hooks/pre-merge-commit');
    writeFileSync(hook, '#!/bin/sh\nexit 7\n');
    chmodSync(hook, 0o755);
    expect((await merged(field)).outcome).toMatchObject({
      kind: 'stopped',
      command: `git merge --no-edit foreword/${RUN}`,
    });
    expect((await field.run()).state).toBe('open');
    expect((await field.task('t')).merged).toBeUndefined();
  });

  test.each(everydayRows([false, true], 1))(
    'what the person merged by hand is recorded as merged (squash: %s)',
    async (isSquash) => {
      const tip = await field.complete('t', { a: 'new\n' });
      field.person.run('merge', '--quiet', `foreword/${RUN}`);
      expect((await merged(field, isSquash)).outcome).toMatchObject({ kind: 'merged', commit: tip });
      expect((await field.run()).state).toBe('merged');
    },
  );
});

describe('in a folder without git', () => {
  let field: ReviewField;
  beforeEach(async () => {
    field = await reviewField(
      folder,
      ({ person }: Field) => {
        rmSync(join(person.root, '.git'), { recursive: true });
        person.write('a', 'a\n');
        person.write('b', 'b\n');
        person.write('deep/old', 'old\n');
      },
      { isGit: false },
    );
  });
  const read = (path: string) => readFileSync(join(field.person.root, path), 'utf8');

  test('the changed files are written, others stay', async () => {
    const tip = await field.complete('t', { a: 'new\n', 'more/c': 'c\n', 'deep/old': null });
    field.person.write('b', 'mine\n');
    expect(await merged(field)).toEqual({ outcome: { kind: 'merged', commit: tip, how: 'files' }, commands: [] });
    expect([read('a'), read('b'), read('more/c')]).toEqual(['new\n', 'mine\n', 'c\n']);
    expect(existsSync(join(field.person.root, 'deep'))).toBe(false);
    expect(statSync(join(field.person.root, 'a')).mode & 0o111).toBe(0);
    expect(await field.run()).toMatchObject({ state: 'merged', merged: { how: 'files' } });
    const { act } = await allowed(field, ['t', { name: 'undo' }, 'print-revert']);
    expect(act.command).toBe('foreword diff t | patch -p1 -R');
  });

  test.each<[string, (root: string) => void]>([
    ['the same file', (root) => writeFileSync(join(root, 'a'), 'mine\n')],
    ['a file in the place of a new one', (root) => writeFileSync(join(root, 'more'), 'mine\n')],
    ['a folder that is a link', (root) => symlinkSync('/tmp', join(root, 'more'))],
  ])('where the person has %s, nothing is written', async (_, change) => {
    await field.complete('t', { a: 'new\n', 'more/c': 'c\n' });
    change(field.person.root);
    const before = everything(field.person.root);
    expect((await merged(field)).outcome).toMatchObject({
      kind: 'refused',
      because: expect.stringContaining('You changed the same files as the run'),
    });
    expect(everything(field.person.root)).toEqual(before);
  });

  test('a merge that was cut off goes on', async () => {
    await field.complete('t', { a: 'new\n', 'more/c': 'c\n' });
    field.person.write('a', 'new\n');
    expect((await merged(field)).outcome).toMatchObject({ kind: 'merged' });
    expect(read('more/c')).toBe('c\n');
  });
});
