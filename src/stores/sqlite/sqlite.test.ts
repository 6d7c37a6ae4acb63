import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ForewordError } from '../../kernel/errors.ts';
import { fill } from '../contract/filled.ts';
import { attempt, event, record, run } from '../contract/samples.ts';
import { storeContract } from '../contract.ts';
import { openDatabase, type SetAside } from './database.ts';
import { openSqliteStores, readSqliteStores } from './open.ts';
import { APPLICATION_ID } from './our-mark.ts';
import { MIGRATIONS } from './schema.ts';

let root: string;
let folder: string;
let file: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-sqlite-'));
});
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
  file = join(folder, 'foreword.db');
});

describe('stores in SQLite', () => {
  let count = 0;
  for (const { name, run } of storeContract)
    test(name, () => run(() => openSqliteStores(join(folder, `${count++}.db`))));
});

/** As the first version of the schema left it, with one task. */
function firstVersion(more = ''): void {
  const database = new Libsql(file);
  database.exec(`${MIGRATIONS[0]}${more} PRAGMA user_version=1; PRAGMA application_id=${APPLICATION_ID}`);
  database
    .prepare("INSERT INTO tasks VALUES (1, 'old', 'completed', 0, 1, 1, NULL, 0, ?)")
    .run(JSON.stringify(record('old', 'completed')));
  database.close();
}

describe('a store file', () => {
  test('is readable by its owner only, and so are its companions', async () => {
    const stores = await openSqliteStores(file);
    await stores.journal.append(event('a'));
    for (const name of readdirSync(folder))
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
    await stores.close();
  });

  test('is made without a journal beside it, which a process with an older file of that name would take for its own', async () => {
    const names: (string | null)[] = [];
    const watcher = watch(folder, (_, name) => names.push(name));
    const stores = await openSqliteStores(file);
    await stores.close();
    await vi.waitFor(() => expect(names).toContain('foreword.db-wal'));
    watcher.close();
    expect([...new Set(names)].sort()).toEqual(['foreword.db', 'foreword.db-shm', 'foreword.db-wal']);
  });

  test('is read while another writes, by a reader that changes nothing', async () => {
    const stores = await openSqliteStores(file);
    await stores.journal.append(event('a'));
    const reader = readSqliteStores(file, 100);
    expect((await reader.journal.last(1)).map(({ value }) => value.id)).toEqual(['a']);
    await stores.journal.append(event('b'));
    expect((await reader.journal.last(1)).map(({ value }) => value.id)).toEqual(['b']);
    await expect(reader.journal.append(event('c'))).rejects.toThrow(ForewordError);
    expect((await stores.journal.last(9)).length).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(['foreword.db', 'foreword.db-shm', 'foreword.db-wal']);
    await reader.close();
    await stores.close();
  });

  test('that is not there, or has another version, is refused by a reader and stays as it is', async () => {
    expect(() => readSqliteStores(file, 100)).toThrow(/does not exist/);
    expect(readdirSync(folder)).toEqual([]);
    const database = new Libsql(file);
    database.exec('CREATE TABLE journal (x); PRAGMA user_version=1000');
    database.close();
    expect(() => readSqliteStores(file, 100)).toThrow(/has another version/);
    expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['foreword.db']);
  });

  test('of the first version keeps its records and can hold runs', async () => {
    firstVersion();
    const stores = await openSqliteStores(file, { damaged: 'refuse' });
    expect((await stores.tasks.list()).map(({ task_id }) => task_id)).toEqual(['old']);
    expect(await stores.runs.list()).toEqual([]);
    expect(await stores.runs.put('tasks-1a2b', run('tasks-1a2b'), 0)).toBe(true);
    await stores.close();
    const again = await openSqliteStores(file, { damaged: 'refuse' });
    expect(await again.runs.get('tasks-1a2b')).toEqual({ version: 1, value: run('tasks-1a2b') });
    await again.close();
    expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['foreword.db']);
  });

  test('of the first version is brought up to date once, whoever opens it at the same time', async () => {
    firstVersion();
    const all = await Promise.all(Array.from({ length: 8 }, () => openSqliteStores(file, { damaged: 'refuse' })));
    const wins = await Promise.all(all.map(({ runs }) => runs.put('one', run('one'), 0)));
    expect(wins.filter(Boolean).length).toBe(1);
    for (const stores of all) await stores.close();
  });

  test('of the first version that has a table of a later one is refused and stays as it is', async () => {
    firstVersion(MIGRATIONS[1]);
    await expect(openSqliteStores(file, { damaged: 'refuse' })).rejects.toMatchObject({ code: 'store-damaged' });
    const database = new Libsql(file);
    expect(database.prepare('PRAGMA user_version').all()).toEqual([{ user_version: 1 }]);
    database.close();
  });

  test('reports that a commit is synced', async () => {
    const stores = await openSqliteStores(file);
    expect(await stores.durability()).toEqual({
      kind: 'sqlite',
      level: 'full',
      detail: `${file}: write-ahead log, synced at every commit`,
    });
    await stores.close();
  });

  test('is one store to everybody who opens it', async () => {
    const [one, other] = [await openSqliteStores(file), await openSqliteStores(file)];
    await one.journal.append(event('a'));
    await other.journal.append(event('b'));
    expect((await one.journal.read()).map(({ value }) => value.id)).toEqual(['a', 'b']);
    await one.close();
    expect((await other.journal.read()).length).toBe(2);
    await other.close();
  });

  test('refuses to change or delete a journal entry or an attempt, whoever asks', async () => {
    const stores = await openSqliteStores(file);
    await stores.journal.append(event('a'));
    await stores.attempts.append('a', attempt(1));
    await stores.close();
    const bare = new Libsql(file);
    for (const table of ['journal', 'attempts']) {
      expect(() => bare.exec(`DELETE FROM ${table}`)).toThrow(`${table} is append-only`);
      expect(() => bare.exec(`UPDATE ${table} SET body = '{}'`)).toThrow(`${table} is append-only`);
    }
    bare.close();
  });

  test('is whole by itself once it is closed', async () => {
    const stores = await openSqliteStores(file);
    await stores.tasks.add(record('a', 'queued'));
    await stores.close();
    const copy = join(folder, 'copy.db');
    copyFileSync(file, copy);
    const again = await openSqliteStores(copy);
    expect(await again.tasks.list()).toEqual([record('a', 'queued')]);
    await again.close();
  });

  test('in a folder that does not exist is refused with what to do', async () => {
    await expect(openSqliteStores(join(folder, 'none', 'foreword.db'))).rejects.toMatchObject({
      code: 'store-unreachable',
      message: expect.stringContaining('its folder does not exist'),
      hint: 'Create the folder.',
    });
  });

  test('that is a folder is refused', async () => {
    mkdirSync(file);
    await expect(openSqliteStores(file)).rejects.toMatchObject({ code: 'store-unreachable' });
  });
});

