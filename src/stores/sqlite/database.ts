// Opening a SQLite file so that any number of processes may use it at once and an acknowledged write survives a crash
// (write-ahead log, synchronous=FULL). A file that is corrupt or written by a newer version is never overwritten: it is
// refused, or set aside and replaced by a new one. Every command opens the file, so opening checks the header, the version and
// the table names only; deeper damage is found when it is read, and is then marked for the next opening.

import { accessSync, closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForewordError } from '../../kernel/errors.ts';
import { foreignParts } from './exact-schema.ts';
import { Libsql } from './libsql.ts';
import { APPLICATION_ID, bearsMark, foreign, isForeign, unknownFile } from './our-mark.ts';
import { identity, markDamaged, readMark, type SetAside, setAside, sweepMark, waitForMover } from './set-aside.ts';
import { damaged, explainSqliteError, isBusy, isDamage, newer } from './sqlite-errors.ts';

export type { SetAside } from './set-aside.ts';

export interface DatabaseOptions {
  /** Names the file in messages: "store", "search index". */
  readonly what: string;
  /** SQL scripts; the n-th brings a file of version n-1 (`user_version`) to version n. Never edit one that was released. */
  readonly migrations: readonly string[];
  /** Tables that a file of the newest version must have. */
  readonly tables: readonly string[];
  /** Whether a file with anything else than what the migrations make is refused. Not where SQLite itself adds tables. */
  readonly isExact?: boolean;
  /** The file is at our own place, so whatever is there is our state. A file that a person named may be anything: unless
   *  it has our mark it is refused and not touched. */
  readonly isOurs?: boolean;
  /** What happens to a file that cannot be used. `set-aside` (the default) moves it and makes a new one. `refuse` throws
   *  `store-damaged` and changes nothing; a `reader` does not even leave a mark where it finds damage. */
  readonly damaged?: 'set-aside' | 'refuse' | 'reader';
  /** Called after an unusable file was moved, so that the caller can report and record it. */
  readonly onSetAside?: (moved: SetAside) => void;
}

/** How long a statement waits for another process's write lock. */
const BUSY_TIMEOUT_MS = 5_000;
/** How long opening retries. Some steps of a file's first opening fail at once instead of waiting for the lock. */
const OPEN_PATIENCE_MS = 15_000;
/** Each file that is set aside is replaced by a new one; more rounds than this mean that something keeps damaging it. */
const MOST_SET_ASIDE = 3;

/** For a file without content, whose first page is written outside the write-ahead log. SQLite finds a journal by its name: a
 *  process that still has the damaged file open, which was set aside under that name, would take the new file's journal for
 *  that of the damaged one and overwrite it (seen with libsql 0.5.29). */
const WITHOUT_JOURNAL = 'PRAGMA journal_mode=MEMORY';

export type Value = string | number | null;

/** How to select a text column: as bytes, which `get` and `all` decode. Read as text, bytes that are not UTF-8 end the
 *  whole process inside the driver (libsql 0.5.29), and everything after a NUL is missing. */
export function text(column: string): string {
  return `CAST(${column} AS BLOB) AS ${column}`;
}

export type SqliteRow = Readonly<Record<string, unknown>>;

/** Creates the file (mode 0600) if it is missing; its folder must exist. */
export async function openDatabase(path: string, options: DatabaseOptions): Promise<Database> {
  const giveUpAt = performance.now() + OPEN_PATIENCE_MS;
  const file = resolveLink(path);
  let movedTimes = 0;
  for (;;) {
    await waitForMover(file);
    const found = examine(file, options);
    if (found.kind === 'usable') {
      const opened = options.damaged === 'reader' ? { ...found.opened, isReader: true as const } : found.opened;
      return new Database(found.connection, opened, options.what);
    }
    if (found.kind === 'busy') {
      if (performance.now() > giveUpAt) throw explainSqliteError(found.error, file, options.what);
      await sleep(5 + Math.random() * 25);
      continue;
    }
    if (options.damaged !== undefined && options.damaged !== 'set-aside') {
      found.connection?.close();
      throw unusable(found, file, options.what);
    }
    try {
      if (movedTimes++ === MOST_SET_ASIDE) throw damaged(undefined, file, options.what, found.reason);
      // The connection is still open: SQLite, closing a file that has moved, leaves its log alone.
      const to = await setAside(file, { examined: found.opened.identity, label: found.label });
      if (to !== undefined) options.onSetAside?.({ from: file, to, reason: found.reason });
    } catch (error) {
      throw explainSqliteError(error, file, options.what);
    } finally {
      found.connection?.close();
    }
  }
}

export interface Opened {
  readonly file: string;
  readonly identity: string;
  /** Leaves no mark where it finds damage. */
  readonly isReader?: true;
}

