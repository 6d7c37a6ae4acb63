import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import type { Stores } from '../kernel/stores.ts';
import { stateOf } from '../system/files/open-state.ts';
import { event } from './contract/samples.ts';
import { memoryStores } from './memory.ts';
import { openToLook, type StoreChoice, storeIdentity, storeOpener } from './open.ts';

let folder: string;
let root: string;
let notes: string[];
let opened: Stores[];
beforeEach(() => {
  folder = temporaryFolder('open-stores');
  root = join(folder, 'shop');
  mkdirSync(root);
  notes = [];
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  rmSync(folder, { recursive: true, force: true });
});

const stateFolder = () => join(folder, 'state');
const choice = (store?: string): StoreChoice => ({
  state: stateOf(root, stateFolder()),
  servers: { allowVolatile: false, allowPlainRedis: false },
  fleets: async () => ({
    get: () => undefined,
    keep: (_server, id) => id,
    join: () => undefined,
    project: () => ({ roots: [], folder: '' }),
  }),
  store,
});
const ownStore = () => stateOf(root, stateFolder()).toLook()?.store ?? expect.fail('no project');
const opener = (store?: string, given?: Stores, more: Partial<StoreChoice> = {}) =>
  storeOpener(
    { ...choice(store), ...more },
    { note: (text) => notes.push(text), stamp: (happening) => ({ ...event('stamped'), ...happening }) as never },
    given,
  );
const keep = (stores: Stores): Stores => {
  opened.push(stores);
  return stores;
};
const idsIn = async (stores: Stores) => (await stores.journal.read()).map(({ value }) => value.id);

test.each([undefined, 'own.db'])(
  'nothing is made by reading or looking, and what was written is read and seen',
  async (name) => {
    const store = name === undefined ? undefined : join(root, name);
    expect(await opener(store).read()).toBeUndefined();
    expect(await idsIn(keep(await openToLook(choice(store), 100)))).toEqual([]);
    expect([storeIdentity(choice(store)), readdirSync(folder), readdirSync(root)]).toEqual(['none', ['shop'], []]);
    const written = keep(await opener(store).write());
    await written.journal.append(event('a'));
    expect(existsSync(store ?? ownStore())).toBe(true);
    const read = await opener(store).read();
    expect(await idsIn(keep(read ?? expect.fail('nothing to read')))).toEqual(['a']);
    const seen = keep(await openToLook(choice(store), 100));
    expect(await idsIn(seen)).toEqual(['a']);
    await expect(seen.journal.append(event('b'))).rejects.toThrow();
    expect(storeIdentity(choice(store))).toMatch(/^\d+:\d+:[0-9a-f]*$/);
  },
);

test('a file without a byte is a store in which nothing was written yet', async () => {
  writeFileSync(join(root, 'own.db'), '');
  expect(await idsIn(keep(await openToLook(choice(join(root, 'own.db')), 100)))).toEqual([]);
});

test('a damaged store of the project is refused and left alone, and set aside only where a person wants a fresh one', async () => {
  const { store } = stateOf(root, stateFolder()).toWrite();
  writeFileSync(store, 'no database, and long enough to be looked at'.repeat(50));
  await expect(openToLook(choice(), 100)).rejects.toMatchObject({ code: 'store-damaged' });
  await expect(opener().read()).rejects.toMatchObject({ code: 'store-damaged' });
  await expect(opener().examine()).rejects.toMatchObject({ code: 'store-damaged' });
  await expect(opener().write()).rejects.toMatchObject({
    code: 'store-damaged',
    hint: expect.stringContaining('--fresh'),
  });
  expect(readdirSync(dirname(store)).sort()).toEqual(['foreword.db', 'project.json', 'trees']);
  const stores = keep(await opener(undefined, undefined, { isFresh: true }).write());
  expect(notes).toEqual([
    expect.stringMatching(/^foreword\.db .*\. It was renamed to .*, and a new one was created\.$/),
  ]);
  expect((await stores.journal.read()).map(({ value }) => value.kind)).toEqual(['store-set-aside']);
});

