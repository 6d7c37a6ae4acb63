// Commits, refs and merges in our own repository.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type CheckoutSource,
  commitMessage,
  commitTree,
  logOf,
  mergeTrees,
  observeCheckout,
  readRef,
  refsOf,
  resetCheckout,
  taskOf,
  treeOf,
  updateRef,
} from '../../src/runs/checkouts/index.ts';
import { isRecent } from '../../src/system/git/merge-trees.ts';
import { temporaryFolder } from '../bundle.ts';
import { everydayRows } from '../long.ts';
import { checkedOut, commitOf, type Field, makeField } from './field.ts';

let folder: string;
let field: Field;
beforeEach(() => {
  folder = temporaryFolder('commits');
  field = makeField(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refs = refsOf('r1');

/** The tree after `work` in a checkout at the person's HEAD. */
async function treeAfter(work: () => void): Promise<{ source: CheckoutSource; tree: string }> {
  const { source } = await checkedOut(field);
  work();
  return { source, tree: (await observeCheckout(source, field.places.checkout(1))).tree };
}

test('the lock of a git that was killed while it moved a ref is no obstacle', async () => {
  field.person.write('a', 'a\n');
  const head = field.person.commit();
  const { own } = await field.open();
  await updateRef(own, refs.tip, { from: null, to: head });
  const lock = join(own.directory, `${refs.tip}.lock`);
  writeFileSync(lock, '');
  const begun = Date.now();
  expect(await updateRef(own, refs.tip, { from: head, to: null })).toBe(true);
  expect(Date.now() - begun).toBeGreaterThan(2000);
  expect(await readRef(own, refs.tip)).toBeNull();
});

describe('a commit', () => {
  test('is by the person, by whom git would take in that repository, unsigned and the same when made again', async () => {
    writeFileSync(
      join(field.env.HOME as string, '.gitconfig'),
      `[user]\nname = Global\nemail = g@example.invalid\n[commit]\ngpgSign = true\n[includeIf "gitdir:${field.person.root}/"]\npath = work\n`,
    );
    writeFileSync(join(field.env.HOME as string, 'work'), '[user]\nemail = work@example.invalid\n');
    field.person.write('a', 'a\n');
    const head = field.person.commit();
    const { source, tree } = await treeAfter(() => field.write('a', 'b\n'));
    const commit = {
      tree,
      parents: [head],
      message: commitMessage({ task: 't', intent: 'Do it', result: 'Done', agent: 'x', attempts: 1 }),
      identity: source.identity,
      at: new Date(1_700_000_000_123),
    };
    const id = await commitTree(source.own, commit);
    expect(await commitTree(source.own, commit)).toBe(id);
    const raw = (await source.own.run(['cat-file', 'commit', id])).toString();
    expect(raw).toMatch(/^author Global <work@example\.invalid> 1700000000 [+-]\d{4}$/m);
    expect(raw).toMatch(/^committer Global <work@example\.invalid> 1700000000 /m);
    expect(raw).not.toContain('gpgsig');
    expect(raw.split('\n\n').slice(1).join('\n\n')).toBe(commit.message);
  });

  test.each(everydayRows(['<>', '.', '"', '\u0001'], 0, 3))(
    'is by foreword when the name is %j, which git does not take',
    async (name) => {
      field.person.write('a', 'a\n');
      const head = field.person.commit();
      field.person.run('config', 'user.name', name);
      field.person.run('config', 'user.email', 'x@example.invalid');
      const { source, tree } = await treeAfter(() => field.write('a', 'b\n'));
      expect(await commitOf(source, tree, head)).toMatch(/^[0-9a-f]{40}$/);
    },
  );

  test.each([
    ['a plain name', { name: 'Ada B. Cé', email: 'ada+x@example.invalid' }, 'Do it\n\nDone é 😀\n'],
    ['a name that git cleans', { name: ' "Ada", <x> ', email: 'ada@example.invalid.' }, 'Do it\n'],
    ['a message without an end', { name: 'Ada', email: 'ada@example.invalid' }, 'Do it'],
    ['an empty message', { name: 'Ada', email: 'ada@example.invalid' }, ''],
  ])('has the id that git gives it, with %s', async (_, identity, message) => {
    field.person.write('a', 'a\n');
    const head = field.person.commit();
    const { source, tree } = await treeAfter(() => field.write('a', 'b\n'));
    const at = new Date(1_700_000_000_000);
    const id = await commitTree(source.own, { tree, parents: [head], message, identity, at });
    const raw = (await source.own.run(['cat-file', 'commit', id])).toString();
    const zone = / 1700000000 ([+-]\d{4})$/m.exec(raw)?.[1];
    const made = await source.own.run(['commit-tree', tree, '-p', head], {
      input: message,
      env: {
        GIT_AUTHOR_NAME: identity.name,
        GIT_AUTHOR_EMAIL: identity.email,
        GIT_AUTHOR_DATE: `@1700000000 ${zone}`,
        GIT_COMMITTER_NAME: identity.name,
        GIT_COMMITTER_EMAIL: identity.email,
        GIT_COMMITTER_DATE: `@1700000000 ${zone}`,
      },
    });
    expect(id).toBe(made.toString().trimEnd());
    expect(await treeOf(source.own, id)).toBe(tree);
  });

  test('is found on the branch by its task', async () => {
    field.person.write('a', 'a\n');
    const base = field.person.commit('a commit of the person\n\nForeword-Task: t0');
    const { source, tree } = await treeAfter(() => field.write('a', 'b\n'));
    let tip = base;
    for (const task of ['t1', 'odd\nid']) {
      const message = commitMessage({ task, intent: 'x', result: 'Foreword-Task: forged', agent: 'x', attempts: 1 });
      tip = await commitTree(source.own, { tree, parents: [tip], message, identity: source.identity, at: new Date(0) });
    }
    const log = await logOf(source.own, tip, base);
    expect(log.map(({ message }) => taskOf(message))).toEqual(['odd\nid', 't1']);
    expect(log[1]).toMatchObject({ tree, parents: [base] });
    // As git itself reads the trailers.
    const shown = await source.own.run(['log', '-1', '--format=%(trailers:key=Foreword-Task,valueonly)', tip]);
    expect(shown.toString().trim()).toBe('odd%0Aid');
    expect(await logOf(source.own, tip, null)).toHaveLength(3);
  });
});

describe('a ref', () => {
  test('moves only from the value that is known', async () => {
    field.person.write('a', 'a\n');
    const one = field.person.commit();
    const two = field.person.commit();
    const { own } = await field.open();
    expect(await readRef(own, refs.tip)).toBeNull();
    expect(await updateRef(own, refs.tip, { from: null, to: one })).toBe(true);
    expect(await updateRef(own, refs.tip, { from: null, to: two })).toBe(false);
    expect(await updateRef(own, refs.tip, { from: two, to: two })).toBe(false);
    expect(await updateRef(own, refs.tip, { from: one, to: two })).toBe(true);
    // Done again after a crash.
    expect(await updateRef(own, refs.tip, { from: one, to: two })).toBe(true);
    expect(await readRef(own, refs.tip)).toBe(two);
    expect(await updateRef(own, refs.tip, { from: one, to: null })).toBe(false);
    expect(await updateRef(own, refs.tip, { from: two, to: null })).toBe(true);
    expect(await readRef(own, refs.tip)).toBeNull();
  });

  test('of two writers at once, one wins', async () => {
    field.person.write('a', 'a\n');
    const base = field.person.commit();
    const ids = [
      field.person.commit('1'),
      field.person.commit('2'),
      field.person.commit('3'),
      field.person.commit('4'),
    ];
    const { own } = await field.open();
    await updateRef(own, refs.tip, { from: null, to: base });
    const results = await Promise.allSettled(ids.map((to) => updateRef(own, refs.tip, { from: base, to })));
    const won = results.filter((result) => result.status === 'fulfilled' && result.value);
    expect(won).toHaveLength(1);
    expect(ids).toContain(await readRef(own, refs.tip));
  });

  test('is the same to us and to git, in a file or packed with others', async () => {
    field.person.write('a', 'a\n');
    const one = field.person.commit('1');
    const two = field.person.commit('2');
    const { own } = await field.open();
    expect(await updateRef(own, refs.tip, { from: null, to: one })).toBe(true);
    expect((await own.run(['rev-parse', refs.tip])).toString().trim()).toBe(one);
    await own.run(['pack-refs', '--all']);
    expect(await readRef(own, refs.tip)).toBe(one);
    expect(await readRef(own, refs.base)).toBeNull();
    expect(await updateRef(own, refs.tip, { from: null, to: two })).toBe(false);
    expect(await updateRef(own, refs.tip, { from: one, to: two })).toBe(true);
    expect(await readRef(own, refs.tip)).toBe(two);
    expect((await own.run(['rev-parse', refs.tip])).toString().trim()).toBe(two);
  });

  test('whose lock a killed process left moves all the same', async () => {
    field.person.write('a', 'a\n');
    const to = field.person.commit();
    const { own } = await field.open();
    mkdirSync(join(own.directory, 'refs/foreword/r1'), { recursive: true });
    writeFileSync(join(own.directory, `${refs.tip}.lock`), '');
    expect(await updateRef(own, refs.tip, { from: null, to })).toBe(true);
    expect(await readRef(own, refs.tip)).toBe(to);
  });

  test('has a name that git takes, one for each task whatever its id', async () => {
    field.person.write('a', 'a\n');
    const to = field.person.commit();
    const { own } = await field.open();
    const tasks = ['a', 'A', 'a b', '..', 'a..b', 'a.lock', '-x', 'a/b', 'é'.repeat(100), '@{', '', 'a~1', 'a\nb'];
    const names = tasks.map((task) => refs.attempt(task, 1));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(tasks.length);
    for (const name of names) expect(await updateRef(own, name, { from: null, to })).toBe(true);
  });
});

describe('two tasks that began at the same commit', () => {
  test('are joined where they changed different lines, and named where they did not', async () => {
    const lines = (...changed: number[]) =>
      Array.from({ length: 20 }, (_, at) => (changed.includes(at) ? 'x\n' : `${at}\n`)).join('');
    field.person.write('a', lines());
    field.person.write('b', 'b\n');
    field.person.commit();
    const { source, tree: ours } = await treeAfter(() => field.write('a', lines(1)));
    const target = await field.target(source);
    const { tree: theirs } = await treeAfter(() => {
      field.write('a', lines(15));
      field.write('new', 'n\n');
    });
    const merged = await mergeTrees(source.own, { base: target.tree, ours, theirs });
    if (merged.kind !== 'merged') throw new Error('it did not merge');
    await resetCheckout(source, field.places.checkout(1), { ...target, tree: merged.tree });
    expect([field.read('a'), field.read('new')]).toEqual([lines(1, 15), 'n\n']);
    const { tree: against } = await treeAfter(() => {
      field.write('a', 'all other\n');
      field.write('b', 'changed\n');
    });
    expect(await mergeTrees(source.own, { base: target.tree, ours, theirs: against })).toEqual({
      kind: 'conflict',
      paths: ['a'],
    });
  });

  test.each([
    ['git version 2.39.5', true],
    ['git version 2.38.0.windows.1', true],
    ['git version 3.0.1', true],
    ['git version 2.37.9 (Apple Git-1)', false],
    ['git version 1.99', false],
    ['nonsense', false],
  ])('%s can merge them: %s', (version, expected) => expect(isRecent(version)).toBe(expected));

  test('with an older git the error names its version', async () => {
    field.person.write('a', 'a\n');
    field.person.commit();
    const source = await field.open();
    const { tree } = await field.target(source);
    const old = { ...source.own, run: async () => Buffer.from('git version 2.30.2\n') };
    await expect(mergeTrees(old, { base: tree, ours: tree, theirs: tree })).rejects.toMatchObject({
      code: 'missing-program',
      message: expect.stringContaining('2.30.2'),
    });
  });
});
