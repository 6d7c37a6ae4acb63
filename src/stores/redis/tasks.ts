// Tasks and attempts over Redis. Status and time of the last change are fields of their own beside the body, because a
// claim changes them inside a script; reading puts them back in.

import type { AttemptRecord, AttemptStore } from '../../kernel/attempt.ts';
import type { TaskRecord, TaskStore } from '../../kernel/task.ts';
import {
  assertSameTask,
  attemptTaken,
  idOf,
  instantOf,
  isFinished,
  keyOf,
  staleOwner,
  stillHeld,
  unknownTask,
} from '../rules.ts';
import { parseBody } from './generic.ts';
import type { RedisLink } from './link.ts';
import { ATTEMPT_APPEND, ATTEMPT_CLEAR, TASK_ADD, TASK_AMEND, TASK_CLAIM, TASK_RENEW, TASK_UPDATE } from './scripts.ts';

/** Tasks per request. */
const BATCH = 500;

type Fields = readonly (string | null)[];

export function redisTasks(link: RedisLink): TaskStore {
  const order = link.key('tasks');
  const rankings = [link.key('tasks-changes'), link.key('tasks-finished'), link.key('tasks-blocked')] as const;
  const hash = (taskId: string) => link.key('task', keyOf(taskId));

  const recordOf = ([status, updatedAt, body]: Fields): TaskRecord | undefined => {
    if (status === null || updatedAt === null || typeof body !== 'string') return undefined;
    const record = parseBody<TaskRecord>(link, 'tasks', body);
    return { ...record, status: status as TaskRecord['status'], updated_at: idOf(updatedAt ?? '') };
  };

  const readAll = async (keys: readonly string[]): Promise<TaskRecord[]> => {
    const records: TaskRecord[] = [];
    for (let from = 0; from < keys.length; from += BATCH) {
      const rows = await link.call(async (client) => {
        const pipeline = client.pipeline();
        for (const key of keys.slice(from, from + BATCH)) pipeline.hmget(link.key('task', key), ...RECORD_FIELDS);
        return (await pipeline.exec()) ?? [];
      });
      for (const [error, fields] of rows) {
        if (error !== null) await link.call(() => Promise.reject(error));
        const record = recordOf(fields as Fields);
        if (record !== undefined) records.push(record);
      }
    }
    return records;
  };

  return {
    async add(record) {
      return (await link.script(TASK_ADD, [hash(record.task_id), order, ...rankings], writeValues(record))) === 1;
    },
    async get(taskId) {
      return recordOf(await link.call((client) => client.hmget(hash(taskId), ...RECORD_FIELDS)));
    },
    async list() {
      return readAll(await link.call((client) => client.lrange(order, 0, -1)));
    },
    async recentFinished(limit) {
      if (limit <= 0) return [];
      const members = await link.call((client) => client.zrevrange(rankings[1], 0, limit - 1));
      return (await readAll(members.map(keyOfMember))).filter(isFinished);
    },
    async blocked() {
      const members = await link.call((client) => client.zrange(rankings[2], '0', '-1'));
      return (await readAll(members.map(keyOfMember))).filter(({ status }) => status === 'blocked');
    },
    async claim(taskId, by) {
      const dead = by.over === undefined ? '' : String(by.over.token);
      const values = [keyOf(by.owner), by.now, by.now + by.leaseMs, new Date(by.now).toISOString(), dead];
      const token = Number(await link.script(TASK_CLAIM, [hash(taskId)], values));
      return token === 0 ? undefined : { taskId, owner: by.owner, token };
    },
    async holder(taskId) {
      const fields = await link.call((client) => client.hmget(hash(taskId), 'status', 'owner', 'token'));
      const [status, owner, token] = fields as Fields;
      if (status !== 'running' || !owner) return undefined;
      return { taskId, owner: idOf(owner.slice(1)), token: Number(token) };
    },
    async renew(claim, lease) {
      const values = [claim.token, keyOf(claim.owner), lease.now + lease.leaseMs];
      if ((await link.script(TASK_RENEW, [hash(claim.taskId)], values)) !== 1) throw staleOwner(claim);
    },
    async update(claim, record) {
      assertSameTask(claim, record);
      const values = [...writeValues(record), claim.token, keyOf(claim.owner)];
      if ((await link.script(TASK_UPDATE, [hash(record.task_id), ...rankings], values)) !== 1) throw staleOwner(claim);
    },
    async amend(record, now) {
      const answer = await link.script(TASK_AMEND, [hash(record.task_id), ...rankings], [...writeValues(record), now]);
      if (answer === 'unknown') throw unknownTask(record.task_id);
      if (answer !== 'done') throw stillHeld(record.task_id, idOf(String(answer).slice(1)));
    },
  };
}

const RECORD_FIELDS = ['status', 'updated_at', 'body'] as const;

/** What every writing script takes: id, status, updated_at, body, ranking, rank. */
function writeValues(record: TaskRecord): (string | number)[] {
  const into = isFinished(record) ? 'finished' : record.status === 'blocked' ? 'blocked' : '';
  const rank = instantOf(isFinished(record) ? record.completed_at : record.updated_at);
  return [keyOf(record.task_id), record.status, keyOf(record.updated_at), JSON.stringify(record), into, rank];
}

function keyOfMember(member: string): string {
  return member.slice(member.indexOf('\n') + 1);
}

export function redisAttempts(link: RedisLink): AttemptStore {
  const tasks = link.key('attempted');
  const cleared = link.key('cleared');
  const attemptsOf = (taskId: string) => link.key('attempts', keyOf(taskId));
  const read = async (taskId: string, from: number): Promise<AttemptRecord[]> => {
    const bodies = await link.call((client) => client.lrange(attemptsOf(taskId), from, -1));
    return bodies.map((body) => parseBody<AttemptRecord>(link, 'attempts', body));
  };
  const clearedUpTo = async (taskId: string): Promise<number> =>
    Number((await link.call((client) => client.hget(cleared, keyOf(taskId)))) ?? 0);
  return {
    async append(taskId, record, claim) {
      if (claim !== undefined && claim.taskId !== taskId) throw staleOwner(claim);
      const answer = await link.script(
        ATTEMPT_APPEND,
        [attemptsOf(taskId), tasks, link.key('task', keyOf(taskId))],
        [
          keyOf(taskId),
          record.attemptNumber,
          JSON.stringify(record),
          claim?.token ?? '',
          claim === undefined ? '' : keyOf(claim.owner),
        ],
      );
      if (answer === -1 && claim !== undefined) throw staleOwner(claim);
      if (answer !== 0) throw attemptTaken(taskId, record.attemptNumber, Number(answer));
    },
    list: (taskId) => read(taskId, 0),
    async open(taskId) {
      return read(taskId, await clearedUpTo(taskId));
    },
    async clear(taskId) {
      await link.script(ATTEMPT_CLEAR, [attemptsOf(taskId), cleared], [keyOf(taskId)]);
    },
    clearedUpTo,
    async taskIds() {
      return (await link.call((client) => client.lrange(tasks, 0, -1))).map(idOf);
    },
  };
}
