// The stores in one SQLite file: the default. Durability is that of the file's disk; several processes may hold it
// open at once.

import type { Stores } from '../../core/stores.ts';
import { GROUP_OF } from '../rules.ts';
import { sqliteAttempts } from './attempts.ts';
import { openDatabase, type SetAside } from './database.ts';
import { sqliteLog, sqliteVersioned } from './generic.ts';
import { MIGRATIONS, TABLES } from './schema.ts';
import { sqliteTasks } from './tasks.ts';

/** Creates the file if it is not there; its folder must be. A corrupt or newer file is moved to a name that says so
 *  and `onSetAside` told, before the promise resolves to stores on a fresh file. */
export async function openSqliteStores(
  file: string,
  options: { readonly onSetAside?: (moved: SetAside) => void } = {},
): Promise<Stores> {
  const database = await openDatabase(file, { what: 'store', migrations: MIGRATIONS, tables: TABLES, ...options });
  return {
    journal: sqliteLog(database, 'journal'),
    receipts: sqliteLog(database, 'receipts'),
    continuity: sqliteLog(database, 'continuity'),
    breakers: sqliteVersioned(database, 'breakers', GROUP_OF.breakers),
    deliveries: sqliteVersioned(database, 'deliveries', GROUP_OF.deliveries),
    sessions: sqliteVersioned(database, 'sessions', GROUP_OF.sessions),
    tasks: sqliteTasks(database),
    attempts: sqliteAttempts(database),
    async durability() {
      const row = database.get<{ synchronous: number }>('PRAGMA synchronous');
      const isFull = (row?.synchronous ?? 0) >= 2;
      const detail = `${database.file}: write-ahead log, ${isFull ? 'synced at every commit' : 'not synced at commit'}`;
      return { kind: 'sqlite', level: isFull ? 'full' : 'volatile', detail };
    },
    async close() {
      database.close();
    },
  };
}
