// Reads the records of an old store's file for an import. The file itself is only copied. The copy is used when it is whole, has
// exactly our tables and nothing else, and each record is checked by itself. Claims and leases are not read at all.

import { statSync } from 'node:fs';
import { ForewordError } from '../../kernel/errors.ts';
import { parseMap } from '../import-text.ts';
import { idOf } from '../rules.ts';
import type { NumberedLine, Report, TransferLine } from '../transfer-line.ts';
import { readState, resolveLink } from './database.ts';
import { pageDamage, schemaDifference } from './exact-schema.ts';
import { privateCopy } from './examine.ts';
import { Libsql } from './libsql.ts';
import { MIGRATIONS, TABLES } from './schema.ts';

export interface FileRecords {
  readonly lines: readonly NumberedLine[];
  /** How many were left out, by the reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

export interface FileImport {
  /** The file's name for the person. */
  readonly where: string;
  readonly check: (line: object, report: Report) => boolean;
  readonly onRead?: ((records: number) => void) | undefined;
}

/** Throws `bad-input` for a file that is not a whole store of ours. */
export function readStoreFile(path: string, how: FileImport): FileRecords {
  const file = resolveLink(path);
  if (!statSync(file).isFile()) throw refused(how.where, 'it is not a file');
  const copy = privateCopy(file);
  let connection: Libsql.Database | undefined;
  try {
    connection = new Libsql(copy.file);
    connection.exec('PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON');
    assertStore(connection, how.where);
    connection.exec('PRAGMA query_only=ON');
    return readRecords(connection, how);
  } catch (error) {
    if (error instanceof ForewordError) throw error;
    throw refused(how.where, error instanceof Error ? error.message : String(error), error);
  } finally {
    connection?.close();
    copy.remove();
  }
}

/** Before anything else is read: a file made to be hostile would never end otherwise. */
function assertStore(connection: Libsql.Database, where: string): void {
  const { version, tables } = readState(connection);
  if (version > MIGRATIONS.length) throw refused(where, `it was written by a newer version (schema ${version})`);
  if (version < 1 || !TABLES.some((table) => tables.includes(table)))
    throw refused(where, 'it is not a foreword store');
  const difference = schemaDifference(connection, { migrations: MIGRATIONS, version });
  if (difference !== undefined) throw refused(where, difference);
  const damage = pageDamage(connection);
  if (damage !== undefined) throw refused(where, `it is damaged: ${damage}`);
  for (const migration of MIGRATIONS.slice(version)) connection.exec(migration);
}

function refused(where: string, why: string, cause?: unknown): ForewordError {
  return new ForewordError('bad-input', `Nothing was imported from ${where}: ${why}.`, {
    hint: 'Give a store file that foreword made, or a file that foreword export wrote.',
    cause,
  });
}

function readRecords(connection: Libsql.Database, { check, onRead }: FileImport): FileRecords {
  const lines: NumberedLine[] = [];
  const leftOut: Record<string, number> = {};
  const leave = (reason: string) => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1;
  };
  const attempts = new Map<string, number>();
  let at = 0;
  for (const candidate of candidates(connection)) {
    at += 1;
    if (typeof candidate === 'string') leave(candidate);
    else if (!check(candidate, () => undefined)) leave(`${kindOf(candidate)} records that are not valid`);
    else {
      const line = candidate as TransferLine;
      if (!isInOrder(line, attempts)) leave('attempts after a gap');
      else {
        lines.push({ line, at });
        onRead?.(lines.length);
      }
    }
  }
  return { lines, leftOut };
}

/** Attempts come by number without gaps, and are closed only as far as they have come. */
function isInOrder(line: TransferLine, attempts: Map<string, number>): boolean {
  if (line.kind !== 'attempt' && line.kind !== 'cleared') return true;
  const last = attempts.get(line.task) ?? 0;
  if (line.kind === 'cleared') return line.up_to === last;
  if (line.record.attemptNumber !== last + 1) return false;
  attempts.set(line.task, last + 1);
  return true;
}

/** Every record as a line of an export, not yet checked; a text says why there is none. */
function* candidates(connection: Libsql.Database): Iterable<object | string> {
  for (const row of rows(connection, 'tasks', 'position')) yield record('task', row);
  yield* attemptsIn(connection);
  for (const row of rows(connection, 'journal', 'number')) yield record('event', row);
  for (const row of rows(connection, 'receipts', 'number')) yield record('receipt', row);
  for (const row of rows(connection, 'continuity', 'number')) yield record('continuity', row);
  for (const row of rows(connection, 'breakers', 'position')) yield record('breaker', row, 'id');
  for (const row of rows(connection, 'deliveries', 'position')) yield record('delivery', row, 'id');
  for (const row of rows(connection, 'sessions', 'position')) yield record('session', row, 'id');
  for (const row of rows(connection, 'runs', 'position')) yield record('run', row, 'id');
  for (const row of rows(connection, 'works', 'position')) yield record('work', row, 'id');
}

/** By task and number; where they were cleared, that comes after the attempts it closes. */
function* attemptsIn(connection: Libsql.Database): Iterable<object | string> {
  const cleared = new Map<string, number>();
  const found = connection.prepare('SELECT CAST(task AS BLOB) AS key, up_to FROM cleared').all() as Row[];
  for (const row of found) cleared.set(String(textOf(row.key)), Number(row.up_to));
  for (const row of rows(connection, 'attempts', 'task, number')) {
    const line = record('attempt', row, 'task');
    yield line;
    const key = textOf(row.key) ?? '';
    if (typeof line === 'object' && cleared.get(key) === row.number) {
      yield { kind: 'cleared', task: (line as { task: string }).task, up_to: row.number };
    }
  }
}

interface Row {
  readonly key: unknown;
  readonly body: unknown;
  readonly number?: unknown;
  readonly up_to?: unknown;
}

/** As bytes: read as text, bytes that are not UTF-8 end the whole process inside the driver (libsql 0.5.29). */
function rows(connection: Libsql.Database, table: string, order: string): Iterable<Row> {
  const columns = table === 'attempts' ? 'CAST(task AS BLOB) AS key, number' : 'CAST(key AS BLOB) AS key';
  const sql = `SELECT ${columns}, CAST(body AS BLOB) AS body FROM ${table} ORDER BY ${order}`;
  return connection.prepare(sql).iterate() as Iterable<Row>;
}

function record(kind: string, row: Row, named?: 'id' | 'task'): object | string {
  const [key, body] = [textOf(row.key), textOf(row.body)];
  if (key === undefined || body === undefined) return `${kind} records whose text is not UTF-8`;
  const value = parseMap(body);
  if (typeof value === 'string') return `${kind} records that are not JSON maps`;
  if (named === undefined) return { kind, record: value };
  try {
    return { kind, [named]: idOf(key), record: value };
  } catch {
    return `${kind} records whose key is not readable`;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(value: unknown): string | undefined {
  if (!(value instanceof ArrayBuffer || value instanceof Uint8Array)) return undefined;
  try {
    return UTF8.decode(value);
  } catch {
    return undefined;
  }
}

function kindOf(candidate: object): string {
  return String((candidate as { kind?: unknown }).kind);
}
