// Attempts in SQLite: append-only rows keyed by task and number.

import type { AttemptRecord, AttemptStore } from '../../kernel/attempt.ts';
import { attemptTaken, keyOf, staleOwner } from '../rules.ts';
import { type Database, text } from './database.ts';
import { parseBody, parseKey } from './generic.ts';
import { assertHeld } from './tasks.ts';

const LAST = 'SELECT coalesce(max(number), 0) AS number FROM attempts WHERE task = ?';
const INSERT = 'INSERT INTO attempts (task, number, body) VALUES (?, ?, ?)';
const LIST = `SELECT ${text('body')} FROM attempts WHERE task = ? AND number > ? ORDER BY number`;
const CLEARED = 'SELECT up_to AS up_to FROM cleared WHERE task = ?';
const CLEAR = 'INSERT INTO cleared (task, up_to) VALUES (?, ?) ON CONFLICT (task) DO UPDATE SET up_to = excluded.up_to';
const TASKS = `SELECT ${text('task')} FROM attempts WHERE number = 1 ORDER BY position`;

export function sqliteAttempts(database: Database): AttemptStore {
  const last = (task: string) => database.get<{ number: number }>(LAST, task)?.number ?? 0;
  const clearedUpTo = (task: string) => database.get<{ up_to: number }>(CLEARED, task)?.up_to ?? 0;
  const list = (task: string, after: number) =>
    database.all<{ body: string }>(LIST, task, after).map((row) => parseBody<AttemptRecord>(database, 'attempts', row));
  return {
    async append(taskId, record, claim) {
      const task = keyOf(taskId);
      database.transaction(() => {
        if (claim !== undefined) {
          if (claim.taskId !== taskId) throw staleOwner(claim);
          assertHeld(database, claim);
        }
        const next = last(task) + 1;
        if (record.attemptNumber !== next) throw attemptTaken(taskId, record.attemptNumber, next);
        database.run(INSERT, task, next, JSON.stringify(record));
      });
    },
    async list(taskId) {
      return list(keyOf(taskId), 0);
    },
    async open(taskId) {
      const task = keyOf(taskId);
      return list(task, clearedUpTo(task));
    },
    async clear(taskId) {
      const task = keyOf(taskId);
      database.transaction(() => {
        const upTo = last(task);
        if (upTo !== clearedUpTo(task)) database.run(CLEAR, task, upTo);
      });
    },
    async clearedUpTo(taskId) {
      return clearedUpTo(keyOf(taskId));
    },
    async taskIds() {
      return database.all<{ task: string }>(TASKS).map((row) => parseKey(database, 'attempts', row.task));
    },
  };
}
