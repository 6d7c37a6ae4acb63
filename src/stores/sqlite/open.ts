// The stores in one SQLite file: the default. Durability is that of the file's disk; several processes may hold it
// open at once.

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isForewordError } from '../../kernel/errors.ts';
import type { Stores } from '../../kernel/stores.ts';
import { GROUP_OF } from '../rules.ts';
import { sqliteAttempts } from './attempts.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { sqliteLog, sqliteVersioned } from './generic.ts';
import { readDatabase } from './reader.ts';
import { MIGRATIONS, TABLES } from './schema.ts';
import { sqliteTasks } from './tasks.ts';

const STORE = { what: 'store', migrations: MIGRATIONS, tables: TABLES, isExact: true } as const;

/** Creates the file if it is missing; its folder must exist. A corrupt or newer file of ours (by its place, `isOurs`, or
 *  by its mark) is refused, or with `damaged: 'set-aside'` (the default) moved to a name with the reason in it, and
 *  `onSetAside` called, before the promise resolves to stores on a new file. Any other file is refused and not touched. */
export async function openSqliteStores(
  file: string,
  options: Pick<DatabaseOptions, 'isOurs' | 'damaged' | 'onSetAside'> = {},
): Promise<Stores> {
  return storesOn(await openDatabase(file, { ...STORE, ...options }));
}

/** For callers that cannot wait, by the rules of reader.ts: the file must exist, and writing to it throws. */
export function readSqliteStores(
  file: string,
  patienceMs: number,
  { isOurs = false }: { readonly isOurs?: boolean } = {},
): Stores {
  return storesOn(readDatabase(file, { ...STORE, patienceMs, isOurs }));
}

function storesOn(database: Database): Stores {
  return {
    journal: sqliteLog(database, 'journal'),
    receipts: sqliteLog(database, 'receipts'),
    continuity: sqliteLog(database, 'continuity'),
    breakers: sqliteVersioned(database, 'breakers', GROUP_OF.breakers),
    deliveries: sqliteVersioned(database, 'deliveries', GROUP_OF.deliveries),
    sessions: sqliteVersioned(database, 'sessions', GROUP_OF.sessions),
    runs: sqliteVersioned(database, 'runs', GROUP_OF.runs),
    works: sqliteVersioned(database, 'works', GROUP_OF.works),
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

/** For readers, when `file` could not be opened in its place (no permission to write there, a full disk): SQLite needs
 *  to write even to read, so a copy in a private folder is read, and removed when it is closed. Throws `wrong` itself when
 *  that has another cause, or when the copy fails. */
export async function openSqliteCopy(file: string, wrong: unknown): Promise<Stores> {
  if (!isForewordError(wrong) || !['store-unreachable', 'disk-full'].includes(wrong.code)) throw wrong;
  const folder = mkdtempSync(join(tmpdir(), 'foreword-read-'));
  try {
    for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, join(folder, `copy.db${end}`));
    const stores = await openSqliteStores(join(folder, 'copy.db'), { damaged: 'reader' });
    return {
      ...stores,
      close: async () => {
        await stores.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch {
    // The copy failed as well: what was wrong with the file itself is what the person can fix.
    rmSync(folder, { recursive: true, force: true });
    throw wrong;
  }
}
