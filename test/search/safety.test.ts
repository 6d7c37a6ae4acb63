// What code search leaves out, and what it does when the ground moves under it.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSecretName, openCodeSearch } from '../../src/context/sources/code.ts';
import { openSearchIndex } from '../../src/stores/sqlite/search-index.ts';
import { openRepository } from '../../src/system/git/repository.ts';
import { GIT_PATH, initialised } from '../git/real-git.ts';
import { type Project, project } from './project.ts';

let here: Project;
beforeEach(() => {
  here = project();
});
afterEach(() => here.remove());

test('links, binary, huge, badly encoded and secret files are left out and counted', async () => {
  const { git } = here;
  git.write('plain.ts', 'needle\n');
  git.write('image.png', Buffer.concat([Buffer.from('needle'), Buffer.alloc(1)]));
  git.write('late-zero.txt', `needle\n${'x'.repeat(9_000)}\0`);
  git.write('huge.txt', 'needle\n'.repeat(100_000));
  git.write('latin.txt', Buffer.from('needle caf\xe9\n', 'latin1'));
  git.write('empty.txt', '');
  for (const name of ['.env', '.env.local', 'keys/server.pem', 'id_rsa', 'deep/.npmrc', 'credentials.json']) {
    git.write(name, 'needle\n');
  }
  symlinkSync('plain.ts', join(git.root, 'link.ts'));
  symlinkSync('/etc/passwd', join(git.root, 'passwd'));
  const inner = initialised(join(here.folder, 'inner'));
  inner.commit();
  git.run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'part');
  git.write('.gitignore', 'ignored.ts\n');
  git.write('ignored.ts', 'needle\n');
  git.run('add', '--all');
  const search = await here.open();
  expect(await search.refresh()).toEqual({
    files: 5,
    updated: 5,
    removed: 0,
    read: 7,
    leftOut: { binary: 1, huge: 1, encoding: 1, secret: 6, link: 2 },
  });
  expect((await search.find(['needle'], 20)).map(({ path }) => path).toSorted()).toEqual(['late-zero.txt', 'plain.ts']);
});

test.each([
  ['.env', '.env.production', 'prod.env', 'a/b.KEY', 'x.p12', 'id_ed25519.pub', '.netrc', '_netrc', 'Credentials'],
  ['secrets.yaml', 'secret.txt', 'terraform.tfvars', '.git-credentials', '.pgpass', 'ca.pem', 'a.tfstate.backup'],
])('%j … are names of secrets', (...names) => {
  expect(names.filter((name) => !isSecretName(name))).toEqual([]);
});

test('names that only sound like secrets are not', () => {
  const names = [
    'environment.ts',
    'keyboard.ts',
    'src/secretary.ts',
    'tokens.ts',
    'key.ts',
    'monkey',
    'env.ts',
    'credentialsource.ts',
  ];
  expect(names.filter(isSecretName)).toEqual([]);
});

test('a folder that became a link to the outside is not entered', async () => {
  here.git.write('src/a.ts', 'needle inside\n');
  here.git.run('add', '.');
  const search = await here.open();
  await search.refresh();
  mkdirSync(join(here.folder, 'outside'));
  writeFileSync(join(here.folder, 'outside/a.ts'), 'needle outside\n');
  rmSync(join(here.git.root, 'src'), { recursive: true });
  symlinkSync(join(here.folder, 'outside'), join(here.git.root, 'src'));
  expect(await search.find(['needle'], 5)).toEqual([]);
  expect(await search.refresh()).toEqual({ files: 0, updated: 0, removed: 1, read: 0, leftOut: { link: 1 } });
});

test('paths in an index made by hand lead nowhere', async () => {
  here.git.write('abcd/a.ts', 'needle\n');
  here.git.write('.git/private', 'needle\n');
  here.git.write('../abcdefgh', 'needle\n');
  here.git.run('add', '.');
  here.git.run(
    'update-index',
    '--add',
    '--cacheinfo',
    `100644,${here.git.run('hash-object', '-w', 'abcd/a.ts')},xx/abcdefgh`,
  );
  here.git.run(
    'update-index',
    '--add',
    '--cacheinfo',
    `100644,${here.git.run('hash-object', '-w', 'abcd/a.ts')},xgit/private`,
  );
  // Names of the same length, and the checksum at the end made right again.
  const file = join(here.git.root, '.git/index');
  const text = readFileSync(file, 'latin1')
    .replace('xx/abcdefgh', '../abcdefgh')
    .replace('xgit/private', '.git/private');
  const bytes = Buffer.from(text.slice(0, -20), 'latin1');
  writeFileSync(file, Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]));
  const search = await here.open();
  const report = await search.refresh().catch(() => undefined);
  // Either git refuses such an index, or we do.
  if (report !== undefined) expect(report).toMatchObject({ files: 1, leftOut: { link: 2 } });
  for (const { path } of await search.find(['needle'], 5)) expect(path).toBe('abcd/a.ts');
});

