// Wrappers around any stores: one redacts everything that is written, one names the writer, one calls back when the state that
// people look at has changed, one keeps a dump of that state. Reads pass through unchanged.

import { mapStrings } from '../kernel/map-strings.ts';
import type { Log, Stores, Versioned } from '../kernel/stores.ts';
import type { Task, TaskRecord } from '../kernel/task.ts';
import type { Written } from '../kernel/writer.ts';

/** Every text inside every value that is written goes through `redact`. What identifies a record (its id, its
 *  session, its run, the ids a task depends on) stays: changing it would change which record is meant. */
export function redactingStores(stores: Stores, redact: (text: string) => string): Stores {
  const clean = <T>(value: T): T => mapStrings(value, redact);
  const cleanTask = (record: TaskRecord): TaskRecord => ({
    ...clean(record),
    task_id: record.task_id,
    ...(record.run === undefined ? {} : { run: record.run }),
    ...(record.task === undefined ? {} : { task: cleanDescription(record.task) }),
  });
  const cleanDescription = (task: Task): Task => ({
    ...clean(task),
    task_id: task.task_id,
    depends_on: task.depends_on,
  });
  const { tasks, attempts } = stores;
  return {
    ...stores,
    journal: redactingLog(stores.journal, clean),
    receipts: redactingLog(stores.receipts, (value) => ({
      ...clean(value),
      delivery: value.delivery,
      session: value.session,
    })),
    continuity: redactingLog(stores.continuity, clean),
    breakers: redactingVersioned(stores.breakers, (value) => ({ ...clean(value), agent: value.agent })),
    deliveries: redactingVersioned(stores.deliveries, (value) => ({
      ...clean(value),
      id: value.id,
      session: value.session,
    })),
    sessions: redactingVersioned(stores.sessions, (value) => ({ ...clean(value), id: value.id })),
    runs: redactingVersioned(stores.runs, (value) => ({
      ...clean(value),
      id: value.id,
      base: value.base,
      tip: value.tip,
    })),
    works: redactingVersioned(stores.works, (value) => ({ ...clean(value), id: value.id, agent: value.agent })),
    tasks: {
      ...tasks,
      add: (record) => tasks.add(cleanTask(record)),
      update: (claim, record) => tasks.update(claim, cleanTask(record)),
      amend: (record, now) => tasks.amend(cleanTask(record), now),
    },
    attempts: { ...attempts, append: (taskId, record, claim) => attempts.append(taskId, clean(record), claim) },
  };
}

function redactingLog<T extends { readonly id: string }>(log: Log<T>, clean: (value: T) => T): Log<T> {
  return { ...log, append: (entry) => log.append({ ...clean(entry), id: entry.id }) };
}

function redactingVersioned<T>(records: Versioned<T>, clean: (value: T) => T): Versioned<T> {
  return { ...records, put: (id, value, expected) => records.put(id, clean(value), expected) };
}

/** Events, notes, tasks and attempts that are written name `writer`. What an import brings keeps its mark and the name it has;
 *  a task that changes is no longer the imported one. */
export function signedStores(stores: Stores, writer: string): Stores {
  const signed = <T extends Written>(record: T): T => (record.imported === true ? record : { ...record, writer });
  const changed = <T extends Written>({ imported: _, ...record }: T) => ({ ...record, writer }) as unknown as T;
  const { journal, continuity, works, tasks, attempts } = stores;
  return {
    ...stores,
    works: { ...works, put: (id, value, expected) => works.put(id, signed(value), expected) },
    journal: { ...journal, append: (entry) => journal.append(signed(entry)) },
    continuity: { ...continuity, append: (entry) => continuity.append(signed(entry)) },
    tasks: {
      ...tasks,
      add: (record) => tasks.add(signed(record)),
      update: (claim, record) => tasks.update(claim, changed(record)),
      amend: (record, now) => tasks.amend(changed(record), now),
    },
    attempts: { ...attempts, append: (taskId, record, claim) => attempts.append(taskId, signed(record), claim) },
  };
}

/** Calls `onChange` after each write to tasks, attempts, breakers or runs that changed something, before the write's promise
 *  resolves. Renewing a lease changes no record and calls nothing. `onChange` must not throw: the write has happened. */
export function watchedStores(stores: Stores, onChange: () => void): Stores {
  const noted = async <T>(write: Promise<T>, isChange: (result: T) => boolean = () => true): Promise<T> => {
    const result = await write;
    if (isChange(result)) onChange();
    return result;
  };
  const isTrue = (result: boolean) => result;
  const { tasks, attempts, breakers, runs } = stores;
  return {
    ...stores,
    breakers: { ...breakers, put: (id, value, expected) => noted(breakers.put(id, value, expected), isTrue) },
    runs: { ...runs, put: (id, value, expected) => noted(runs.put(id, value, expected), isTrue) },
    tasks: {
      ...tasks,
      add: (record) => noted(tasks.add(record), isTrue),
      claim: (taskId, by) => noted(tasks.claim(taskId, by), (claim) => claim !== undefined),
      update: (claim, record) => noted(tasks.update(claim, record)),
      amend: (record, now) => noted(tasks.amend(record, now)),
    },
    attempts: {
      ...attempts,
      append: (taskId, record, claim) => noted(attempts.append(taskId, record, claim)),
      clear: (taskId) => noted(attempts.clear(taskId)),
    },
  };
}

/** A copy of the state for other tools, as context/session-state.ts keeps it. */
export interface StateDump {
  changed(): void;
  /** Resolves when it shows the last change. */
  settled(): Promise<void>;
}

/** The dump follows each change, and is up to date when the stores are closed. */
export function dumpedStores(stores: Stores, dump: StateDump): Stores {
  const watched = watchedStores(stores, dump.changed);
  return {
    ...watched,
    close: async () => {
      await dump.settled();
      await watched.close();
    },
  };
}
