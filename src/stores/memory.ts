// The stores in memory: for tests and for runs that leave nothing behind. Values are kept as JSON text, so that a caller
// who keeps an object cannot change what is stored, as with a real store.

import type { AttemptRecord, AttemptStore } from '../kernel/attempt.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { FleetRules, FleetStore, WorkerSign } from '../kernel/fleet.ts';
import type { Entry, Log, Stores, Version, Versioned } from '../kernel/stores.ts';
import type { TaskRecord, TaskStore } from '../kernel/task.ts';
import {
  asRunning,
  assertSameTask,
  attemptTaken,
  GROUP_OF,
  instantOf,
  isFinished,
  staleOwner,
  stillHeld,
  unknownTask,
} from './rules.ts';

export function memoryStores(): Stores {
  let isOpen = true;
  const open: Gate = async (work) => {
    if (!isOpen) throw new ForewordError('store-unreachable', 'The store in memory was closed.');
    return work();
  };
  const tasks = new Map<string, KeptTask>();
  return {
    journal: memoryLog(open),
    receipts: memoryLog(open),
    continuity: memoryLog(open),
    breakers: memoryVersioned(open, GROUP_OF.breakers),
    deliveries: memoryVersioned(open, GROUP_OF.deliveries),
    sessions: memoryVersioned(open, GROUP_OF.sessions),
    runs: memoryVersioned(open, GROUP_OF.runs),
    works: memoryVersioned(open, GROUP_OF.works),
    tasks: memoryTasks(open, tasks),
    attempts: memoryAttempts(open, tasks),
    fleet: memoryFleet(open, tasks),
    durability: () =>
      open(() => ({ kind: 'memory', level: 'volatile', detail: 'in memory: gone when this process ends' })),
    close: async () => {
      isOpen = false;
    },
  };
}

/** Every call passes it: refused after close, and a throw becomes a rejection. */
type Gate = <T>(work: () => T) => Promise<T>;

interface KeptTask {
  body: string;
  changed: number;
  token: number;
  owner: string | undefined;
  leaseEndsAt: number;
}

function memoryLog<T extends { readonly id: string }>(open: Gate): Log<T> {
  const bodies: string[] = [];
  const numbers = new Map<string, number>();
  const slice = (from: number, to: number): Entry<T>[] =>
    bodies.slice(from, to).map((body, index) => ({ number: from + index + 1, value: parse<T>(body) }));
  return {
    append: (entry) =>
      open(() => {
        const known = numbers.get(entry.id);
        if (known !== undefined) return known;
        bodies.push(JSON.stringify(entry));
        numbers.set(entry.id, bodies.length);
        return bodies.length;
      }),
    read: ({ after = 0, limit = Number.POSITIVE_INFINITY } = {}) => open(() => slice(after, after + limit)),
    last: (count) => open(() => slice(Math.max(0, bodies.length - count), bodies.length)),
  };
}

function memoryVersioned<T>(open: Gate, groupOf: (value: T) => string | undefined): Versioned<T> {
  const records = new Map<string, Version<string>>();
  return {
    get: (id) =>
      open(() => {
        const found = records.get(id);
        return found && { version: found.version, value: parse<T>(found.value) };
      }),
    put: (id, value, expected) =>
      open(() => {
        if ((records.get(id)?.version ?? 0) !== expected) return false;
        records.set(id, { version: expected + 1, value: JSON.stringify(value) });
        return true;
      }),
    list: (group) =>
      open(() =>
        [...records]
          .map(([id, { version, value }]) => ({ id, version, value: parse<T>(value) }))
          .filter(({ value }) => group === undefined || groupOf(value) === group),
      ),
  };
}

