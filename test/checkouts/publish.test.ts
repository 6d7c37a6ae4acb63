// Putting a commit into the person's repository, and nothing else.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  keepBase,
  observeCheckout,
  openCheckouts,
  publish,
  refsOf,
  removePublished,
  resetCheckout,
} from '../../src/runs/checkouts/index.ts';
import { temporaryFolder } from '../bundle.ts';
import { realGit } from '../git/real-git.ts';
import { longTest } from '../long.ts';
import { scaled } from '../scale.ts';
import { testUnless } from '../skipping.ts';
import { checkedOut, commitOf, everything, type Field, makeField, unbornTarget } from './field.ts';

let folder: string;
let field: Field;
beforeEach(() => {
  folder = temporaryFolder('publish');
  field = makeField(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refs = refsOf('r1');
const OURS = /^\.git\/(objects\/|refs\/heads\/foreword$|refs\/foreword$|refs\/heads\/foreword\/|refs\/foreword\/)/;

async function finished(text = 'done\n') {
  const { source } = await checkedOut(field);
  const head = field.person.run('rev-parse', 'HEAD');
  field.write('a', text);
  const { tree } = await observeCheckout(source, field.places.checkout(1));
  const commit = await commitOf(source, tree, head);
  return {
    source,
    head,
    commit,
    what: { branch: refs.branch, commit, from: null, base: { ref: refs.base, commit: head } },
  };
}

function prepared(): string {
  field.person.write('a', 'a\n');
  field.person.write('b', 'b\n');
  return field.person.commit();
}

test('a pipe, or a large file, that keeps a pack of somebody else is not in the way', async () => {
  prepared();
  const { source, what } = await finished();
  const packs = join(field.person.root, '.git/objects/pack');
  execFileSync('mkfifo', [join(packs, 'pipe.keep')]);
  writeFileSync(join(packs, 'large.keep'), Buffer.alloc(100_000));
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'published' });
});

test('the lock that a killed git left on the branch or on the base is not in the way for long', async () => {
  prepared();
  const { source, what } = await finished();
  for (const ref of [what.branch, what.base.ref]) {
    const lock = join(field.person.root, '.git', `${ref}.lock`);
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '');
  }
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'published' });
  expect(field.person.run('rev-parse', what.branch)).toBe(what.commit);
});

test('a commit is on its branch, the base is kept, and nothing else in the repository changed', async () => {
  prepared();
  field.person.run('tag', 'v1');
  field.person.run('branch', 'other');
  field.person.write('b', 'uncommitted\n');
  field.person.run('add', 'b');
  field.person.write('untracked', 'u\n');
  field.person.run('stash', 'list');
  const { source, what, commit, head } = await finished();
  const before = everything(field.person.root, OURS);
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'published' });
  expect(everything(field.person.root, OURS)).toEqual(before);
  expect(field.person.run('for-each-ref', '--format=%(refname) %(objectname)')).toBe(
    [
      `refs/foreword/r1/base ${head}`,
      `refs/heads/foreword/r1 ${commit}`,
      `refs/heads/main ${head}`,
      `refs/heads/other ${head}`,
      `refs/tags/v1 ${head}`,
    ].join('\n'),
  );
  expect(field.person.run('show', 'foreword/r1:a')).toBe('done');
  field.person.run('fsck', '--strict', '--no-dangling');
  expect(readdirSync(join(field.person.root, '.git/objects/pack')).filter((name) => name.endsWith('.keep'))).toEqual(
    [],
  );
});

