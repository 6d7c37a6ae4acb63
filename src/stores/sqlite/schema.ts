// The store's tables. A released migration is never edited: a change is a further script at the end. `key` columns
// hold keyOf(id). Logs and attempts are append-only by trigger, so that no statement, ours or a person's, changes
// the past.

const LOGS = ['journal', 'receipts', 'continuity'] as const;
const VERSIONED = ['breakers', 'deliveries', 'sessions', 'runs', 'works'] as const;
export type LogTable = (typeof LOGS)[number];
export type VersionedTable = (typeof VERSIONED)[number];

export const TABLES: readonly string[] = [...LOGS, ...VERSIONED, 'tasks', 'attempts', 'cleared'];

const log = (table: LogTable) => `
CREATE TABLE ${table} (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
${appendOnly(table)}`;

const versioned = (table: VersionedTable) => `
CREATE TABLE ${table} (
  position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, grouped TEXT, body TEXT NOT NULL
) STRICT;
CREATE INDEX ${table}_grouped ON ${table} (grouped) WHERE grouped IS NOT NULL;`;

function appendOnly(table: string): string {
  return `
CREATE TRIGGER ${table}_keep_rows BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
CREATE TRIGGER ${table}_keep_text BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;`;
}

/** Those of the first version. */
const FIRST_VERSIONED: readonly VersionedTable[] = ['breakers', 'deliveries', 'sessions'];

/** `ranked_at` orders finished tasks by their completion and blocked ones by when they became so. `changed` counts
 *  writes over all tasks and breaks ties. */
const FIRST = `
${LOGS.map(log).join('')}
${FIRST_VERSIONED.map(versioned).join('')}
CREATE TABLE tasks (
  position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, status TEXT NOT NULL, ranked_at INTEGER NOT NULL,
  changed INTEGER NOT NULL, token INTEGER NOT NULL, owner TEXT, lease_ends_at INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX tasks_ranked ON tasks (status, ranked_at, changed);
CREATE INDEX tasks_changed ON tasks (changed);
CREATE TABLE attempts (
  position INTEGER PRIMARY KEY, task TEXT NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (task, number)
) STRICT;
CREATE INDEX attempts_first ON attempts (position) WHERE number = 1;
${appendOnly('attempts')}
CREATE TABLE cleared (task TEXT PRIMARY KEY, up_to INTEGER NOT NULL) STRICT;
`;

export const MIGRATIONS: readonly string[] = [FIRST, versioned('runs'), versioned('works')];
