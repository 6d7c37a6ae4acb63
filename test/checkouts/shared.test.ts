// Shared folders: copied, never linked, and as before after an agent.

import {
  chmodSync,
  linkSync,
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
import { findShared, observeCheckout, resetCheckout } from '../../src/runs/checkouts/index.ts';
import { relativeTarget, staysInside } from '../../src/runs/checkouts/shared-manifest.ts';
import { openRepository } from '../../src/system/git/repository.ts';
import { temporaryFolder } from '../bundle.ts';
import { checkedOut, everything, type Field, makeField } from './field.ts';

let folder: string;
let field: Field;
beforeEach(() => {
  folder = temporaryFolder('shared');
  field = makeField(folder);
  field.person.write('.gitignore', 'node_modules/\n/vendor/\nbuild/\n');
  field.person.write('packages/one/index.js', '1\n');
  field.person.commit();
  field.person.write('node_modules/a/index.js', 'a\n');
  field.person.write('node_modules/a/lib/b.js', 'b\n');
  field.person.write('packages/one/node_modules/c/index.js', 'c\n');
  field.person.write('build/out', 'x');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tree = () => field.places.checkout(1).tree;
const shared = ['node_modules', 'packages/one/node_modules'];

describe('shared folders', () => {
  test('are the ignored ones of that name, at any depth; a path is only itself', async () => {
    const repository = openRepository(field.person.root, field.env.PATH)!;
    field.person.write('vendor/v', 'v');
    const find = async (...share: string[]) => (await findShared(repository, { share, local: [] })).paths;
    expect(await find('node_modules', 'vendor')).toEqual(['node_modules', 'packages/one/node_modules', 'vendor']);
    expect(await find('packages/one/node_modules', './build/', 'packages')).toEqual([
      'build',
      'packages/one/node_modules',
    ]);
  });

  test('a commit with a link on the way to one does not reach the folder of the person', async () => {
    const one = join(field.person.root, 'packages/one');
    renameSync(one, join(folder, 'aside'));
    symlinkSync(one, one);
    field.person.commit();
    rmSync(one);
    renameSync(join(folder, 'aside'), one);
    const before = everything(field.person.root);
    const { result, source } = await checkedOut(field, { shared });
    expect(result.leftOut).toEqual([{ kind: 'shared', path: 'packages/one/node_modules' }]);
    await observeCheckout(source, field.places.checkout(1));
    expect(everything(field.person.root)).toEqual(before);
  });

  test('a local file behind a tracked link stays where it is', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'settings.local.json'), '{}');
    symlinkSync(elsewhere, join(field.person.root, '.claude'));
    field.person.commit();
    const local = '.claude/settings.local.json';
    const repository = openRepository(field.person.root, field.env.PATH)!;
    const { paths } = await findShared(repository, { share: [], local: [local] });
    const { result } = await checkedOut(field, { shared: paths });
    expect(readFileSync(join(elsewhere, 'settings.local.json'), 'utf8')).toBe('{}');
    expect(result.leftOut).toEqual([{ kind: 'shared', path: local }]);
  });

  test('are copied with modes and times, and are not seen by git or in the ignored files', async () => {
    chmodSync(join(field.person.root, 'node_modules/a/index.js'), 0o755);
    utimesSync(join(field.person.root, 'node_modules/a/index.js'), 1_600_000_000, 1_600_000_000);
    const { source } = await checkedOut(field, { shared });
    expect(everything(join(tree(), 'node_modules'))).toEqual(everything(join(field.person.root, 'node_modules')));
    expect(statSync(join(tree(), 'node_modules/a/index.js')).mtimeMs).toBe(1_600_000_000_000);
    expect(field.agent().run('status', '--porcelain')).toBe('');
    const { ignored, shared: counts } = await observeCheckout(source, field.places.checkout(1));
    expect(ignored).toEqual({});
    expect(counts).toEqual({ node_modules: 0, 'packages/one/node_modules': 0 });
  });

  test('are as before after an agent changed, removed, replaced and added files; the original is untouched', async () => {
    const { source, target } = await checkedOut(field, { shared });
    const original = everything(field.person.root);
    const before = everything(tree(), /^\.git$/);
    const same = statSync(join(tree(), 'packages/one/node_modules/c/index.js')).ino;
    const { atime, mtime } = statSync(join(tree(), 'node_modules/a/index.js'));
    field.write('node_modules/a/index.js', 'z\n');
    utimesSync(join(tree(), 'node_modules/a/index.js'), atime, mtime);
    rmSync(join(tree(), 'node_modules/a/lib'), { recursive: true });
    symlinkSync('/etc', join(tree(), 'node_modules/a/lib'));
    field.write('node_modules/added/x.js', 'x');
    expect((await observeCheckout(source, field.places.checkout(1))).shared.node_modules).toBe(5);
    const { restored } = await resetCheckout(source, field.places.checkout(1), target);
    expect(everything(tree(), /^\.git$/)).toEqual(before);
    expect(restored).toEqual({
      node_modules: { changed: ['a/index.js', 'a/lib'], removed: ['a/lib/b.js'], added: ['added', 'added/x.js'] },
      'packages/one/node_modules': { changed: [], removed: [], added: [] },
    });
    expect(statSync(join(tree(), 'packages/one/node_modules/c/index.js')).ino).toBe(same);
    expect(everything(field.person.root)).toEqual(original);
  });

  test.each([
    ['removed', () => rmSync(join(tree(), 'node_modules'), { recursive: true })],
    [
      'made a link to the person’s',
      () => {
        rmSync(join(tree(), 'node_modules'), { recursive: true });
        symlinkSync(join(field.person.root, 'node_modules'), join(tree(), 'node_modules'));
      },
    ],
    [
      'moved away with its parent',
      () => {
        renameSync(join(tree(), 'packages'), join(folder, 'away'));
        symlinkSync(join(folder, 'away'), join(tree(), 'packages'));
      },
    ],
    ['had its manifest lost', () => rmSync(field.places.checkout(1).shared, { recursive: true })],
  ])('come again when the folder was %s', async (_, change) => {
    const { source, target } = await checkedOut(field, { shared });
    const before = everything(tree(), /^\.git$/);
    change();
    await resetCheckout(source, field.places.checkout(1), target);
    expect(everything(tree(), /^\.git$/)).toEqual(before);
    expect(readFileSync(join(field.person.root, 'node_modules/a/index.js'), 'utf8')).toBe('a\n');
  });

  test('have no link that leads out: hard links are files of their own, links into the project stay in the checkout', async () => {
    const modules = join(field.person.root, 'node_modules');
    linkSync(join(modules, 'a/index.js'), join(modules, 'a/hard.js'));
    mkdirSync(join(modules, '.bin'));
    symlinkSync('../a/index.js', join(modules, '.bin/a'));
    symlinkSync('../packages/one', join(modules, 'one'));
    symlinkSync(join(field.person.root, 'packages/one'), join(modules, 'absolute'));
    symlinkSync('/usr/lib', join(modules, 'outside'));
    symlinkSync('../../..', join(modules, 'above'));
    symlinkSync('one/../../..', join(modules, 'tricky'));
    const { result } = await checkedOut(field, { shared: ['node_modules'] });
    const copy = everything(join(tree(), 'node_modules'));
    expect(copy).toMatchObject({
      '.bin/a': 'link ../a/index.js',
      one: 'link ../packages/one',
      absolute: 'link ../packages/one',
    });
    expect(result.leftOut.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual(
      ['above', 'outside', 'tricky'].map((name) => ({ kind: 'shared', path: `node_modules/${name}` })),
    );
    expect(lstatSync(join(tree(), 'node_modules/a/hard.js')).nlink).toBe(1);
    writeFileSync(join(tree(), 'node_modules/a/hard.js'), 'written');
    expect(readFileSync(join(modules, 'a/index.js'), 'utf8')).toBe('a\n');
  });

  test('that the person does not have are named', async () => {
    const { result } = await checkedOut(field, { shared: ['vendor'] });
    expect(result.leftOut).toEqual([{ kind: 'shared', path: 'vendor' }]);
  });
});

describe('a link', () => {
  test.each([
    ['node_modules/x', '../a', true],
    ['node_modules/x', '../..', false],
    ['node_modules/x', '..', true],
    ['node_modules/x', '/a', false],
    ['node_modules/x', 'a/../../b', false],
    ['node_modules/x', './a', true],
    ['node_modules/.bin/x', '../../a', true],
    ['node_modules/x', '', false],
  ])('at %s to %s stays inside: %s', (path, target, expected) => expect(staysInside(path, target)).toBe(expected));

  test('by a whole path is turned into one that leads to the same place in the checkout', () => {
    expect(relativeTarget('node_modules/@o/p', '/r/packages/p', '/r')).toBe('../../packages/p');
    expect(relativeTarget('node_modules/p', '/root/x', '/r')).toBeUndefined();
  });
});
