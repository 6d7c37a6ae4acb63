// Whether a file has exactly the tables, indexes and triggers that our migrations make. A file from elsewhere may hold a trigger
// or a view whose query never ends, and SQLite has no limit for that here (libsql 0.5.29 has no progress handler), so nothing
// in such a file is read or written beyond this list.

import type { Libsql } from './libsql.ts';

/** Far above ours; a longer list is refused without being read whole. */
const MOST_OBJECTS = 500;
const COLUMNS = ['type', 'name', 'sql'].map((column) => `CAST(${column} AS BLOB) AS ${column}`).join(', ');

/** What differs, as a phrase; `undefined` when nothing does. SQLite keeps the text of each statement as it was written, so
 *  texts are compared. A file of an older version has a part of the objects and nothing else. Throws the driver's error. */
export function schemaDifference(
  connection: Libsql.Database,
  expected: { readonly migrations: readonly string[]; readonly version: number },
): string | undefined {
  const script = expected.migrations.join('\n');
  const names = new Set([...script.matchAll(/^CREATE (?:TABLE|INDEX|TRIGGER) (\w+)/gm)].map(([, name = '']) => name));
  const rows = connection
    // As bytes: read as text, bytes that are not UTF-8 end the whole process inside the driver (libsql 0.5.29).
    .prepare(`SELECT ${COLUMNS} FROM sqlite_schema LIMIT ${MOST_OBJECTS}`)
    .all() as Readonly<Record<string, unknown>>[];
  const found = rows.map((row) => ({ type: decode(row.type), name: decode(row.name), sql: decode(row.sql) }));
  const foreign = found.find(({ type, name, sql }) => !isOurs({ type, name, sql }, { names, script }));
  if (foreign !== undefined) return `it has a ${foreign.type} that is not ours (${foreign.name.slice(0, 60)})`;
  if (expected.version < expected.migrations.length) return undefined;
  const missing = [...names].filter((name) => !found.some((one) => one.name === name));
  return missing.length === 0 ? undefined : `it lacks ${missing.slice(0, 5).join(', ')}`;
}

/** What is wrong with the pages, as a phrase; `undefined` when nothing is. A tree whose branches lead to one page again and
 *  again has no end for a reader, although each page is sound; this finds it in one pass, 1.4 ms for each megabyte. To be called
 *  after `schemaDifference` found nothing. Throws the driver's error. */
export function pageDamage(connection: Libsql.Database): string | undefined {
  const found = connection.prepare('PRAGMA quick_check(1)').all() as Readonly<Record<string, unknown>>[];
  const [result] = Object.values(found[0] ?? {});
  return result === 'ok' ? undefined : String(result).replace(/\s+/g, ' ').slice(0, 200);
}

/** Both. The pages of a file at our own place are not checked: nobody else writes there, and every command opens it. */
export function foreignParts(
  connection: Libsql.Database,
  expected: { readonly migrations: readonly string[]; readonly version: number; readonly isOurs: boolean },
): string | undefined {
  return schemaDifference(connection, expected) ?? (expected.isOurs ? undefined : pageDamage(connection));
}

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

function isOurs(
  { type, name, sql }: SchemaObject,
  ours: { readonly names: ReadonlySet<string>; readonly script: string },
): boolean {
  // The index of a UNIQUE column has no text, and belongs to a table that is compared.
  if (sql === '') return type === 'index' && name.startsWith('sqlite_autoindex_');
  return ours.names.has(name) && ours.script.includes(`${sql};`);
}

function decode(value: unknown): string {
  return value instanceof ArrayBuffer || value instanceof Uint8Array
    ? Buffer.from(value as ArrayBuffer).toString()
    : '';
}
