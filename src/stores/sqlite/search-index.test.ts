import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IndexChange, IndexedFile, SearchIndex } from '../../kernel/search.ts';
import { openSearchIndex } from './search-index.ts';

let folder: string;
let index: SearchIndex;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-search-index-'));
  index = await openSearchIndex(join(folder, 'search.db'));
});
afterEach(() => {
  index.close();
  rmSync(folder, { recursive: true, force: true });
});

function file(path: string, more: Partial<IndexedFile> = {}): IndexedFile {
  return {
    path,
    size: 3,
    mtimeNs: '1700000000123456789',
    ctimeNs: '1700000000123456789',
    hash: 'h',
    readAt: 5,
    leftOut: null,
    ...more,
  };
}

function content(path: string, body: string | null, more: Partial<IndexedFile> = {}): IndexChange {
  return { kind: 'content', file: file(path, more), body };
}

test('files are kept with their stat, and found by words in any form', () => {
  index.apply([
    content('src/open-database.ts', 'export function openDatabase() {}'),
    content('src/other.ts', 'nothing of the kind; retries'),
    content('logo.png', null, { leftOut: 'binary' }),
  ]);
  expect([...index.files().values()]).toEqual([
    file('src/open-database.ts'),
    file('src/other.ts'),
    file('logo.png', { leftOut: 'binary' }),
  ]);
  expect(index.match(['database'], 5)).toEqual(['src/open-database.ts']);
  expect(index.match(['retry'], 5)).toEqual(['src/other.ts']);
  expect(index.match(['src/other.ts'], 5)).toEqual(['src/other.ts']);
  expect(index.match(['logo'], 5)).toEqual([]);
});

test('a word in the path weighs more than one in the text', () => {
  index.apply([content('a.ts', 'breaker and more words here'), content('breaker.ts', 'some other words in here')]);
  expect(index.match(['breaker'], 5)).toEqual(['breaker.ts', 'a.ts']);
  expect(index.match(['breaker'], 1)).toEqual(['breaker.ts']);
});

test('new content replaces the old words', () => {
  index.apply([content('a.ts', 'before')]);
  index.apply([content('a.ts', 'afterwards', { hash: 'i' })]);
  expect([index.match(['before'], 5), index.match(['afterwards'], 5)]).toEqual([[], ['a.ts']]);
  index.apply([content('a.ts', null, { leftOut: 'binary' })]);
  expect(index.match(['afterwards'], 5)).toEqual([]);
  index.apply([
    { kind: 'gone', path: 'a.ts' },
    { kind: 'gone', path: 'never.ts' },
  ]);
  expect(index.files().size).toBe(0);
});

test('a new stat is kept only if the content is still the one it was seen with', () => {
  index.apply([content('a.ts', 'x')]);
  index.apply([{ kind: 'stat', file: file('a.ts', { size: 9, hash: 'other' }) }]);
  expect(index.files().get('a.ts')).toEqual(file('a.ts'));
  index.apply([{ kind: 'stat', file: file('a.ts', { mtimeNs: '9', readAt: 8 }) }]);
  expect(index.files().get('a.ts')).toEqual(file('a.ts', { mtimeNs: '9', readAt: 8 }));
});

test.each(['"', '""', 'a"b', 'NEAR(', 'x AND y', 'path:x', '*', '^a', '-a', '\0', 'a\0b', '(', "'", '{', '🙂'])(
  'the word %j is a word and not a query',
  (word) => {
    index.apply([content('a.ts', 'plain')]);
    expect(index.match([word, 'plain'], 5)).toEqual(['a.ts']);
  },
);

test('no words, or signs only, find nothing', () => {
  index.apply([content('a.ts', 'plain')]);
  expect([index.match([], 5), index.match(['"', '…'], 5), index.match(['plain'], 0)]).toEqual([[], [], []]);
});

test('the text cannot be read back from the file', () => {
  index.apply([content('a.ts', 'zebra walks beside yellow umbrellas')]);
  index.close();
  const bytes = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join();
  const parts = ['zebra', 'zebra walks', 'beside yellow', 'umbrellas'];
  expect(parts.filter((part) => bytes.includes(part))).toEqual(['zebra']);
});

test('a file that is no database is thrown away and begun anew, and nothing of it is left', async () => {
  index.close();
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  writeFileSync(join(folder, 'search.db'), 'not a database at all, '.repeat(100));
  index = await openSearchIndex(join(folder, 'search.db'));
  expect(index.files().size).toBe(0);
  expect(readdirSync(folder).filter((name) => !/^search\.db(-wal|-shm)?$/.test(name))).toEqual([]);
});

test('damage met in the middle of work is reported, and gone after renewing', async () => {
  index.apply(Array.from({ length: 500 }, (_, i) => content(`f${i}.ts`, `word${i} ${'more '.repeat(50)}`)));
  index.close();
  const path = join(folder, 'search.db');
  const database = new Libsql(path);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = readFileSync(path);
  // The first pages hold the schema, which opening looks at; the rest is met later.
  writeFileSync(path, bytes.fill(0x5a, 4096 * 12));
  index = await openSearchIndex(path);
  const work = () => {
    index.files();
    index.match(['more'], 5);
    index.apply([content('x.ts', 'x')]);
  };
  expect(work).toThrow(expect.objectContaining({ code: 'store-damaged' }));
  await index.renew();
  expect(index.files().size).toBe(0);
  index.apply([content('a.ts', 'alive')]);
  expect(index.match(['alive'], 5)).toEqual(['a.ts']);
  expect(readdirSync(folder).filter((name) => !/^search\.db(-wal|-shm)?$/.test(name))).toEqual([]);
});

test('a closed index throws that it is closed, and closing twice is harmless', async () => {
  index.close();
  index.close();
  expect(() => index.files()).toThrow('was closed');
  await index.renew();
  expect(() => index.files()).toThrow('was closed');
});
