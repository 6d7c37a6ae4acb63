// SQLite of Node itself behind the few calls that we make of libsql: for the folder of a plug-in, which has no packages beside it. The
// build of the plug-ins puts this file in the place of libsql. Node has it since 22.13 without a flag; before that loading this file
// throws what to do.

import { fileURLToPath } from 'node:url';
import { ForewordError } from '../../kernel/errors.ts';

interface NodeStatement {
  run(...values: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

interface NodeDatabase {
  readonly isTransaction?: boolean;
  exec(sql: string): void; // SQL, no program; house-rule: no-shell
  prepare(sql: string): NodeStatement;
  close(): void;
}

type NodeSqlite = {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => NodeDatabase;
};

/** In a bundle of CommonJS, the only kind that this file is built into. */
declare const require: (name: string) => unknown;

const { DatabaseSync } = load();

function load(): NodeSqlite {
  const { emitWarning } = process;
  try {
    // It warns that it is experimental, and agents show what their servers write to standard error.
    process.emitWarning = () => undefined;
    return require('node:sqlite') as NodeSqlite;
  } catch (error) {
    throw new ForewordError(
      'store-unreachable',
      `Node ${process.versions.node} has no SQLite of its own. Use Node 22.13 or newer.`,
      {
        hint: 'Or install the package with npm install -g foreword, and run foreword init.',
        cause: error,
      },
    );
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** As the driver that it stands for; `timeout` is in milliseconds. */
export default class NodeSqliteDatabase {
  readonly #database: NodeDatabase;
  #isOpen = true;

  constructor(name: string, { timeout = 0 }: { readonly timeout?: number } = {}) {
    const isUrl = name.startsWith('file:');
    this.#database = new DatabaseSync(isUrl ? fileURLToPath(name.replace(/\?.*$/, '')) : name, {
      readOnly: isUrl && name.endsWith('?mode=ro'),
    });
    this.#database.exec(`PRAGMA busy_timeout=${Math.trunc(timeout)}`);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction === true;
  }

  readonly exec = (sql: string): void => this.#database.exec(sql);

  prepare(sql: string): NodeStatement {
    return this.#database.prepare(sql);
  }

  /** Idempotent, as with libsql. */
  close(): void {
    if (this.#isOpen) this.#database.close();
    this.#isOpen = false;
  }
}