test('a store in the repository is not read: a note names it as long as there are no records', async () => {
  mkdirSync(join(root, '.foreword'));
  const shipped = keep(await opener(join(root, '.foreword/foreword.db')).write());
  await shipped.journal.append(event('of a stranger'));
  const named = expect.stringContaining(`foreword import ${join(root, '.foreword/foreword.db')}`);
  const command = opener();
  expect([await command.read(), await command.read()]).toEqual([undefined, undefined]);
  const stores = keep(await command.write());
  expect([await idsIn(stores), notes]).toEqual([[], [named]]);
  await stores.journal.append(event('mine'));
  keep((await opener().read()) ?? expect.fail());
  expect(notes).toHaveLength(1);
});

test('the state of a project that is gone is offered to one like it', async () => {
  const { id, store } = stateOf(root, stateFolder()).toWrite();
  keep(await opener().write());
  renameSync(root, join(folder, 'shop-before'));
  mkdirSync(root);
  expect(existsSync(store)).toBe(true);
  await opener().read();
  keep(await opener().write());
  const offer = `a project like this one was at ${root}, which is gone. To use its state here: foreword adopt ${id}`;
  expect(notes).toEqual([offer, offer]);
  keep(await opener().write());
  expect(notes).toHaveLength(2);
});

test('stores of the caller are used as they are and not closed', async () => {
  const given = memoryStores();
  const closed: string[] = [];
  const made = opener('/never/opened.db', { ...given, close: async () => void closed.push('given') });
  expect(made.isGiven).toBe(true);
  const stores = await made.write();
  await stores.journal.append(event('a'));
  await stores.close();
  expect([await idsIn((await made.read()) ?? expect.fail()), closed]).toEqual([['a'], []]);
});

test('an address that no store has is refused with those that there are', async () => {
  const refusal = { code: 'bad-usage', message: 'foreword has no store for ftp:// addresses.' };
  await expect(opener('ftp://a/b').write()).rejects.toMatchObject(refusal);
  await expect(opener('ftp://a/b').read()).rejects.toMatchObject(refusal);
  await expect(openToLook(choice('ftp://a/b'), 100)).rejects.toMatchObject(refusal);
});

test('every folder here but the contract is a store that open.ts opens', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const text = readFileSync(join(import.meta.dirname, 'open.ts'), 'utf8');
  const opened = [...text.matchAll(/import\('\.\/(\w+)\/\w+\.ts'\)/g)].map(([, name]) => name);
  expect(folders.map(({ name }) => name).filter((name) => name !== 'contract' && !opened.includes(name))).toEqual([]);
});

test.each([
  ['a link to nothing', (file: string) => symlinkSync(join(folder, 'elsewhere.db'), file)],
  ['a link in a circle', (file: string) => symlinkSync(file, file)],
  ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
  ['a folder', (file: string) => mkdirSync(file)],
])('%s is no store: it is refused, and nothing is made behind it', async (_, make) => {
  const file = join(folder, 'named.db');
  make(file);
  const { write, read } = opener(file);
  for (const open of [write, read]) await expect(open()).rejects.toMatchObject({ code: 'bad-input' });
  expect(existsSync(join(folder, 'elsewhere.db'))).toBe(false);
});

test('the scheme of an address may be written in capitals, and the refusal names every scheme', async () => {
  const hint = expect.stringMatching(/^Use a file, (\w+:\/\/, )*redis:\/\/ or rediss:\/\/\.$/);
  await expect(opener('ftp://a/b').write()).rejects.toMatchObject({ hint });
  await expect(opener('REDIS://user:word@[::1').write()).rejects.not.toMatchObject({ hint });
});

test('what was written is examined without a change, a store that is not there too', async () => {
  expect(await opener().examine()).toMatchObject({ kind: 'memory' });
  expect(readdirSync(root)).toEqual([]);
  const stores = await opener().write();
  await stores.journal.append(event('a'));
  const kept = () => readdirSync(dirname(ownStore())).sort();
  const before = kept();
  expect((await opener().examine()).detail).toContain('synced at every commit');
  expect(kept()).toEqual(before);
  await stores.close();
});