test('what passes through is redacted, in the index and in the snippet, and the line is still right', async () => {
  const secret = 'AAAA-line-one\nBBBB-line-two\nCCCC-line-three';
  here.git.write('config.ts', `// top\nconst key = \`${secret}\`;\nconst needle = 'hunter2hunter2';\n`);
  here.git.run('add', '.');
  const redact = (text: string) => text.replace(secret, '[redacted]').replaceAll('hunter2hunter2', '[redacted]');
  const search = await here.open({ redact });
  await search.refresh();
  expect(await search.find(['needle'], 5)).toEqual([
    { path: 'config.ts', line: 5, snippet: "const needle = '[redacted]';" },
  ]);
  expect(await search.find(['hunter2hunter2', 'bbbb'], 5)).toEqual([]);
  search.close();
  const bytes = readdirSync(here.folder)
    .filter((name) => name.startsWith('search.db'))
    .map((name) => readFileSync(join(here.folder, name), 'latin1').toLowerCase())
    .join();
  expect(['needl', 'hunter2', 'bbbb'].filter((word) => bytes.includes(word))).toEqual(['needl']);
});

test('a file that changed since is shown as it is now, one that lost the word or is gone is not', async () => {
  for (const name of ['a', 'b', 'c', 'd']) here.git.write(`${name}.ts`, 'needle\n');
  here.git.run('add', '.');
  const search = await here.open();
  await search.refresh();
  here.git.write('a.ts', '\n\nnow the needle is here\n');
  here.git.write('b.ts', 'nothing\n');
  rmSync(join(here.git.root, 'c.ts'));
  here.git.write('d.ts', Buffer.alloc(1_000_000, 'needle '));
  expect(await search.find(['needle'], 4)).toEqual([{ path: 'a.ts', line: 3, snippet: 'now the needle is here' }]);
});

test('a project below the top of its repository sees its own files only', async () => {
  here.git.write('above.ts', 'needle\n');
  here.git.write('packages/one/a.ts', 'needle\n');
  here.git.write('packages/one-more/b.ts', 'needle\n');
  here.git.run('add', '.');
  const search = await here.open({ root: join(here.git.root, 'packages/one') });
  expect(await search.refresh()).toMatchObject({ files: 1 });
  expect(await search.find(['needle'], 5)).toEqual([{ path: 'a.ts', line: 1, snippet: 'needle' }]);
});

test('no words find nothing, and a limit is kept', async () => {
  for (let i = 0; i < 10; i++) here.git.write(`f${i}.ts`, 'needle\n');
  here.git.run('add', '.');
  const search = await here.open();
  await search.refresh();
  expect(await search.find([], 5)).toEqual([]);
  expect(await search.find(['needle'], 3)).toHaveLength(3);
});

test('a damaged index is made anew, also when the damage shows only in use', async () => {
  for (let i = 0; i < 300; i++) here.git.write(`f${i}.ts`, `word${i} ${'more '.repeat(100)}\n`);
  here.git.run('add', '.');
  const first = await here.open();
  await first.refresh();
  first.close();
  const database = new Libsql(here.indexFile);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  writeFileSync(here.indexFile, readFileSync(here.indexFile).fill(0x5a, 4096 * 12));
  const second = await here.open();
  await second.find(['more'], 5);
  expect(await second.refresh()).toMatchObject({ files: 300 });
  expect((await second.find(['word7'], 5)).map(({ path }) => path)).toEqual(['f7.ts']);
});

test('an index that another process replaced is opened again', async () => {
  here.git.write('a.ts', 'needle\n');
  here.git.run('add', '.');
  const search = await here.open();
  await search.refresh();
  for (const name of readdirSync(here.folder).filter((name) => name.startsWith('search.db')))
    rmSync(join(here.folder, name));
  const repository = openRepository(here.git.root, GIT_PATH)!;
  const index = await openSearchIndex(here.indexFile);
  const other = openCodeSearch({ root: here.git.root, repository, index, redact: (text) => text });
  await other.refresh();
  here.git.write('a.ts', 'thread\n');
  expect(await search.refresh()).toMatchObject({ files: 1, updated: 1 });
  expect((await other.find(['thread'], 5)).map(({ path }) => path)).toEqual(['a.ts']);
  other.close();
});