type Examined =
  | { readonly kind: 'usable'; readonly connection: Libsql.Database; readonly opened: Opened }
  | { readonly kind: 'busy'; readonly error: unknown }
  | {
      readonly kind: 'unusable';
      readonly connection: Libsql.Database | undefined;
      readonly opened: Opened;
      readonly label: string;
      readonly reason: string;
    };

function examine(file: string, options: DatabaseOptions): Examined {
  let opened: Opened | undefined;
  let connection: Libsql.Database | undefined;
  const cannotUse = (label: string, reason: string): Examined => {
    if (opened === undefined) throw new ForewordError('internal', `${file} was classified before it was opened`);
    return { kind: 'unusable', connection, opened, label, reason };
  };
  try {
    const found = createOrFind(file);
    if (found === undefined) return moved(undefined);
    opened = { file, identity: found };
    if (options.damaged !== 'reader') sweepMark(file, opened.identity);
    const mark = readMark(file, opened.identity);
    if (mark !== undefined) return cannotUse('corrupt', mark);
    if (isLogWithoutFile(file)) return cannotUse('corrupt', 'the file is empty but its write-ahead log is not');
    connection = new Libsql(file, { timeout: BUSY_TIMEOUT_MS });
    if (identity(file) !== opened.identity) return moved(connection);
    connection.exec('PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON');
    const state = readState(connection);
    const newest = options.migrations.length;
    if (state.tables.length > 0 && !state.tables.some((table) => options.tables.includes(table))) {
      throw foreign(file, options.what);
    }
    if (state.version > newest) {
      return cannotUse(`newer-v${state.version}`, `it was written by a newer version (schema ${state.version})`);
    }
    if (state.version === newest) {
      const missing = options.tables.filter((table) => !state.tables.includes(table));
      if (missing.length > 0) return cannotUse('corrupt', `it lacks the table ${missing.join(', ')}`);
    }
    const difference =
      options.isExact === true
        ? foreignParts(connection, { isOurs: false, ...options, version: state.version })
        : undefined;
    if (difference !== undefined) {
      if (options.isOurs === true || bearsMark(file)) return cannotUse('corrupt', difference);
      throw unknownFile(file, options.what);
    }
    if (state.version === 0 && state.tables.length === 0) connection.exec(WITHOUT_JOURNAL);
    connection.exec('PRAGMA journal_mode=WAL');
    if (state.version < newest) migrate(connection, options.migrations);
    // A migrated file is looked at again, and so is one that was moved away between the look and the opening.
    if (state.version === newest && identity(file) === opened.identity) return { kind: 'usable', connection, opened };
    return moved(connection);
  } catch (error) {
    if (isBusy(error)) {
      connection?.close();
      return { kind: 'busy', error };
    }
    const explained = explainSqliteError(error, file, options.what);
    if (isDamage(explained) && opened !== undefined && !isForeign(explained)) {
      if (options.isOurs === true || bearsMark(file)) return cannotUse('corrupt', textOf(error));
      connection?.close();
      throw unknownFile(file, options.what);
    }
    connection?.close();
    throw explained;
  }
}

function moved(connection: Libsql.Database | undefined): Examined {
  connection?.close();
  return { kind: 'busy', error: new Error('it changed while it was being opened') };
}

function unusable({ label, reason }: Examined & { kind: 'unusable' }, file: string, what: string): ForewordError {
  return label === 'corrupt' ? damaged(undefined, file, what, reason) : newer(file, what, reason);
}

/** Reads the version again under the write lock: another process may have migrated the file since. */
function migrate(connection: Libsql.Database, migrations: readonly string[]): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const { version } = readState(connection);
    for (const migration of migrations.slice(version)) connection.exec(migration);
    if (version < migrations.length) {
      connection.exec(`PRAGMA user_version=${migrations.length}; PRAGMA application_id=${APPLICATION_ID}`);
    }
    connection.exec('COMMIT');
    // Moves the log into the file, so that the file has our mark from the start.
    connection.prepare('PRAGMA wal_checkpoint(PASSIVE)').all();
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Throws the driver's error. */
export function readState(connection: Libsql.Database): { version: number; tables: readonly string[] } {
  const [row] = connection.prepare('PRAGMA user_version').all() as { user_version: number }[];
  const rows = connection
    .prepare(`SELECT ${text('name')} FROM sqlite_schema WHERE type = 'table'`)
    .all() as SqliteRow[];
  return {
    version: row?.user_version ?? 0,
    tables: rows.map(({ name }) => Buffer.from(name as ArrayBuffer).toString()),
  };
}

/** The file's identity; `undefined` when it vanished meanwhile. Never opens a file that exists: closing any
 *  descriptor of it would drop the locks that SQLite holds for other connections of this process. */
function createOrFind(file: string): string | undefined {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!isAccessible(file)) return undefined;
  }
  return identity(file);
}

