// Reads a SQLite database that belongs to another program, while that program writes to it. Opened for reading only:
// nothing is created, no log is emptied, nothing of ours is left in it. Not for our own files: see database.ts.

import { pathToFileURL } from 'node:url';
import type { ForeignDatabase } from '../../kernel/transcript.ts';
import { Libsql } from './libsql.ts';

/** Writers hold the lock for milliseconds. */
const BUSY_TIMEOUT_MS = 500;
const UTF8 = new TextDecoder();

/** Rejects with the driver's error when it cannot be opened. Select text as `CAST(… AS BLOB)`: read as text, bytes that
 *  are not UTF-8 end the whole process inside the driver (libsql 0.5.29). */
export async function openForeignDatabase(file: string): Promise<ForeignDatabase> {
  const database = new Libsql(`${pathToFileURL(file).href}?mode=ro`, { timeout: BUSY_TIMEOUT_MS });
  const statements = new Map<string, Libsql.Statement>();
  try {
    database.exec('PRAGMA query_only=ON; PRAGMA trusted_schema=OFF');
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    all: (sql, ...values) => {
      const statement = statements.get(sql) ?? database.prepare(sql);
      statements.set(sql, statement);
      return (statement.all(...values) as Record<string, unknown>[]).map(decoded);
    },
    close: () => {
      statements.clear();
      database.close();
    },
  };
}

function decoded(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(row).map(([column, value]) => {
    const isBytes = value instanceof ArrayBuffer || value instanceof Uint8Array;
    return [column, isBytes ? UTF8.decode(value) : value] as const;
  });
  return Object.fromEntries(entries);
}
