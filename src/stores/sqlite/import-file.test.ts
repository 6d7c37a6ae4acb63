import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkLine as check } from '../../config/schemas/records.ts';
import { fill } from '../contract/filled.ts';
import { memoryStores } from '../memory.ts';
import { exportLines, importRecords } from '../transfer.ts';
import { readStoreFile } from './import-file.ts';
import { openSqliteStores } from './open.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-import-file-'));
  file = join(folder, 'old.db');
  const stores = await openSqliteStores(file);
  await fill(stores);
  await stores.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = () => readStoreFile(file, { where: 'old.db', check });

function change(sql: string): void {
  const database = new Libsql(file);
  database.exec(sql);
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  database.close();
}

test('a file gives the records of its store, and is not changed', async () => {
  const bytes = readFileSync(file);
  const names = readdirSync(folder);
  const { lines, leftOut } = read();
  expect(leftOut).toEqual({});
  const [source, target] = [await openSqliteStores(join(folder, 'old.db')), memoryStores()];
  await importRecords(lines, target, {});
  const all = async (stores: typeof source) => {
    const found: string[] = [];
    for await (const line of exportLines(stores)) found.push(line);
    return found.sort();
  };
  expect(await all(target)).toEqual(await all(source));
  await source.close();
  expect(readFileSync(file)).toEqual(bytes);
  expect(names.filter((name) => !name.startsWith('old.db'))).toEqual([]);
});

test('what is in the log and not yet in the file comes too, and the log stays', async () => {
  const open = new Libsql(file);
  open.exec(`INSERT INTO journal (key, body) VALUES ('late', '{"id":"late","at":"2026-01-01T00:00:00Z","kind":"x"}')`);
  const log = readFileSync(`${file}-wal`);
  expect(log.length).toBeGreaterThan(0);
  const ids = read().lines.flatMap(({ line }) => (line.kind === 'event' ? [line.record.id] : []));
  expect(ids).toContain('late');
  expect(readFileSync(`${file}-wal`)).toEqual(log);
  open.close();
});

test('records that are not valid are left out and counted, the others come', () => {
  const whole = read().lines.length;
  change(`INSERT INTO journal (key, body) VALUES ('a', 'no JSON'), ('b', '{"id":1}'), ('c', '${'['.repeat(500)}');
    INSERT INTO continuity (key, body) VALUES ('d', CAST(x'ff' AS TEXT));
    INSERT INTO attempts (task, number, body) SELECT 'gap', 2, body FROM attempts WHERE number = 2 LIMIT 1;
    INSERT INTO cleared (task, up_to) VALUES ('nobody', 3)`);
  const { lines, leftOut } = read();
  expect(lines.length).toBe(whole);
  expect(leftOut).toEqual({
    'event records that are not JSON maps': 2,
    'event records that are not valid': 1,
    'continuity records whose text is not UTF-8': 1,
    'attempts after a gap': 1,
  });
});

test.each([
  ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON tasks BEGIN SELECT 1; END', 'a trigger that is not ours (t)'],
  ['a view', 'CREATE VIEW v AS SELECT 1', 'a view that is not ours (v)'],
  ['a table too few', 'DROP TABLE sessions', 'it lacks sessions'],
  ['a newer version', 'PRAGMA user_version=9', 'it was written by a newer version (schema 9)'],
  ['no version', 'PRAGMA user_version=0', 'it is not a foreword store'],
])('a file with %s is refused whole', (_, sql, why) => {
  change(sql);
  const bytes = readFileSync(file);
  expect(read).toThrow(expect.objectContaining({ code: 'bad-input', message: expect.stringContaining(why) }));
  expect(readFileSync(file)).toEqual(bytes);
});

test("a damaged file, another program's and an empty one are refused, and no copy is left", () => {
  const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('foreword-copy-'));
  const before = copies();
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 4096 + 8, bytes.length - 100);
  for (const content of [
    bytes,
    bytes.subarray(0, 5000),
    Buffer.from('SQLite format 3\0 and no more'),
    Buffer.alloc(0),
  ]) {
    rmSync(`${file}-wal`, { force: true });
    writeFileSync(file, content);
    expect(read).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(readFileSync(file)).toEqual(content);
  }
  rmSync(file);
  const other = new Libsql(file);
  other.exec('CREATE TABLE theirs (x)');
  other.close();
  expect(read).toThrow(expect.objectContaining({ message: expect.stringContaining('it is not a foreword store') }));
  expect(copies()).toEqual(before);
});
