// A SQLite file for hooks, which only read and cannot wait. Nothing is created, migrated, marked or set aside: a command
// does that, where a person sees it. Anything unexpected is thrown.

import { pathToFileURL } from 'node:url';
import { ForewordError } from '../../kernel/errors.ts';
import { Database, type DatabaseOptions, isLogWithoutFile, readState, resolveLink } from './database.ts';
import { foreignParts } from './exact-schema.ts';
import { Libsql } from './libsql.ts';
import { identity, isBeingMoved, readMark } from './set-aside.ts';
import { damaged, explainSqliteError } from './sqlite-errors.ts';

export interface ReaderOptions extends Pick<DatabaseOptions, 'what' | 'migrations' | 'tables' | 'isExact' | 'isOurs'> {
  /** How long each statement waits for the lock of another process. Nothing else runs meanwhile. */
  readonly patienceMs: number;
}

export function readDatabase(path: string, options: ReaderOptions): Database {
  const { what, migrations, tables, patienceMs } = options;
  const file = resolveLink(path);
  const found = identity(file);
  if (found === undefined || isBeingMoved(file))
    throw new ForewordError(
      'store-unreachable',
      `The ${what} ${file} does not exist, or another process is moving it.`,
    );
  const reason = readMark(file, found) ?? (isLogWithoutFile(file) ? 'its write-ahead log has no file' : undefined);
  if (reason !== undefined) throw damaged(undefined, file, what, reason);
  let connection: Libsql.Database | undefined;
  try {
    connection = new Libsql(`${pathToFileURL(file).href}?mode=ro`, { timeout: patienceMs });
    connection.exec('PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON');
    const state = readState(connection);
    const missing = tables.filter((table) => !state.tables.includes(table));
    if (state.version !== migrations.length || missing.length > 0)
      throw new ForewordError('store-unreachable', `The ${what} ${file} has another version.`, {
        hint: 'Run any foreword command: it updates an older one.',
      });
    const difference =
      options.isExact === true
        ? foreignParts(connection, { isOurs: false, ...options, version: state.version })
        : undefined;
    if (difference !== undefined) throw damaged(undefined, file, what, difference);
    return new Database(connection, { file, identity: found, isReader: true }, what);
  } catch (error) {
    connection?.close();
    throw explainSqliteError(error, file, what);
  }
}
