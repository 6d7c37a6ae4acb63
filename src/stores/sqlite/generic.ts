// The two generic shapes, a log and versioned records, over one table each.

import type { Entry, Log, Versioned } from '../../kernel/stores.ts';
import { idOf, keyOf } from '../rules.ts';
import { type Database, text } from './database.ts';
import type { LogTable, VersionedTable } from './schema.ts';

const KEY = text('key');
const BODY = text('body');

export function sqliteLog<T extends { readonly id: string }>(database: Database, table: LogTable): Log<T> {
  const insert = `INSERT INTO ${table} (key, body) VALUES (?, ?) ON CONFLICT (key) DO NOTHING`;
  const find = `SELECT number AS number FROM ${table} WHERE key = ?`;
  // A negative LIMIT means no limit.
  const read = `SELECT number AS number, ${BODY} FROM ${table} WHERE number > ? ORDER BY number LIMIT ?`;
  const last = `SELECT number AS number, ${BODY} FROM ${table} ORDER BY number DESC LIMIT ?`;
  const entry = (row: LogRow): Entry<T> => ({ number: row.number, value: parseBody<T>(database, table, row) });
  return {
    async append(value) {
      const key = keyOf(value.id);
      const { changes, lastId } = database.run(insert, key, JSON.stringify(value));
      if (changes === 1) return lastId;
      const known = database.get<{ number: number }>(find, key);
      if (known === undefined) throw database.damage(`${table} refused an entry as a duplicate but does not have it`);
      return known.number;
    },
    async read({ after = 0, limit = -1 } = {}) {
      return database.all<LogRow>(read, after, Number.isFinite(limit) ? limit : -1).map(entry);
    },
    async last(count) {
      return database.all<LogRow>(last, Math.max(0, count)).reverse().map(entry);
    },
  };
}

interface LogRow {
  readonly number: number;
  readonly body: string;
}

export function sqliteVersioned<T>(
  database: Database,
  table: VersionedTable,
  groupOf: (value: T) => string | undefined,
): Versioned<T> {
  const get = `SELECT ${KEY}, version AS version, ${BODY} FROM ${table} WHERE key = ?`;
  const insert = `INSERT INTO ${table} (key, version, grouped, body) VALUES (?, 1, ?, ?) ON CONFLICT (key) DO NOTHING`;
  const update = `UPDATE ${table} SET version = version + 1, grouped = ?, body = ? WHERE key = ? AND version = ?`;
  const list = `SELECT ${KEY}, version AS version, ${BODY} FROM ${table} ORDER BY position`;
  const listGroup = `SELECT ${KEY}, version AS version, ${BODY} FROM ${table} WHERE grouped = ? ORDER BY position`;
  return {
    async get(id) {
      const row = database.get<VersionedRow>(get, keyOf(id));
      return row && { version: row.version, value: parseBody<T>(database, table, row) };
    },
    async put(id, value, expected) {
      const group = groupOf(value);
      const grouped = group === undefined ? null : keyOf(group);
      const body = JSON.stringify(value);
      const written =
        expected === 0
          ? database.run(insert, keyOf(id), grouped, body)
          : database.run(update, grouped, body, keyOf(id), expected);
      return written.changes === 1;
    },
    async list(group) {
      const rows =
        group === undefined ? database.all<VersionedRow>(list) : database.all<VersionedRow>(listGroup, keyOf(group));
      return rows.map((row) => ({
        id: parseKey(database, table, row.key),
        version: row.version,
        value: parseBody<T>(database, table, row),
      }));
    },
  };
}

interface VersionedRow {
  readonly key: string;
  readonly version: number;
  readonly body: string;
}

/** A body was the JSON of a map when it was written: anything else is damage that SQLite itself cannot see. */
export function parseBody<T>(database: Database, table: string, row: { readonly body: string }): T {
  let value: unknown;
  try {
    value = JSON.parse(row.body);
  } catch (error) {
    throw database.damage(`a record in ${table} is no longer readable`, error);
  }
  if (typeof value !== 'object' || value === null) throw database.damage(`a record in ${table} is no longer readable`);
  return value as T;
}

export function parseKey(database: Database, table: string, key: string): string {
  try {
    return idOf(key);
  } catch (error) {
    throw database.damage(`an id in ${table} is no longer readable`, error);
  }
}