function memoryTasks(open: Gate, tasks: Map<string, KeptTask>): TaskStore {
  let changes = 0;
  const records = () => [...tasks.values()].map((kept) => ({ kept, record: parse<TaskRecord>(kept.body) }));
  const keep = (kept: KeptTask, record: TaskRecord) => {
    kept.body = JSON.stringify(record);
    kept.changed = ++changes;
  };
  return {
    add: (record) =>
      open(() => {
        if (tasks.has(record.task_id)) return false;
        const kept: KeptTask = { body: '', changed: 0, token: 0, owner: undefined, leaseEndsAt: 0 };
        keep(kept, record);
        tasks.set(record.task_id, kept);
        return true;
      }),
    get: (taskId) =>
      open(() => {
        const kept = tasks.get(taskId);
        return kept && parse<TaskRecord>(kept.body);
      }),
    list: () => open(() => records().map(({ record }) => record)),
    recentFinished: (limit) =>
      open(() =>
        records()
          .filter(({ record }) => isFinished(record))
          .sort(
            (a, b) =>
              instantOf(b.record.completed_at) - instantOf(a.record.completed_at) || b.kept.changed - a.kept.changed,
          )
          .slice(0, limit)
          .map(({ record }) => record),
      ),
    blocked: () =>
      open(() =>
        records()
          .filter(({ record }) => record.status === 'blocked')
          .sort(
            (a, b) =>
              instantOf(a.record.updated_at) - instantOf(b.record.updated_at) || a.kept.changed - b.kept.changed,
          )
          .map(({ record }) => record),
      ),
    claim: (taskId, by) =>
      open(() => {
        const kept = tasks.get(taskId);
        if (kept === undefined) return undefined;
        const record = parse<TaskRecord>(kept.body);
        const isEnded = kept.leaseEndsAt < by.now || kept.token === by.over?.token;
        const isFree = record.status === 'queued' || (record.status === 'running' && isEnded);
        if (!isFree) return undefined;
        keep(kept, asRunning(record, by.now));
        kept.token += 1;
        kept.owner = by.owner;
        kept.leaseEndsAt = by.now + by.leaseMs;
        return { taskId, owner: by.owner, token: kept.token };
      }),
    holder: (taskId) =>
      open(() => {
        const kept = tasks.get(taskId);
        if (kept?.owner === undefined || parse<TaskRecord>(kept.body).status !== 'running') return undefined;
        return { taskId, owner: kept.owner, token: kept.token };
      }),
    renew: (claim, lease) =>
      open(() => {
        const kept = tasks.get(claim.taskId);
        if (!isHeldBy(kept, claim)) throw staleOwner(claim);
        kept.leaseEndsAt = lease.now + lease.leaseMs;
      }),
    update: (claim, record) =>
      open(() => {
        assertSameTask(claim, record);
        const kept = tasks.get(claim.taskId);
        if (!isHeldBy(kept, claim)) throw staleOwner(claim);
        keep(kept, record);
        if (record.status !== 'running') release(kept);
      }),
    amend: (record, now) =>
      open(() => {
        const kept = tasks.get(record.task_id);
        if (kept === undefined) throw unknownTask(record.task_id);
        if (kept.owner !== undefined && kept.leaseEndsAt >= now) throw stillHeld(record.task_id, kept.owner);
        keep(kept, record);
        release(kept);
      }),
  };
}

function memoryAttempts(open: Gate, tasks: Map<string, KeptTask>): AttemptStore {
  const attempts = new Map<string, string[]>();
  const cleared = new Map<string, number>();
  const list = (taskId: string, after: number) =>
    (attempts.get(taskId) ?? []).slice(after).map((body) => parse<AttemptRecord>(body));
  return {
    append: (taskId, record, claim) =>
      open(() => {
        if (claim !== undefined && (claim.taskId !== taskId || !isHeldBy(tasks.get(taskId), claim))) {
          throw staleOwner(claim);
        }
        const bodies = attempts.get(taskId) ?? [];
        const next = bodies.length + 1;
        if (record.attemptNumber !== next) throw attemptTaken(taskId, record.attemptNumber, next);
        bodies.push(JSON.stringify(record));
        attempts.set(taskId, bodies);
      }),
    list: (taskId) => open(() => list(taskId, 0)),
    open: (taskId) => open(() => list(taskId, cleared.get(taskId) ?? 0)),
    clear: (taskId) =>
      open(() => {
        cleared.set(taskId, attempts.get(taskId)?.length ?? 0);
      }),
    clearedUpTo: (taskId) => open(() => cleared.get(taskId) ?? 0),
    taskIds: () => open(() => [...attempts.keys()]),
  };
}

/** For tests: a fleet of one process. */
function memoryFleet(open: Gate, tasks: ReadonlyMap<string, KeptTask>): FleetStore {
  const signs = new Map<string, string>();
  const turns = new Map<string, number>();
  let kept: string | undefined;
  return {
    id: 'memory',
    rules: (wanted) =>
      open(() => {
        kept ??= JSON.stringify(wanted);
        return parse<FleetRules>(kept);
      }),
    keptRules: () => open(() => (kept === undefined ? undefined : parse<FleetRules>(kept))),
    sign: (sign) =>
      open(() => {
        signs.set(sign.id, JSON.stringify(sign));
      }),
    unsign: (worker) =>
      open(() => {
        signs.delete(worker);
      }),
    signs: () =>
      open(() =>
        [...signs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, body]) => parse<WorkerSign>(body)),
      ),
    takeTurn: (name, ms) =>
      open(() => {
        const now = performance.now();
        if ((turns.get(name) ?? Number.NEGATIVE_INFINITY) > now) return false;
        turns.set(name, now + ms);
        return true;
      }),
    now: () => open(() => Date.now()),
    leases: (ids) =>
      open(() =>
        ids.map((id) => {
          const { token = 0, owner, leaseEndsAt = 0 } = tasks.get(id) ?? {};
          return { epoch: token, ...(owner === undefined ? {} : { owner, endsAt: leaseEndsAt }) };
        }),
      ),
    server: () => open(() => ({ eviction: 'noeviction' })),
  };
}

function isHeldBy(kept: KeptTask | undefined, claim: { owner: string; token: number }): kept is KeptTask {
  return kept !== undefined && kept.token === claim.token && kept.owner === claim.owner;
}

/** The token stays: the next claim's must be higher. */
function release(kept: KeptTask): void {
  kept.owner = undefined;
  kept.leaseEndsAt = 0;
}

function parse<T>(body: string): T {
  return JSON.parse(body) as T;
}