test('no hook, monitor or collection of the repository runs', async () => {
  prepared();
  const { source, what } = await finished();
  mkdirSync(join(folder, 'hooks'));
  const canary = (path: string) => {
    writeFileSync(path, `#!/bin/sh\n: > '${join(folder, 'ran')}'\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const names = ['reference-transaction', 'post-update', 'pre-auto-gc', 'post-receive', 'pre-receive', 'update'];
  for (const name of names) {
    canary(join(folder, 'hooks', name));
    mkdirSync(join(field.person.root, '.git/hooks'), { recursive: true });
    canary(join(field.person.root, '.git/hooks', name));
  }
  field.person.run('config', 'core.fsmonitor', canary(join(folder, 'monitor')));
  field.person.run('config', 'core.alternateRefsCommand', canary(join(folder, 'alternate')));
  field.person.run('config', 'gc.auto', '1');
  field.person.run('config', 'core.hooksPath', join(folder, 'hooks'));
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'published' });
  expect(readdirSync(folder)).not.toContain('ran');
});

test('a second commit goes on top; done again it changes nothing', async () => {
  prepared();
  const { source, what, commit, head } = await finished();
  await publish(source.own, source.theirs, what);
  field.write('b', 'second\n');
  const { tree } = await observeCheckout(source, field.places.checkout(1));
  const next = await commitOf(source, tree, commit);
  const second = { ...what, commit: next, from: commit };
  expect(await publish(source.own, source.theirs, second)).toEqual({ kind: 'published' });
  const before = everything(field.person.root);
  expect(await publish(source.own, source.theirs, second)).toEqual({ kind: 'published' });
  expect(everything(field.person.root)).toEqual(before);
  expect(field.person.run('log', '--format=%H', 'foreword/r1')).toBe([next, commit, head].join('\n'));
});

test('a branch that somebody moved, made or deleted is left as it is', async () => {
  const head = prepared();
  const { source, what, commit } = await finished();
  field.person.run('branch', 'foreword/r1', head);
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'moved', found: head });
  expect(await publish(source.own, source.theirs, { ...what, from: head })).toEqual({ kind: 'published' });
  field.person.run('branch', '-D', 'foreword/r1');
  const next = await commitOf(source, (await field.target(source)).tree, commit);
  expect(await publish(source.own, source.theirs, { ...what, commit: next, from: commit })).toEqual({
    kind: 'moved',
    found: null,
  });
  expect(field.person.run('branch', '--list', 'foreword/*')).toBe('');
});

test('a branch that is checked out is not moved under the person’s feet', async () => {
  const head = prepared();
  const { source, what } = await finished();
  field.person.run('worktree', 'add', '--quiet', '-b', 'foreword/r1', join(folder, 'looking'));
  expect(await publish(source.own, source.theirs, { ...what, from: head })).toEqual({
    kind: 'checked-out',
    worktree: join(folder, 'looking'),
  });
  expect(realGit(join(folder, 'looking')).run('status', '--porcelain')).toBe('');
});

test('a branch that is a link to another branch does not move that one', async () => {
  const head = prepared();
  const { source, what } = await finished();
  field.person.run('symbolic-ref', 'refs/heads/foreword/r1', 'refs/heads/main');
  await publish(source.own, source.theirs, { ...what, from: head });
  expect(field.person.run('rev-parse', 'main')).toBe(head);
});

test('a branch named foreword is in the way, and the error names the fix', async () => {
  prepared();
  field.person.run('branch', 'foreword');
  const { source, what } = await finished();
  await expect(publish(source.own, source.theirs, what)).rejects.toMatchObject({
    code: 'bad-input',
    hint: expect.stringContaining('git branch -m foreword'),
  });
});

test('the base of a run is not collected, and what was published can be removed again', async () => {
  prepared();
  const { source, what, head, commit } = await finished();
  await keepBase(source.own, source.theirs, what.base);
  field.person.run('commit', '--quiet', '--amend', '--message', 'rewritten');
  field.person.run('reflog', 'expire', '--expire=now', '--all');
  field.person.run('gc', '--quiet', '--prune=now');
  expect(field.person.run('cat-file', '-t', head)).toBe('commit');
  await publish(source.own, source.theirs, what);
  await removePublished(source.own, source.theirs, [
    { ref: refs.branch, commit: head },
    { ref: refs.base, commit: head },
  ]);
  expect(field.person.run('for-each-ref', '--format=%(refname)', 'refs/heads/foreword', 'refs/foreword')).toBe(
    'refs/heads/foreword/r1',
  );
  await removePublished(source.own, source.theirs, [{ ref: refs.branch, commit }]);
  expect(field.person.run('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});

test.each([
  ['packed refs', () => field.person.run('pack-refs', '--all')],
  ['a detached HEAD', () => field.person.run('checkout', '--quiet', '--detach')],
  ['a bare configuration', () => field.person.run('config', 'core.bare', 'true')],
])('a repository with %s takes it', async (_, change) => {
  prepared();
  change();
  const { source, what, commit } = await finished();
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'published' });
  expect(field.person.run('rev-parse', 'foreword/r1')).toBe(commit);
});

longTest('a linked worktree takes it for the whole repository', async () => {
  prepared();
  field.person.run('worktree', 'add', '--quiet', '-b', 'side', join(folder, 'side'));
  const { what, commit } = await finished();
  const source = await openCheckouts({ root: join(folder, 'side'), work: field.places.work, env: field.env });
  const before = everything(join(folder, 'side'));
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'published' });
  expect(field.person.run('rev-parse', 'foreword/r1')).toBe(commit);
  expect(everything(join(folder, 'side'))).toEqual(before);
});

longTest('a sha256 repository takes it', async () => {
  rmSync(field.person.root, { recursive: true });
  field = makeField(folder, '--object-format=sha256');
  prepared();
  const { source, what } = await finished();
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'published' });
  field.person.run('fsck', '--strict');
});

const knowsReftables = spawnSync('git', ['init', '-h'], { encoding: 'utf8' }).stdout.includes('--ref-format');
const withReftables = testUnless(knowsReftables ? undefined : 'this git does not know them');

withReftables('a repository with reftables takes it', async () => {
  rmSync(field.person.root, { recursive: true });
  field = makeField(folder, '--ref-format=reftable');
  prepared();
  const { source, what, commit } = await finished();
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'published' });
  expect(field.person.run('rev-parse', 'foreword/r1')).toBe(commit);
});

test('a repository without a commit gets the first one on the branch', async () => {
  const source = await field.open();
  field.person.write('x', 'x');
  await resetCheckout(source, field.places.checkout(1), await unbornTarget(source));
  field.write('first', 'first\n');
  const { tree } = await observeCheckout(source, field.places.checkout(1));
  const commit = await commitOf(source, tree);
  expect(await publish(source.own, source.theirs, { branch: refs.branch, commit, from: null, base: null })).toEqual({
    kind: 'published',
  });
  expect(field.person.run('show', 'foreword/r1:first')).toBe('first');
});

test('a commit of few files leaves no pack behind, one of many files leaves one', async () => {
  prepared();
  const { source, what, commit } = await finished();
  const packs = () =>
    readdirSync(join(field.person.root, '.git/objects/pack')).filter((name) => !/\.(idx|rev)$/.test(name));
  await publish(source.own, source.theirs, what);
  expect(packs()).toEqual([]);
  for (let index = 0; index < 120; index += 1) field.write(`many/${index}`, `${index}\n`);
  const { tree } = await observeCheckout(source, field.places.checkout(1));
  const next = await commitOf(source, tree, commit);
  expect(await publish(source.own, source.theirs, { ...what, commit: next, from: commit })).toEqual({
    kind: 'published',
  });
  expect(packs()).toEqual([expect.stringMatching(/\.pack$/)]);
  field.person.run('fsck', '--strict');
});

test('objects that a collection took away meanwhile are there after the next time', async () => {
  prepared();
  const { source, what, commit } = await finished();
  await publish(source.own, source.theirs, what);
  const blob = field.person.run('rev-parse', `${commit}:a`);
  rmSync(join(field.person.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  expect(() => field.person.run('show', 'foreword/r1:a')).toThrow();
  expect(await publish(source.own, source.theirs, what)).toEqual({ kind: 'published' });
  expect(field.person.run('show', 'foreword/r1:a')).toBe('done');
});

test('objects that cannot be written are an error that names the repository', async () => {
  prepared();
  const { source, what } = await finished();
  for (let byte = 0; byte < 256; byte += 1) {
    const name = join(field.person.root, '.git/objects', byte.toString(16).padStart(2, '0'));
    if (!existsSync(name)) writeFileSync(name, 'in the way');
  }
  await expect(publish(source.own, source.theirs, what)).rejects.toMatchObject({
    code: 'bad-input',
    message: expect.stringContaining(field.person.root),
  });
  expect(field.person.run('branch', '--list', 'foreword/*')).toBe('');
});

test('a git directory that turns into a link to another repository and back: that one is left alone', async () => {
  prepared();
  const { source, head, commit } = await finished();
  const victim = join(folder, 'victim');
  cpSync(field.person.root, victim, { recursive: true });
  const before = everything(victim);
  const swaps = [['.git', join(victim, '.git')]];
  const what = JSON.stringify({ root: field.person.root, swaps, ledger: join(folder, 'swaps'), dwellMs: 8 });
  const swapper = spawn(process.execPath, [join(import.meta.dirname, '../hostile/swapper.mjs'), what]);
  const wanted = scaled(1_000);
  let count = 0;
  // Most tries find a link, or nothing at all, and end at once.
  for (let at = 0; count < wanted && at < 200 * wanted; at += 1) {
    const { branch, base } = refsOf(`r${at}`);
    try {
      await keepBase(source.own, source.theirs, { ref: base, commit: head });
      count += 1;
      await publish(source.own, source.theirs, { branch, commit, from: null, base: { ref: base, commit: head } });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  const ended = once(swapper, 'close');
  swapper.kill('SIGTERM');
  await ended;
  expect(count).toBe(wanted);
  expect(everything(victim)).toEqual(before);
});

test.each(['HEAD', 'config', 'packed-refs', 'objects/info/alternates'])(
  'a pipe in the place of %s is named',
  async (name) => {
    prepared();
    const { source, what } = await finished();
    rmSync(join(field.person.root, '.git', name), { force: true });
    execFileSync('mkfifo', [join(field.person.root, '.git', name)]);
    await expect(publish(source.own, source.theirs, what)).rejects.toThrow(`${name} is not a file`);
  },
);
