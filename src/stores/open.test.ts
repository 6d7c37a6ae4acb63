import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import type { Stores } from '../kernel/stores.ts';
import { event } from './contract/samples.ts';
import { memoryStores } from './memory.ts';
import { openToLook, type StoreChoice, storeIdentity, storeOpener } from './open.ts';

let root: string;
let notes: string[];
let opened: Stores[];
beforeEach(() => {
  root = temporaryFolder('open-stores');
  notes = [];
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  rmSync(root, { recursive: true, force: true });
});

const choice = (store?: string): StoreChoice => ({
  root,
  servers: { allowVolatile: false, allowPlainRedis: false },
  fleets: async () => ({
    get: () => undefined,
    keep: (_server, id) => id,
    join: () => undefined,
    project: () => ({ roots: [], folder: '' }),
  }),
  store,
});
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
    expect([storeIdentity(choice(store)), readdirSync(root)]).toEqual(['none', []]);
    const written = keep(await opener(store).write());
    await written.journal.append(event('a'));
    expect(existsSync(store ?? join(root, '.foreword/foreword.db'))).toBe(true);
    const read = await opener(store).read();
    expect(await idsIn(keep(read ?? expect.fail('nothing to read')))).toEqual(['a']);
    const seen = keep(await openToLook(choice(store), 100));
    expect(await idsIn(seen)).toEqual(['a']);
    await expect(seen.journal.append(event('b'))).rejects.toThrow();
    expect(storeIdentity(choice(store))).toMatch(/^\d+:\d+$/);
  },
);

test('a file without a byte is a store in which nothing was written yet', async () => {
  writeFileSync(join(root, 'own.db'), '');
  expect(await idsIn(keep(await openToLook(choice(join(root, 'own.db')), 100)))).toEqual([]);
});

test('a damaged store of the project is refused and left alone, and set aside only where a person wants a fresh one', async () => {
  mkdirSync(join(root, '.foreword'));
  writeFileSync(join(root, '.foreword/foreword.db'), 'no database, and long enough to be looked at'.repeat(50));
  await expect(openToLook(choice(), 100)).rejects.toMatchObject({ code: 'store-damaged' });
  await expect(opener().read()).rejects.toMatchObject({ code: 'store-damaged' });
  await expect(opener().examine()).rejects.toMatchObject({ code: 'store-damaged' });
  await expect(opener().write()).rejects.toMatchObject({
    code: 'store-damaged',
    hint: expect.stringContaining('--fresh'),
  });
  expect(readdirSync(join(root, '.foreword')).sort()).toEqual(['.gitignore', 'foreword.db']);
  const stores = keep(await opener(undefined, undefined, { isFresh: true }).write());
  expect(notes).toEqual([
    expect.stringMatching(/^foreword\.db .*\. It was renamed to .*, and a new one was created\.$/),
  ]);
  expect((await stores.journal.read()).map(({ value }) => value.kind)).toEqual(['store-set-aside']);
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
  const before = readdirSync(join(root, '.foreword')).sort();
  expect((await opener().examine()).detail).toContain('synced at every commit');
  expect(readdirSync(join(root, '.foreword')).sort()).toEqual(before);
  await stores.close();
});
