// The full-text index of code search: SQLite FTS5 without content, so the file holds words and stats but no text that
// could be read back. It is a cache beside the store, in its own file: when it is damaged or of another version, it is
// deleted and built again. Commits are not synced one by one; what a power cut loses is indexed again.

import { rmSync } from 'node:fs';
import type { IndexChange, IndexedFile, SearchIndex } from '../../kernel/search.ts';
import { withIdentifierParts } from '../../kernel/search-words.ts';
import { type Database, openDatabase } from './database.ts';
import { readDatabase } from './reader.ts';

/** `contentless_delete` (SQLite 3.43) allows deleting a row without the text that it was made from. */
const MIGRATIONS = [
  `CREATE TABLE file (
     id INTEGER PRIMARY KEY,
     path TEXT NOT NULL UNIQUE,
     size INTEGER NOT NULL,
     mtime_ns TEXT NOT NULL,
     ctime_ns TEXT NOT NULL,
     hash TEXT NOT NULL,
     read_at INTEGER NOT NULL,
     left_out TEXT
   ) STRICT;
   CREATE VIRTUAL TABLE word USING fts5(
     path, body, content='', contentless_delete=1, tokenize='porter unicode61'
   );`,
];

const TABLES = ['file', 'word'];

/** A word in the path is a better sign of what a file is for than a word in its text. */
const PATH_WEIGHT = 4;
const BODY_WEIGHT = 1;

/** Far above what one task gives; bounds a query from outside. */
const MAX_QUERY_WORDS = 64;

/** Creates the file if it is missing; its folder must exist. */
export async function openSearchIndex(path: string): Promise<SearchIndex> {
  return indexOn(() => openIndexFile(path));
}

/** For reading only, by the rules of reader.ts: `apply` throws. */
export async function readSearchIndex(path: string, patienceMs: number): Promise<SearchIndex> {
  return indexOn(async () =>
    readDatabase(path, { what: 'search index', migrations: MIGRATIONS, tables: TABLES, patienceMs }),
  );
}

async function indexOn(open: () => Promise<Database>): Promise<SearchIndex> {
  let database = await open();
  let isClosed = false;
  return {
    files: () => readFiles(database),
    apply: (changes) => {
      if (changes.length === 0) return;
      database.transaction(() => {
        for (const change of changes) applyChange(database, change);
      });
    },
    match: (words, limit) => match(database, words, limit),
    renew: async () => {
      database.close();
      if (!isClosed) database = await open();
    },
    close: () => {
      isClosed = true;
      database.close();
    },
  };
}

async function openIndexFile(path: string): Promise<Database> {
  const database = await openDatabase(path, {
    what: 'search index',
    migrations: MIGRATIONS,
    tables: TABLES,
    isOurs: true,
    onSetAside: ({ to }) => {
      for (const companion of ['', '-wal', '-shm', '-journal']) rmSync(to + companion, { force: true });
    },
  });
  database.run('PRAGMA synchronous=NORMAL');
  return database;
}

/** One value for all rows: the driver's cost is per value, and every search runs this. */
function readFiles(database: Database): Map<string, IndexedFile> {
  const row = database.get<{ rows: string }>(
    `SELECT CAST(json_group_array(json_array(path, size, mtime_ns, ctime_ns, hash, read_at, left_out)) AS BLOB) AS rows FROM file`,
  );
  const rows = JSON.parse(row?.rows ?? '[]') as [string, number, string, string, string, number, string | null][];
  return new Map(
    rows.map(([path, size, mtimeNs, ctimeNs, hash, readAt, leftOut]) => [
      path,
      { path, size, mtimeNs, ctimeNs, hash, readAt, leftOut },
    ]),
  );
}

function applyChange(database: Database, change: IndexChange): void {
  switch (change.kind) {
    case 'stat': {
      const { path, size, mtimeNs, ctimeNs, hash, readAt } = change.file;
      database.run(
        'UPDATE file SET size = ?, mtime_ns = ?, ctime_ns = ?, read_at = ? WHERE path = ? AND hash = ?',
        ...[size, mtimeNs, ctimeNs, readAt, path, hash],
      );
      return;
    }
    case 'content': {
      remove(database, change.file.path);
      const { path, size, mtimeNs, ctimeNs, hash, readAt, leftOut } = change.file;
      const { lastId } = database.run(
        'INSERT INTO file (path, size, mtime_ns, ctime_ns, hash, read_at, left_out) VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...[path, size, mtimeNs, ctimeNs, hash, readAt, leftOut],
      );
      if (change.body === null) return;
      const words = [withIdentifierParts(path), withIdentifierParts(change.body)];
      database.run('INSERT INTO word (rowid, path, body) VALUES (?, ?, ?)', lastId, ...words);
      return;
    }
    case 'gone':
      remove(database, change.path);
  }
}

function remove(database: Database, path: string): void {
  const row = database.get<{ id: number }>('SELECT id FROM file WHERE path = ?', path);
  if (row === undefined) return;
  database.run('DELETE FROM word WHERE rowid = ?', row.id);
  database.run('DELETE FROM file WHERE id = ?', row.id);
}

function match(database: Database, words: readonly string[], limit: number): string[] {
  const query = words
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, MAX_QUERY_WORDS)
    .map((word) => `"${word.replaceAll('"', '""').replaceAll('\0', ' ')}"`)
    .join(' OR ');
  if (query === '' || limit < 1) return [];
  return database
    .all<{ path: string }>(
      `SELECT CAST(file.path AS BLOB) AS path FROM
         (SELECT rowid AS id, bm25(word, ${PATH_WEIGHT}, ${BODY_WEIGHT}) AS score FROM word WHERE word MATCH ?
          ORDER BY score, rowid LIMIT ?) AS best
       JOIN file ON file.id = best.id ORDER BY best.score, file.path`,
      query,
      Math.floor(limit),
    )
    .map(({ path }) => path);
}
