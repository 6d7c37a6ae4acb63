// Filters, LFS and submodules: what comes along, what runs, and what is named.

import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { observeCheckout, resetCheckout } from '../../src/runs/checkouts/index.ts';
import { temporaryFolder } from '../bundle.ts';
import { initialised, realGit } from '../git/real-git.ts';
import { checkedOut, everything, type Field, makeField } from './field.ts';

let folder: string;
let field: Field;
beforeEach(() => {
  folder = temporaryFolder('left-out');
  field = makeField(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tree = () => field.places.checkout(1).tree;

/** A program that notes that it ran. */
function program(name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n: > '${join(folder, `ran-${name}`)}'\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const ran = () => readdirSync(folder).filter((name) => name.startsWith('ran-'));

function personSets(...lines: string[]): void {
  writeFileSync(join(field.env.HOME as string, '.gitconfig'), `${lines.join('\n')}\n`);
}

describe('filters', () => {
  beforeEach(() => {
    field.person.write('.gitattributes', '*.txt filter=upper\n');
    field.person.write('a.txt', 'abc\n');
    field.person.commit();
  });

  test('of the person run when files are written and when they are read', async () => {
    personSets(
      '[filter "upper"]',
      `smudge = ${program('smudge', 'tr a-z A-Z')}`,
      `clean = ${program('clean', 'tr A-Z a-z')}`,
    );
    const { source, target, result } = await checkedOut(field);
    expect(result.leftOut).toEqual([]);
    expect(field.read('a.txt')).toBe('ABC\n');
    field.write('b.txt', 'NEW\n');
    const { tree: after } = await observeCheckout(source, field.places.checkout(1));
    const shown = await source.own.run(['cat-file', 'blob', `${after}:b.txt`]);
    expect(shown.toString()).toBe('new\n');
    await resetCheckout(source, field.places.checkout(1), target);
    expect(field.read('a.txt')).toBe('ABC\n');
    expect(ran()).toEqual(['ran-clean', 'ran-smudge']);
  });

  test('of the repository’s own configuration do not run, and are named', async () => {
    field.person.run('config', 'filter.upper.smudge', program('smudge', 'tr a-z A-Z'));
    field.person.run('config', 'core.fsmonitor', program('fsmonitor', 'exit 1'));
    field.person.run('config', 'core.hooksPath', join(folder, 'hooks'));
    mkdirSync(join(folder, 'hooks'));
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
      program(`hooks/${hook}`, `: > '${folder}/ran-${hook}'`);
    const { source, result } = await checkedOut(field);
    await observeCheckout(source, field.places.checkout(1));
    expect(result.leftOut).toEqual([{ kind: 'filter', name: 'upper' }]);
    expect(field.read('a.txt')).toBe('abc\n');
    expect(ran()).toEqual([]);
  });

  test('that fail leave the files as they are stored, and are named', async () => {
    personSets('[filter "upper"]', 'required = true', `smudge = ${program('smudge', 'exit 1')}`);
    const { result } = await checkedOut(field);
    expect(result.leftOut).toEqual([{ kind: 'filters-failed', reason: expect.stringContaining('upper') }]);
    expect(field.read('a.txt')).toBe('abc\n');
  });

  test('in a folder of the project are not found by name', async () => {
    field.person.write('bin/own-filter', `#!/bin/sh\n: > '${join(folder, 'ran-own')}'\ncat\n`);
    chmodSync(join(field.person.root, 'bin/own-filter'), 0o755);
    personSets('[filter "upper"]', 'smudge = own-filter');
    field.env.PATH = `${join(field.person.root, 'bin')}:${field.env.PATH}`;
    await checkedOut(field);
    expect(ran()).toEqual([]);
  });
});

describe('LFS', () => {
  const pointer = (id: string) => `version https://git-lfs.github.com/spec/v1\noid sha256:${id}\nsize 4\n`;

  test('objects come from the person’s .git/lfs; one that is missing is named, and its pointer stays', async () => {
    // Does what git-lfs does with GIT_LFS_SKIP_SMUDGE: an object in lfs.storage, else the pointer.
    const lfs = program(
      'lfs',
      'storage=$(git config lfs.storage); text=$(cat)\n' +
        'id=$(printf %s "$text" | sed -n "s/^oid sha256://p"); test "$GIT_LFS_SKIP_SMUDGE" = 1 || exit 1\n' +
        'if test -n "$id" && test -f "$storage/objects/$id"; then cat "$storage/objects/$id"; else echo "$text"; fi',
    );
    personSets('[filter "lfs"]', `smudge = ${lfs}`, 'clean = cat', 'required = true');
    field.person.run('config', 'filter.lfs.smudge', '');
    field.person.write('.gitattributes', '*.bin filter=lfs -text\n');
    field.person.write('here.bin', pointer('aaaa'));
    field.person.write('away.bin', pointer('bbbb'));
    field.person.commit();
    field.person.write('.git/lfs/objects/aaaa', 'DATA');
    const { result } = await checkedOut(field);
    expect(result.leftOut).toEqual([{ kind: 'lfs', path: 'away.bin' }]);
    expect(field.read('here.bin')).toBe('DATA');
    expect(field.read('away.bin')).toBe(pointer('bbbb'));
  });

  test('without git-lfs every pointer is named', async () => {
    field.person.write('.gitattributes', '*.bin filter=lfs -text\n');
    field.person.write('a.bin', pointer('aaaa'));
    field.person.write('small.bin', 'not a pointer');
    field.person.commit();
    const { result } = await checkedOut(field);
    expect(result.leftOut).toEqual([{ kind: 'lfs', path: 'a.bin' }]);
  });
});

describe('submodules', () => {
  const allow = ['-c', 'protocol.file.allow=always'];

  beforeEach(() => {
    const inner = initialised(join(folder, 'inner'));
    inner.write('deep.txt', 'deep\n');
    inner.commit();
    const library = initialised(join(folder, 'library'));
    library.write('lib.txt', 'one\n');
    library.run(...allow, 'submodule', '--quiet', 'add', '--name', 'in/ner', inner.root, 'vendor/inner');
    library.commit();
    field.person.write('a', 'a\n');
    field.person.run(...allow, 'submodule', '--quiet', 'add', library.root, 'lib');
    field.person.run(...allow, 'submodule', '--quiet', 'update', '--init', '--recursive');
    field.person.commit();
  });

  const files = () => everything(tree(), /^\.git$/);

  test('come as plain files, those in them too, and are reset file by file', async () => {
    const { source, target, result } = await checkedOut(field);
    expect(result.leftOut).toEqual([]);
    expect(
      Object.keys(files())
        .filter((path) => !path.endsWith('/'))
        .toSorted(),
    ).toEqual(['.gitmodules', 'a', 'lib/.gitmodules', 'lib/lib.txt', 'lib/vendor/inner/deep.txt']);
    const before = files();
    expect(field.agent().run('status', '--porcelain')).toBe('');
    const first = await observeCheckout(source, field.places.checkout(1));
    expect(first.submodules).toEqual({});
    field.write('lib/lib.txt', 'two\n');
    field.write('lib/new.txt', 'new\n');
    field.write('lib/vendor/inner/other', 'x');
    rmSync(join(tree(), 'lib/vendor/inner/deep.txt'));
    const second = await observeCheckout(source, field.places.checkout(1));
    expect(second.tree).toBe(first.tree);
    expect(Object.keys(second.submodules).toSorted()).toEqual([
      'lib/lib.txt',
      'lib/new.txt',
      'lib/vendor/inner/deep.txt',
      'lib/vendor/inner/other',
    ]);
    await resetCheckout(source, field.places.checkout(1), target);
    expect(files()).toEqual(before);
  });

  test('a link that an agent left in the place of one is not followed when the next commit lacks those in it', async () => {
    await checkedOut(field);
    const first = field.person.run('rev-parse', 'HEAD');
    rmSync(join(tree(), 'lib'), { recursive: true });
    symlinkSync(join(field.person.root, 'lib'), join(tree(), 'lib'));
    const library = realGit(join(field.person.root, 'lib'), field.env);
    library.run('rm', '--quiet', '--cached', 'vendor/inner');
    library.run('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--quiet', '--message', 'less');
    field.person.run('update-index', 'lib');
    field.person.commit();
    expect(field.person.run('rev-parse', 'HEAD')).not.toBe(first);
    const before = everything(field.person.root, /^\.git$/);
    await checkedOut(field);
    expect(everything(field.person.root, /^\.git$/)).toEqual(before);
    expect(Object.keys(files())).not.toContain('lib/vendor/inner/deep.txt');
  });

  test('are named when the person’s clone does not have them', async () => {
    rmSync(join(field.person.root, '.git/modules/lib/modules'), { recursive: true });
    rmSync(join(field.person.root, 'lib/vendor'), { recursive: true });
    expect((await checkedOut(field)).result.leftOut).toEqual([{ kind: 'submodule', path: 'lib/vendor/inner' }]);
    rmSync(join(field.person.root, '.git/modules'), { recursive: true });
    rmSync(join(field.person.root, 'lib'), { recursive: true });
    expect((await checkedOut(field)).result.leftOut).toEqual([{ kind: 'submodule', path: 'lib' }]);
    expect(Object.keys(files()).toSorted()).toEqual(['.gitmodules', 'a', 'lib/']);
  });

  test('go with a commit that has files in their place, and come back', async () => {
    const withModule = field.person.run('rev-parse', 'HEAD');
    await checkedOut(field);
    field.person.run('rm', '--quiet', '--force', 'lib');
    field.person.write('lib/own.txt', 'own\n');
    field.person.commit();
    const { source } = await checkedOut(field);
    expect(Object.keys(files()).toSorted()).toEqual(['.gitmodules', 'a', 'lib/', 'lib/own.txt']);
    await resetCheckout(source, field.places.checkout(1), await field.target(source, withModule));
    expect(existsSync(join(tree(), 'lib/vendor/inner/deep.txt'))).toBe(true);
    expect(existsSync(join(tree(), 'lib/own.txt'))).toBe(false);
  });

  test('an agent’s removal of one is part of the tree', async () => {
    const { source } = await checkedOut(field);
    rmSync(join(tree(), 'lib'), { recursive: true });
    const { tree: after } = await observeCheckout(source, field.places.checkout(1));
    expect((await source.own.run(['ls-tree', '--name-only', after])).toString()).toBe('.gitmodules\na\n');
  });
});