/** Throws when we may not read and write it; not accessible means that it vanished: another process set it aside. */
function isAccessible(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

/** SQLite deletes the log of an empty file, and with it everything that was not yet moved into the file. */
export function isLogWithoutFile(file: string): boolean {
  // In this order: another process that is making the file right now writes to it before it writes to its log.
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** Setting aside moves the file and not a link to it, and creates the new one where the link points. */
export function resolveLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Missing: either the file that a link points to, or nothing. Creating it reports what is wrong.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : path;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Moves the log into the file, so that the file alone is whole. SQLite does this when it closes, but the driver closes
 *  only when the statements are collected (libsql 0.5.29). Does not wait for other processes. */
function emptyLog(connection: Libsql.Database): void {
  try {
    connection.exec('PRAGMA busy_timeout=0');
    connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  } catch {
    // Busy, or no room: what is in the log is as safe as what is in the file.
  }
}

/** An open file. Statements are prepared once; every error is thrown as a ForewordError. */
export class Database {
  readonly file: string;
  readonly #identity: string;
  readonly #what: string;
  readonly #isReader: boolean;
  readonly #statements = new Map<string, Libsql.Statement>();
  #connection: Libsql.Database | undefined;
  #hasWritten = false;

  constructor(connection: Libsql.Database, opened: Opened, what: string) {
    this.#connection = connection;
    this.file = opened.file;
    this.#identity = opened.identity;
    this.#what = what;
    this.#isReader = opened.isReader === true;
  }

  /** One writing statement, durable when it returns unless a transaction is open. */
  run(sql: string, ...values: Value[]): { changes: number; lastId: number } {
    return this.#guarded((connection) => {
      if (!connection.inTransaction) this.#assertInPlace();
      this.#hasWritten = true;
      const result = this.#prepare(connection, sql).run(...values);
      return { changes: result.changes, lastId: Number(result.lastInsertRowid) };
    });
  }

  get<T = SqliteRow>(sql: string, ...values: Value[]): T | undefined {
    return this.#guarded((connection) => {
      const row = this.#prepare(connection, sql).get(...values) as Record<string, unknown> | undefined;
      if (row === undefined) return undefined;
      // The driver adds its timing to a single row (libsql 0.5.29).
      delete row._metadata;
      return this.#decode<T>(row);
    });
  }

  all<T = SqliteRow>(sql: string, ...values: Value[]): T[] {
    return this.#guarded((connection) => {
      const rows = this.#prepare(connection, sql).all(...values) as Record<string, unknown>[];
      return rows.map((row) => this.#decode<T>(row));
    });
  }

  /** Runs `work` under the write lock, durable when it returns; when `work` throws, all of it is rolled back. */
  transaction<T>(work: () => T): T {
    return this.#guarded((connection) => {
      this.#assertInPlace();
      this.#prepare(connection, 'BEGIN IMMEDIATE').run();
      try {
        const result = work();
        this.#prepare(connection, 'COMMIT').run();
        return result;
      } catch (error) {
        // A full disk has already rolled it back.
        if (connection.inTransaction) this.#prepare(connection, 'ROLLBACK').run();
        throw error;
      }
    });
  }

  /** A value read from the file that cannot be what was written. */
  damage(reason: string, cause?: unknown): ForewordError {
    if (!this.#isReader) markDamaged(this.file, this.#identity, reason);
    return damaged(cause, this.file, this.#what, reason);
  }

  /** Idempotent; every later call throws `store-unreachable`. */
  close(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    this.#statements.clear();
    if (this.#hasWritten && identity(this.file) === this.#identity) emptyLog(connection);
    connection.close();
  }

  #decode<T>(row: Record<string, unknown>): T {
    for (const [column, value] of Object.entries(row)) {
      if (!(value instanceof ArrayBuffer || value instanceof Uint8Array)) continue;
      try {
        row[column] = UTF8.decode(value);
      } catch (error) {
        throw this.damage(`text in it is not UTF-8 (${column})`, error);
      }
    }
    return row as T;
  }

  #prepare(connection: Libsql.Database, sql: string): Libsql.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #guarded<T>(work: (connection: Libsql.Database) => T): T {
    if (this.#connection === undefined) {
      throw new ForewordError('store-unreachable', `The ${this.#what} ${this.file} was closed.`);
    }
    try {
      return work(this.#connection);
    } catch (error) {
      const explained = explainSqliteError(error, this.file, this.#what);
      if (isDamage(explained) && explained !== error && !this.#isReader)
        markDamaged(this.file, this.#identity, textOf(error));
      throw explained;
    }
  }

  /** Writes into a file that another process set aside would be acknowledged and then lost. */
  #assertInPlace(): void {
    if (identity(this.file) === this.#identity) return;
    throw new ForewordError(
      'store-unreachable',
      `The ${this.#what} ${this.file} was moved or replaced by another process.`,
      { hint: 'Run the command again. It uses the file that is there now.' },
    );
  }
}