describe('an unusable store file', () => {
  const open = async () => {
    const moved: SetAside[] = [];
    const stores = await openSqliteStores(file, { isOurs: true, onSetAside: (one) => moved.push(one) });
    return { stores, moved };
  };

  test('that is no database is set aside whole and a fresh one begun', async () => {
    writeFileSync(file, 'precious notes '.repeat(1000));
    const { stores, moved } = await open();
    expect(moved).toEqual([
      {
        from: file,
        to: expect.stringMatching(/foreword\.db\.corrupt-\d{8}T\d{6}Z$/),
        reason: 'file is not a database',
      },
    ]);
    expect(readFileSync(moved[0]!.to, 'utf8')).toBe('precious notes '.repeat(1000));
    expect(await stores.tasks.list()).toEqual([]);
    expect(await stores.tasks.add(record('a', 'queued'))).toBe(true);
    await stores.close();
    expect((await open()).moved).toEqual([]);
  });

  test('of a newer version is set aside under a name with its version', async () => {
    const first = await open();
    await first.stores.tasks.add(record('a', 'queued'));
    await first.stores.close();
    const bare = new Libsql(file);
    bare.exec('PRAGMA user_version = 9');
    bare.close();
    const bytes = readFileSync(file);
    const { stores, moved } = await open();
    expect(moved[0]?.to).toMatch(/foreword\.db\.newer-v9-/);
    expect(moved[0]?.reason).toBe('it was written by a newer version (schema 9)');
    expect(readFileSync(moved[0]!.to)).toEqual(bytes);
    expect(await stores.tasks.list()).toEqual([]);
    await stores.close();
  });

  test('that is empty beside a log of its own is set aside with the log', async () => {
    writeFileSync(file, '');
    writeFileSync(`${file}-wal`, 'what was not yet in the file');
    const { stores, moved } = await open();
    expect(readFileSync(`${moved[0]!.to}-wal`, 'utf8')).toBe('what was not yet in the file');
    await stores.close();
  });

  test('found damaged in the middle of work is reported then, and set aside at the next opening', async () => {
    const first = await open();
    await first.stores.tasks.add(record('a', 'queued'));
    const bare = new Libsql(file);
    bare.exec("UPDATE tasks SET body = 'no longer JSON'");
    bare.close();
    await expect(first.stores.tasks.list()).rejects.toMatchObject({
      code: 'store-damaged',
      message: `The store ${file} is damaged: a record in tasks is no longer readable. Nothing in it was overwritten.`,
      hint: expect.stringContaining('--fresh'),
    });
    await first.stores.close();
    const { stores, moved } = await open();
    expect(moved).toMatchObject([{ reason: 'a record in tasks is no longer readable' }]);
    expect(await stores.tasks.list()).toEqual([]);
    await stores.close();
    expect(readdirSync(folder).filter((name) => name.endsWith('.damaged'))).toEqual([]);
  });

  test.each(['tasks', 'journal', 'attempts', 'sessions'])(
    'with text in %s that is no text is reported',
    async (table) => {
      const first = await open();
      await fill(first.stores);
      const bare = new Libsql(file);
      bare.exec(`DROP TRIGGER IF EXISTS ${table}_keep_text; UPDATE ${table} SET body = CAST(x'7b22ff' AS TEXT)`);
      bare.close();
      const { tasks, journal, attempts, sessions } = first.stores;
      const read = {
        tasks: () => tasks.list(),
        journal: () => journal.last(1),
        attempts: () => attempts.list('taken'),
        sessions: () => sessions.get('ses_1'),
      }[table];
      await expect(read?.()).rejects.toMatchObject({
        code: 'store-damaged',
        message: expect.stringContaining('text in it is not UTF-8 (body)'),
      });
      await first.stores.close();
      const { stores, moved } = await open();
      expect(moved.length).toBe(1);
      await stores.close();
    },
  );

  test('that belongs to another program is refused and left as it is', async () => {
    const bare = new Libsql(file);
    bare.exec('CREATE TABLE songs (title TEXT)');
    bare.close();
    const bytes = readFileSync(file);
    await expect(open()).rejects.toMatchObject({
      code: 'store-damaged',
      message: expect.stringContaining('It was not changed'),
    });
    expect(readFileSync(file)).toEqual(bytes);
    expect(readdirSync(folder)).toEqual(['foreword.db']);
  });

  test('behind a link is moved itself; the link stays', async () => {
    const target = join(folder, 'elsewhere.db');
    writeFileSync(target, 'no database at all'.repeat(100));
    symlinkSync(target, file);
    const { stores, moved } = await open();
    expect(moved[0]?.from).toBe(target);
    expect(moved[0]?.to).toContain('elsewhere.db.corrupt-');
    await stores.close();
  });

  test('is not written to by a process that still has it open', async () => {
    const before = await open();
    const bare = new Libsql(file);
    bare.exec('PRAGMA user_version = 9');
    bare.close();
    const after = await open();
    expect(after.moved.length).toBe(1);
    await expect(before.stores.journal.append(event('a'))).rejects.toMatchObject({
      code: 'store-unreachable',
      message: expect.stringContaining('moved or replaced'),
    });
    await before.stores.close();
    await after.stores.journal.append(event('b'));
    expect((await after.stores.journal.read()).length).toBe(1);
    await after.stores.close();
  });

  test('whose mover died half-way is moved the rest of the way', async () => {
    const first = await open();
    await first.stores.close();
    const to = `${file}.corrupt-earlier`;
    const mutex = `${file}.setting-aside`;
    const { dev, ino } = statSync(file, { bigint: true });
    mkdirSync(mutex);
    writeFileSync(join(mutex, 'plan'), JSON.stringify({ to, examined: `${dev}:${ino}` }));
    utimesSync(mutex, 1, 1);
    const { stores } = await open();
    await stores.close();
    expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual([
      'foreword.db',
      'foreword.db.corrupt-earlier',
    ]);
  });
});

