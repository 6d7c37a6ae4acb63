// Tasks in SQLite. Every rule about who may write is checked under the write lock, in the transaction that writes.

import type { Claim, TaskRecord, TaskStore } from '../../kernel/task.ts';
import { FINISHED } from '../../kernel/task.ts';
import {
  asRunning,
  assertSameTask,
  instantOf,
  isFinished,
  keyOf,
  staleOwner,
  stillHeld,
  unknownTask,
} from '../rules.ts';
import { type Database, text } from './database.ts';
import { parseBody, parseKey } from './generic.ts';

const NEXT_CHANGE = '(SELECT coalesce(max(changed), 0) + 1 FROM tasks)';
const BODY = text('body');
const FIND = `SELECT ${text('status')}, token AS token, ${text('owner')}, lease_ends_at AS lease_ends_at, ${BODY}
  FROM tasks WHERE key = ?`;
const INSERT = `INSERT INTO tasks (key, status, ranked_at, body, changed, token, owner, lease_ends_at)
  VALUES (?, ?, ?, ?, ${NEXT_CHANGE}, 0, NULL, 0) ON CONFLICT (key) DO NOTHING`;
const REPLACE = `UPDATE tasks SET status = ?, ranked_at = ?, body = ?, changed = ${NEXT_CHANGE} WHERE key = ?`;
const HOLD = 'UPDATE tasks SET token = ?, owner = ?, lease_ends_at = ? WHERE key = ?';
/** The token stays: the next claim's must be higher. */
const RELEASE = 'UPDATE tasks SET owner = NULL, lease_ends_at = 0 WHERE key = ?';
const RENEW = 'UPDATE tasks SET lease_ends_at = ? WHERE key = ? AND token = ? AND owner = ?';
const LIST = `SELECT ${BODY} FROM tasks ORDER BY position`;
const RECENT = `SELECT ${BODY} FROM tasks WHERE status IN (${FINISHED.map((status) => `'${status}'`).join(', ')})
  ORDER BY ranked_at DESC, changed DESC LIMIT ?`;
const BLOCKED = `SELECT ${BODY} FROM tasks WHERE status = 'blocked' ORDER BY ranked_at, changed`;

interface TaskRow {
  readonly status: string;
  readonly token: number;
  readonly owner: string | null;
  readonly lease_ends_at: number;
  readonly body: string;
}

export function sqliteTasks(database: Database): TaskStore {
  const recordOf = (row: { readonly body: string }) => parseBody<TaskRecord>(database, 'tasks', row);
  const find = (taskId: string) => database.get<TaskRow>(FIND, keyOf(taskId));
  const replace = (record: TaskRecord) =>
    database.run(REPLACE, record.status, rankOf(record), JSON.stringify(record), keyOf(record.task_id));
  return {
    async add(record) {
      const added = database.run(INSERT, keyOf(record.task_id), record.status, rankOf(record), JSON.stringify(record));
      return added.changes === 1;
    },
    async get(taskId) {
      const row = find(taskId);
      return row && recordOf(row);
    },
    async list() {
      return database.all<TaskRow>(LIST).map(recordOf);
    },
    async recentFinished(limit) {
      return database.all<TaskRow>(RECENT, Math.max(0, limit)).map(recordOf);
    },
    async blocked() {
      return database.all<TaskRow>(BLOCKED).map(recordOf);
    },
    async claim(taskId, by) {
      return database.transaction(() => {
        const row = find(taskId);
        const isEnded = row !== undefined && (row.lease_ends_at < by.now || row.token === by.over?.token);
        const isFree = row?.status === 'queued' || (row?.status === 'running' && isEnded);
        if (row === undefined || !isFree) return undefined;
        const token = row.token + 1;
        replace(asRunning(recordOf(row), by.now));
        database.run(HOLD, token, keyOf(by.owner), Math.round(by.now + by.leaseMs), keyOf(taskId));
        return { taskId, owner: by.owner, token };
      });
    },
    async holder(taskId) {
      const row = find(taskId);
      if (row?.status !== 'running' || row.owner === null) return undefined;
      return { taskId, owner: parseKey(database, 'tasks', row.owner), token: row.token };
    },
    async renew(claim, lease) {
      const endsAt = Math.round(lease.now + lease.leaseMs);
      const { changes } = database.run(RENEW, endsAt, keyOf(claim.taskId), claim.token, keyOf(claim.owner));
      if (changes === 0) throw staleOwner(claim);
    },
    async update(claim, record) {
      assertSameTask(claim, record);
      database.transaction(() => {
        assertHeld(database, claim);
        replace(record);
        if (record.status !== 'running') database.run(RELEASE, keyOf(record.task_id));
      });
    },
    async amend(record, now) {
      database.transaction(() => {
        const row = find(record.task_id);
        if (row === undefined) throw unknownTask(record.task_id);
        if (row.owner !== null && row.lease_ends_at >= now)
          throw stillHeld(record.task_id, parseKey(database, 'tasks', row.owner));
        replace(record);
        database.run(RELEASE, keyOf(record.task_id));
      });
    },
  };
}

const HELD = 'SELECT 1 AS held FROM tasks WHERE key = ? AND token = ? AND owner = ?';

/** Only inside a transaction: otherwise the result is out of date before it is used. */
export function assertHeld(database: Database, claim: Claim): void {
  if (database.get(HELD, keyOf(claim.taskId), claim.token, keyOf(claim.owner)) === undefined) throw staleOwner(claim);
}

function rankOf(record: TaskRecord): number {
  return instantOf(isFinished(record) ? record.completed_at : record.updated_at);
}
