// What is seen in a checkout after an agent.

import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  changedPaths,
  compareBeside,
  diffText,
  observeCheckout,
  openCheckouts,
  snapshotProject,
} from '../../src/runs/checkouts/index.ts';
import { temporaryFolder } from '../bundle.ts';
import { realGit } from '../git/real-git.ts';
import { checkedOut, commitOf, type Field, makeField } from './field.ts';

let folder: string;
let field: Field;
beforeEach(() => {
  folder = temporaryFolder('observe-checkout');
  field = makeField(folder);
  field.person.write('.gitignore', '.env\nsecrets/\nbuild/\n');
  field.person.write('src/a.ts', 'one\n');
  field.person.write('src/b.ts', 'one\n');
  field.person.commit();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tree = () => field.places.checkout(1).tree;

/** What `work` changed. */
async function changesOf(work: () => void) {
  const { source } = await checkedOut(field);
  const before = await observeCheckout(source, field.places.checkout(1));
  work();
  const after = await observeCheckout(source, field.places.checkout(1));
  const paths = (await changedPaths(source.own, before.tree, after.tree)).map(({ path, kind }) => `${kind} ${path}`);
  return { source, before, after, paths, beside: compareBeside(before, after) };
}

const NOTHING = {
  ignored: { created: [], updated: [], deleted: [] },
  submodules: { created: [], updated: [], deleted: [] },
  repositories: [],
  hooks: [],
  config: [],
  refs: [],
  shared: {},
  unreadable: [],
};

describe('an attempt', () => {
  test('that does nothing shows nothing', async () => {
    const { paths, beside, before, source } = await changesOf(() => undefined);
    expect([paths, beside]).toEqual([[], NOTHING]);
    expect(before.tree).toBe((await field.target(source)).tree);
  });

  test('shows files, committed by the agent or not', async () => {
    const { paths, beside } = await changesOf(() => {
      field.write('src/a.ts', 'two\n');
      field.agent().run('commit', '--quiet', '--all', '--message', 'x');
      field.write('src/new.ts', 'new\n');
      rmSync(join(tree(), 'src/b.ts'));
    });
    expect(paths).toEqual(['updated src/a.ts', 'deleted src/b.ts', 'created src/new.ts']);
    expect(beside).toEqual({ ...NOTHING, refs: ['refs/heads/foreword/r1'] });
  });

  test('shows ignored files, hooks and configuration (R2)', async () => {
    const { paths, beside } = await changesOf(() => {
      field.write('.env', 'KEY=1\n');
      field.write('secrets/x', 's\n');
      field.agent().run('config', 'core.hooksPath', '/evil');
      field.write('.git/hooks/post-commit', '#!/bin/sh\n');
      field.write('.git/info/exclude', '*\n');
      field.agent().run('branch', 'other');
    });
    expect(paths).toEqual([]);
    expect(beside).toEqual({
      ...NOTHING,
      ignored: { created: ['.env', 'secrets/x'], updated: [], deleted: [] },
      hooks: ['hooks/post-commit'],
      config: ['config', 'info/exclude'],
      refs: ['refs/heads/other'],
    });
  });

  test('cannot hide files behind an exclude list, an index flag or a repository of its own', async () => {
    const { paths, beside, after, source } = await changesOf(() => {
      field.write('.git/info/exclude', '*\n');
      field.agent().run('update-index', '--assume-unchanged', 'src/a.ts');
      field.write('src/a.ts', 'hidden\n');
      const nested = realGit(join(tree(), 'nested'));
      nested.run('init', '--quiet');
      nested.write('inner.ts', 'x\n');
      nested.write('.gitignore', 'ignored\n');
      nested.write('ignored', 'x\n');
      nested.write('deeper/y.ts', 'y\n');
      nested.commit();
      realGit(join(tree(), 'nested/again')).run('init', '--quiet');
      field.write('nested/again/z.ts', 'z\n');
      realGit(join(tree(), 'src')).run('init', '--quiet');
      field.write('src/c.ts', 'c\n');
    });
    expect(paths).toEqual([
      'created nested/.gitignore',
      'created nested/again/z.ts',
      'created nested/deeper/y.ts',
      'created nested/inner.ts',
      'updated src/a.ts',
      'created src/c.ts',
    ]);
    expect(beside.repositories).toEqual(['nested', 'nested/again', 'src']);
    expect(beside.ignored.created).toEqual(['nested/ignored']);
    field.write('nested/later.ts', 'later\n');
    const later = await observeCheckout(source, field.places.checkout(1));
    expect((await changedPaths(source.own, after.tree, later.tree)).map(({ path }) => path)).toEqual([
      'nested/later.ts',
    ]);
  });

  test('that replaced its git directory shows that', async () => {
    const { beside } = await changesOf(() => {
      rmSync(join(tree(), '.git'), { recursive: true });
      symlinkSync(join(field.person.root, '.git'), join(tree(), '.git'));
    });
    expect(beside.config).toContain('');
    expect(beside.refs).toContain('HEAD');
  });

  test('that exchanged the checkout for a link is an error, not a look at another folder', async () => {
    const work = () => {
      rmSync(tree(), { recursive: true });
      symlinkSync(field.person.root, tree());
    };
    await expect(changesOf(work)).rejects.toMatchObject({ code: 'bad-input' });
  });

  test('shows files of any size and name with their content', async () => {
    const odd = Buffer.concat([Buffer.from(`${tree()}/odd`), Buffer.from([0xff])]);
    const { source, after } = await changesOf(() => {
      writeFileSync(odd, 'odd');
      writeFileSync(join(tree(), 'large.bin'), Buffer.alloc(21 * 1024 * 1024, 7));
      chmodSync(join(tree(), 'src/a.ts'), 0o755);
      symlinkSync('/etc/passwd', join(tree(), 'link'));
    });
    const listed = (await source.own.run(['ls-tree', '-r', '-l', after.tree])).toString('latin1');
    expect(listed).toMatch(/100644 blob \w+ 22020096\tlarge\.bin/);
    expect(listed).toMatch(/120000 blob \w+ +11\tlink/);
    expect(listed).toMatch(/100755 blob \w+ +4\tsrc\/a\.ts/);
    expect(listed).toContain('odd\\377');
  });

  test('is shown as a diff that no attribute and no program changes', async () => {
    field.person.write('.gitattributes', '*.ts -diff diff=evil\n');
    field.person.commit();
    const { source, before, after } = await changesOf(() => field.write('src/a.ts', 'two\n'));
    const shown = await diffText(source.own, [before.tree, after.tree]);
    expect(shown).toContain('-one\n+two\n');
    expect(await diffText(source.own, [before.tree, after.tree], { hasColour: true })).toContain('\u001b[');
    expect(await diffText(source.own, [before.tree, after.tree], { paths: ['src/b.ts'] })).toBe('');
    expect(await changedPaths(source.own, before.tree, after.tree)).toEqual([
      { path: 'src/a.ts', kind: 'updated', added: 1, removed: 1 },
    ]);
  });
});

describe('what an attempt needs', () => {
  test('is there after the person’s git gc --prune=now, also where their repository had it by chance', async () => {
    // Objects that no ref reaches any more: git does not write again what it can read there.
    field.person.write('src/new/file.ts', 'a file that was staged once\n');
    field.person.run('add', '--all');
    const dropped = field.person.run('write-tree');
    field.person.run('reset', '--quiet', '--hard');
    rmSync(join(field.person.root, 'src/new'), { recursive: true, force: true });
    const { source, after } = await changesOf(() => field.write('src/new/file.ts', 'a file that was staged once\n'));
    expect(after.tree).toBe(dropped);
    const commit = await commitOf(source, after.tree, field.person.run('rev-parse', 'HEAD'));
    field.person.run('reflog', 'expire', '--expire=now', '--all');
    field.person.run('gc', '--quiet', '--prune=now');
    expect(() => field.person.run('cat-file', '-e', dropped)).toThrow();
    expect((await source.own.run(['ls-tree', '-r', '--name-only', commit])).toString()).toContain('src/new/file.ts');
    expect((await source.own.run(['cat-file', 'blob', `${commit}:src/new/file.ts`])).toString()).toBe(
      'a file that was staged once\n',
    );
    await source.own.run(['rev-list', '--objects', '--quiet', commit]);
  });
});

describe('a folder without git', () => {
  test('is a tree in our repository, without what is away', async () => {
    const plain = join(folder, 'plain');
    mkdirSync(join(plain, 'node_modules/a'), { recursive: true });
    for (const [path, text] of [
      ['a.txt', 'a'],
      ['.gitignore', 'b.txt\n'],
      ['b.txt', 'b'],
      ['node_modules/a/x', 'x'],
    ] as const)
      writeFileSync(join(plain, path), text);
    const source = await openCheckouts({ root: plain, work: field.places.work, env: field.env });
    const { tree: made } = await snapshotProject(source, field.places.work.snapshots, {
      away: ['node_modules'],
      known: null,
    });
    expect((await source.own.run(['ls-tree', '-r', '--name-only', made])).toString()).toBe('.gitignore\na.txt\n');
  });

  test('of the person with changes leaves the person’s repository as it is', async () => {
    const source = await field.open();
    field.person.write('src/a.ts', 'changed\n');
    field.person.write('untracked', 'u\n');
    const known = (await field.target(source)).tree;
    const { tree: made } = await snapshotProject(source, field.places.work.snapshots, { away: [], known });
    expect((await changedPaths(source.own, known, made)).map(({ path }) => path)).toEqual(['src/a.ts', 'untracked']);
    expect(field.person.run('status', '--porcelain')).toBe(' M src/a.ts\n?? untracked');
  });
});

test('a git that lies in the person’s repository is not started, also when PATH has its folder first', async () => {
  const bin = join(field.person.root, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const ran = join(folder, 'planted-git-ran');
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n: > '${ran}'\n`, { mode: 0o755 });
  field = {
    ...field,
    open: () =>
      openCheckouts({
        root: field.person.root,
        work: field.places.work,
        env: { ...field.env, PATH: `${bin}:${field.env.PATH}` },
      }),
  };
  const { source } = await checkedOut(field);
  writeFileSync(join(tree(), 'new.txt'), 'new\n');
  const { tree: seen } = await observeCheckout(source, field.places.checkout(1));
  expect(seen).toMatch(/^[0-9a-f]{40}$/);
  expect(existsSync(ran)).toBe(false);
});