describe('a database file', () => {
  const CREATE = 'CREATE TABLE song (title TEXT NOT NULL) STRICT';
  const ALTER = "ALTER TABLE song ADD COLUMN singer TEXT NOT NULL DEFAULT 'unknown'";
  const open = (...migrations: string[]) => openDatabase(file, { what: 'test file', migrations, tables: ['song'] });

  test('of an older version is brought up to date with what is in it', async () => {
    const old = await open(CREATE);
    old.run('INSERT INTO song (title) VALUES (?)', 'one');
    old.close();
    const now = await open(CREATE, ALTER);
    expect(now.all('SELECT title, singer FROM song')).toEqual([{ title: 'one', singer: 'unknown' }]);
    expect(now.get('SELECT title FROM song')).toEqual({ title: 'one' });
    now.close();
  });

  test('undoes a transaction that throws', async () => {
    const database = await open(CREATE);
    const insert = () => database.run('INSERT INTO song (title) VALUES (?)', 'one');
    expect(() =>
      database.transaction(() => {
        insert();
        throw new ForewordError('conflict', 'no');
      }),
    ).toThrow('no');
    expect(database.all('SELECT title FROM song')).toEqual([]);
    database.transaction(insert);
    expect(database.all('SELECT title FROM song').length).toBe(1);
    database.close();
  });

  test('whose migration fails is left for the next opening as it was', async () => {
    (await open(CREATE)).close();
    const bytes = readFileSync(file);
    const moved: SetAside[] = [];
    const options = { what: 'test file', tables: ['song'], onSetAside: (one: SetAside) => moved.push(one) };
    const database = await openDatabase(file, { ...options, migrations: [CREATE, 'ALTER TABLE none ADD x'] }).catch(
      (error: unknown) => error,
    );
    expect(database).toMatchObject({ code: 'store-damaged' });
    expect(readFileSync(moved[0]!.to)).toEqual(bytes);
  });
});
