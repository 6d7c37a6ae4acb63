// Ways to spoil an export or a store's file. Every choice comes from `random`, so that a seed repeats it.

import { existsSync, rmSync } from 'node:fs';
import type Libsql from 'libsql';

type Random = () => number;
const below = (random: Random, end: number) => Math.floor(random() * end);
const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)] as T;

const PAGE = 4096;

const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'x'.repeat(100_000),
  [],
  {},
  [[[[]]]],
  '\u0000\u202e\ud800',
  { __proto__: null, constructor: 1 },
  '2099-01-01T00:00:00Z',
  Number.MAX_SAFE_INTEGER,
];

const TEXT_WAYS: Readonly<Record<string, (lines: string[], random: Random) => string | Uint8Array>> = {
  'bits flipped': (lines, random) => flipped(Buffer.from(lines.join('\n')), random),
  'cut off': (lines, random) => lines.join('\n').slice(0, below(random, lines.join('\n').length)),
  'lines swapped': (lines, random) => {
    for (let count = 0; count < 5; count++) {
      const [a, b] = [below(random, lines.length), below(random, lines.length)];
      [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
    }
    return lines.join('\n');
  },
  'lines doubled': (lines, random) => {
    const at = below(random, lines.length);
    return [...lines.slice(0, at), lines[at], ...lines.slice(at)].join('\n');
  },
  'a value replaced': (lines, random) => changed(lines, random, () => pick(random, VALUES)),
  'a value removed': (lines, random) => changed(lines, random, () => undefined),
  'nested deep': (lines, random) => {
    const [open, close] = pick(random, [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    const depth = 10 ** (1 + below(random, 5));
    const at = 1 + below(random, lines.length - 1);
    const deep = `${open.repeat(depth)}1${random() < 0.5 ? close.repeat(depth) : ''}`;
    lines[at] = `{"kind":"event","record":{"id":"x","at":"2026-01-01T00:00:00Z","kind":"x","deep":${deep}}}`;
    return lines.join('\n');
  },
  noise: (_lines, random) => Buffer.from(Array.from({ length: below(random, 20_000) }, () => below(random, 256))),
  'one long line': (lines, random) => `${lines[0]}\n${'{"kind":'.repeat(1 + below(random, 50_000))}`,
  'carriage returns and nulls': (lines, random) => lines.join(pick(random, ['\r\n', '\r', '\0\n', '\n\n\n', '\u2028'])),
};

export function mutateText(text: string, random: Random): { readonly way: string; readonly bytes: Uint8Array } {
  const way = pick(random, Object.keys(TEXT_WAYS));
  const made = TEXT_WAYS[way]?.(text.trimEnd().split('\n'), random) ?? '';
  return { way, bytes: typeof made === 'string' ? Buffer.from(made) : made };
}

/** A value at a random place of a random line. */
function changed(lines: string[], random: Random, to: () => unknown): string {
  for (let count = 0; count < 1 + below(random, 4); count++) {
    const at = below(random, lines.length);
    try {
      const line = JSON.parse(lines[at] ?? '{}') as Record<string, unknown>;
      const target = random() < 0.7 && isMap(line.record) ? line.record : line;
      const keys = Object.keys(target);
      const key = random() < 0.1 ? 'unknown' : pick(random, keys);
      target[key] = to();
      lines[at] = JSON.stringify(line);
    } catch {
      // Spoiled by an earlier change already.
    }
  }
  return lines.join('\n');
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const BYTE_WAYS: Readonly<Record<string, (bytes: Buffer, random: Random) => Buffer>> = {
  'bits flipped': (bytes, random) => flipped(bytes, random),
  'bits flipped in the schema': (bytes, random) =>
    Buffer.concat([flipped(bytes.subarray(0, PAGE), random), bytes.subarray(PAGE)]),
  truncated: (bytes, random) => bytes.subarray(0, below(random, bytes.length)),
  'pages swapped': (bytes, random) => {
    const pages = bytes.length / PAGE;
    for (let count = 0; count < 1 + below(random, 4); count++) {
      const [a, b] = [below(random, pages) * PAGE, below(random, pages) * PAGE];
      const kept = Buffer.from(bytes.subarray(a, a + PAGE));
      bytes.copyWithin(a, b, b + PAGE);
      kept.copy(bytes, b);
    }
    return bytes;
  },
  'a page doubled': (bytes, random) => {
    const pages = bytes.length / PAGE;
    const [from, to] = [below(random, pages) * PAGE, (1 + below(random, pages - 1)) * PAGE];
    return bytes.copyWithin(to, from, from + PAGE);
  },
  'children of a page all one': (bytes, random) => {
    // Interior pages (type 2 or 5): all cells lead to the same child, which may be the page itself.
    for (let page = PAGE; page < bytes.length; page += PAGE) {
      if (bytes[page] !== 5 && bytes[page] !== 2) continue;
      const child = 1 + below(random, bytes.length / PAGE);
      const cells = bytes.readUInt16BE(page + 3);
      bytes.writeUInt32BE(child, page + 8);
      for (let cell = 0; cell < cells; cell++) {
        const at = page + (bytes.readUInt16BE(page + 12 + cell * 2) % (PAGE - 4));
        bytes.writeUInt32BE(child, at);
      }
    }
    return bytes;
  },
  'a tree without an end': (bytes) => endlessTree(bytes),
  'noise behind the header': (bytes, random) => {
    for (let at = 100; at < bytes.length; at++) bytes[at] = below(random, 256);
    return bytes;
  },
};

export function mutateBytes(bytes: Buffer, random: Random): { readonly way: string; readonly bytes: Buffer } {
  const way = pick(random, Object.keys(BYTE_WAYS));
  return { way, bytes: BYTE_WAYS[way]?.(Buffer.from(bytes), random) ?? bytes };
}

/** The first interior page of a table leads to a new page, that one by all its 400 cells to the next, and so on for five levels:
 *  SQLite would visit 10^13 leaves. Every page by itself is sound. */
export function endlessTree(bytes: Buffer): Buffer {
  const pages = bytes.length / PAGE;
  const root = Array.from({ length: pages - 1 }, (_, index) => index + 1).find((page) => bytes[page * PAGE] === 5);
  if (root === undefined) return bytes;
  const leaf = bytes.readUInt32BE(root * PAGE + 8);
  const levels = 5;
  const added = Array.from({ length: levels }, (_, level) =>
    interiorPage(level === levels - 1 ? leaf : pages + level + 2),
  );
  interiorPage(pages + 1).copy(bytes, root * PAGE);
  const all = Buffer.concat([bytes, ...added]);
  all.writeUInt32BE(all.length / PAGE, 28);
  // The length in the header counts only when these two are the same.
  all.writeUInt32BE(all.readUInt32BE(24), 92);
  return all;
}

function interiorPage(child: number): Buffer {
  const page = Buffer.alloc(PAGE);
  const cells = 400;
  const size = 6;
  page[0] = 5;
  page.writeUInt16BE(cells, 3);
  page.writeUInt16BE(PAGE - cells * size, 5);
  page.writeUInt32BE(child, 8);
  for (let cell = 0; cell < cells; cell++) {
    const at = PAGE - (cell + 1) * size;
    page.writeUInt16BE(at, 12 + cell * 2);
    page.writeUInt32BE(child, at);
    // The key, a number of two bytes.
    const key = cell + 128;
    page[at + 4] = 0x80 | (key >> 7);
    page[at + 5] = key & 0x7f;
  }
  return page;
}

function flipped(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = 0; count < 1 + below(random, 40); count++) {
    const at = below(random, copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8));
  }
  return copy;
}

const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';
const TABLES = [
  'journal',
  'receipts',
  'continuity',
  'breakers',
  'deliveries',
  'sessions',
  'runs',
  'tasks',
  'attempts',
  'cleared',
];

/** What somebody who wants harm can put into a file with SQL. */
const HOSTILE: readonly ((random: Random) => string)[] = [
  (random) => `CREATE TRIGGER t BEFORE INSERT ON ${pick(random, TABLES)} BEGIN ${ENDLESS}; END`,
  (random) => `CREATE TRIGGER t AFTER UPDATE ON ${pick(random, TABLES)} BEGIN ${ENDLESS}; END`,
  (random) => {
    const table = pick(random, TABLES);
    return `ALTER TABLE ${table} RENAME TO hidden; CREATE VIEW ${table} AS ${ENDLESS}`;
  },
  () => `CREATE VIEW v AS ${ENDLESS}`,
  () => 'CREATE VIRTUAL TABLE f USING fts5(x)',
  () => 'CREATE INDEX i ON journal (length(body) + abs(number))',
  (random) =>
    `ALTER TABLE ${pick(random, TABLES)} ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(zeroblob(1000000000)))`,
  (random) => `DROP TABLE ${pick(random, TABLES)}`,
  (random) =>
    `PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = ${1 + below(random, 30)} WHERE name = '${pick(random, TABLES)}'`,
  (random) =>
    `PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = '${pick(random, ['', 'CREATE TABLE', 'SELECT 1', 'x'.repeat(9_999)])}' WHERE name = '${pick(random, TABLES)}'`,
  (random) =>
    `PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = CAST(x'${'ff'.repeat(1 + below(random, 50))}' AS TEXT) WHERE type = '${pick(random, ['table', 'index', 'trigger'])}'`,
  (random) => `PRAGMA user_version=${pick(random, [-1, 0, 1, 3, 999, 2_147_483_647])}`,
  () => `INSERT INTO continuity (key, body) VALUES ('x', CAST(zeroblob(2000000) AS TEXT))`,
  () => `INSERT INTO journal (key, body) VALUES (CAST(x'c328' AS TEXT), CAST(x'ffff' AS TEXT))`,
  (random) => `INSERT INTO journal (key, body) VALUES ('deep', '${'['.repeat(10 ** (1 + below(random, 5)))}')`,
  () => `INSERT INTO tasks SELECT position + 1000, key || 'x', status, 9e15, 9e15, 9e15, 'x', 9e15, '{}' FROM tasks`,
  () =>
    `UPDATE breakers SET body = '{"agent":"x","state":"open","reason":"x","openedAt":"x","until":"2099-01-01T00:00:00Z"}'`,
];

export function hostileChanges(random: Random) {
  const sql = pick(random, HOSTILE)(random);
  const apply = (file: string, Database: typeof Libsql): void => {
    const database = new Database(file);
    try {
      database.exec(sql);
    } catch {
      // SQLite refuses some of them, or finds the file damaged by it: what was written until then counts.
    }
    database.exec('PRAGMA busy_timeout=0');
    try {
      database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    } catch {
      // The log is removed below: the file is as it was.
    }
    database.close();
    for (const end of ['-wal', '-shm']) if (existsSync(file + end)) rmSync(file + end);
  };
  return { way: `SQL: ${sql.slice(0, 60)}`, apply };
}
