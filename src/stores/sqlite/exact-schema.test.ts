import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/bundle.ts';
import { endlessTree } from '../../../test/stores/mutate.ts';
import { event } from '../contract/samples.ts';
import { schemaDifference } from './exact-schema.ts';
import { examineSqliteFile } from './examine.ts';
import { openSqliteStores, readSqliteStores } from './open.ts';
import { MIGRATIONS } from './schema.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = temporaryFolder('exact-schema');
  file = join(folder, 'a.db');
  const stores = await openSqliteStores(file);
  await stores.journal.append(event('a'));
  await stores.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function change(sql: string): void {
  const database = new Libsql(file);
  database.exec(sql);
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  database.close();
}

const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';

test.each([
  [
    'a trigger',
    `CREATE TRIGGER endless BEFORE INSERT ON journal BEGIN ${ENDLESS}; END`,
    'trigger that is not ours (endless)',
  ],
  ['a view', `CREATE VIEW more AS ${ENDLESS}`, 'view that is not ours (more)'],
  ['a table', 'CREATE TABLE more (x)', 'table that is not ours (more)'],
  ['an index', 'CREATE INDEX more ON journal (length(body))', 'index that is not ours (more)'],
  [
    'a trigger under the name of one of ours',
    `DROP TRIGGER journal_keep_rows; CREATE TRIGGER journal_keep_rows BEFORE INSERT ON journal BEGIN ${ENDLESS}; END`,
    'trigger that is not ours (journal_keep_rows)',
  ],
  [
    'another table under the name of one of ours',
    'DROP TABLE cleared; CREATE TABLE cleared (task TEXT PRIMARY KEY, up_to INTEGER NOT NULL)',
    'table that is not ours (cleared)',
  ],
  ['a table too few', 'DROP TABLE cleared', 'it lacks the table cleared'],
  ['a trigger too few', 'DROP TRIGGER journal_keep_rows', 'it lacks journal_keep_rows'],
])('a store with %s is refused by everybody, at once and unchanged', async (_, sql, why) => {
  change(sql);
  const bytes = readFileSync(file);
  const begun = performance.now();
  for (const damaged of ['refuse', 'reader'] as const) {
    await expect(openSqliteStores(file, { damaged })).rejects.toMatchObject({
      code: 'store-damaged',
      message: expect.stringContaining(why),
    });
  }
  expect(() => readSqliteStores(file, 100)).toThrow();
  expect(() => examineSqliteFile(file, { isOurs: false })).toThrow();
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect(readFileSync(file)).toEqual(bytes);
  expect(readdirSync(folder).filter((name) => !/^a\.db(-wal|-shm)?$/.test(name))).toEqual([]);
});

test('a file without our mark and with something else in it is not ours to touch, fresh or not', async () => {
  change(`PRAGMA application_id=0; CREATE TRIGGER endless BEFORE INSERT ON journal BEGIN ${ENDLESS}; END`);
  await expect(openSqliteStores(file)).rejects.toMatchObject({
    message: `${file} is not a foreword store. It was not changed.`,
  });
});

test('a store whose pages lead in circles is refused by everybody, and nobody reads it for ever', async () => {
  const stores = await openSqliteStores(join(folder, 'b.db'));
  for (let index = 0; index < 200; index++) await stores.journal.append(event(`e${index}`));
  await stores.close();
  rmSync(file);
  writeFileSync(file, endlessTree(readFileSync(join(folder, 'b.db'))));
  for (const damaged of ['refuse', 'reader'] as const)
    await expect(openSqliteStores(file, { damaged })).rejects.toMatchObject({ code: 'store-damaged' });
  expect(() => readSqliteStores(file, 100)).toThrow(expect.objectContaining({ code: 'store-damaged' }));
  expect(() => examineSqliteFile(file, { isOurs: true })).toThrow(expect.objectContaining({ code: 'store-damaged' }));
});

test('the schema of every version is what its migrations make', () => {
  const database = new Libsql(':memory:');
  expect(schemaDifference(database, { migrations: MIGRATIONS, version: 0 })).toBeUndefined();
  for (const [index, migration] of MIGRATIONS.entries()) {
    database.exec(migration);
    expect(schemaDifference(database, { migrations: MIGRATIONS, version: index + 1 })).toBeUndefined();
  }
  database.close();
});
