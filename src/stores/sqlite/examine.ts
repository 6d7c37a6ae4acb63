// Looks at a store's file for `foreword doctor` and for import, and changes nothing: no log or index beside it is made, emptied or
// recovered, no mark is left, no version is raised. SQLite cannot promise that for a file with a log, so such a file is copied.

import { constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Durability } from '../../kernel/stores.ts';
import { isLogWithoutFile, readState, resolveLink } from './database.ts';
import { foreignParts } from './exact-schema.ts';
import { Libsql } from './libsql.ts';
import { bearsMark, foreign, isForeign, unknownFile } from './our-mark.ts';
import { MIGRATIONS, TABLES } from './schema.ts';
import { identity, readMark } from './set-aside.ts';
import { damaged, explainSqliteError, isDamage, newer } from './sqlite-errors.ts';

const WHAT = 'store';

/** What a write to it will survive; `undefined` when nothing was written yet. Throws `store-damaged` and the like for a file
 *  that cannot be used. `isOurs`: at our own place, so that whatever is there is our state. */
export function examineSqliteFile(path: string, { isOurs }: { readonly isOurs: boolean }): Durability | undefined {
  const file = resolveLink(path);
  if (isLogWithoutFile(file)) throw damaged(undefined, file, WHAT, 'the file is empty but its write-ahead log is not');
  const found = identity(file);
  const mark = found === undefined ? undefined : readMark(file, found);
  if (mark !== undefined) throw damaged(undefined, file, WHAT, mark);
  // A file without a byte is a store in which nothing was written yet.
  if (sizeOf(file) === 0) return undefined;
  try {
    if (sizeOf(`${file}-wal`) === 0) look(file, file);
    else withCopy(file, (copy) => look(copy, file));
  } catch (error) {
    const explained = explainSqliteError(error, file, WHAT);
    if (isDamage(explained) && !isForeign(explained) && !isOurs && !bearsMark(file)) throw unknownFile(file, WHAT);
    throw explained;
  }
  return { kind: 'sqlite', level: 'full', detail: `${file}: write-ahead log, synced at every commit` };
}

/** `read` is the file, or a copy of it. */
function look(read: string, file: string): void {
  // Without a log nothing needs recovery, and without locks nothing is made beside it.
  const address = read === file ? `${pathToFileURL(file).href}?mode=ro&immutable=1` : read;
  const connection = new Libsql(address);
  try {
    connection.exec('PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON');
    const { version, tables } = readState(connection);
    if (tables.length > 0 && !tables.some((table) => TABLES.includes(table))) throw foreign(file, WHAT);
    if (version > MIGRATIONS.length) throw newer(file, WHAT, `it was written by a newer version (schema ${version})`);
    const reason = foreignParts(connection, { migrations: MIGRATIONS, version, isOurs: false });
    if (reason !== undefined) throw damaged(undefined, file, WHAT, reason);
  } finally {
    connection.close();
  }
}

function withCopy(file: string, use: (copy: string) => void): void {
  const copy = privateCopy(file);
  try {
    use(copy.file);
  } finally {
    copy.remove();
  }
}

/** A copy of the file with its log, in a folder that only this person can open. */
export function privateCopy(file: string): { readonly file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-copy-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'copy.db');
    copyWhole(file, copy);
    return { file: copy, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A file that changes while it is copied is copied again; a busy one is taken as it is after that many tries. */
const TRIES = 5;

function copyWhole(file: string, copy: string): void {
  for (let tried = 0; tried < TRIES; tried++) {
    const before = stateOf(file);
    for (const end of ['', '-wal']) {
      rmSync(copy + end, { force: true });
      if (existsSync(file + end)) copyFileSync(file + end, copy + end, constants.COPYFILE_FICLONE);
    }
    if (stateOf(file) === before) return;
  }
}

function stateOf(file: string): string {
  const stats = ['', '-wal'].map((end) => statSync(file + end, { bigint: true, throwIfNoEntry: false }));
  return stats.map((stat) => `${stat?.ino}:${stat?.size}:${stat?.mtimeNs}`).join(' ');
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
