// A worker on a store in memory, by a clock that the test moves: what it does with a bell, and how it stops.

import { afterEach, describe, expect, test, vi } from 'vitest';
import { ForewordError } from '../kernel/errors.ts';
import { isoTime } from '../kernel/iso-time.ts';
import type { Stores } from '../kernel/stores.ts';
import { run as runRecord, task as taskOf } from '../stores/contract/samples.ts';
import { memoryStores } from '../stores/memory.ts';
import { type ManualClock, manualClock } from '../testing/manual-clock.ts';
import type { Answered, RungBell } from './bells.ts';
import { FleetWorker, type SharedRun, type WorkedTask } from './worker.ts';

const HOUR = 3_600_000;
const LOCK_MS = 60_000;

interface Given {
  readonly id?: string;
  readonly agents?: readonly string[];
  readonly work?: (
    how: WorkedTask,
    update: (status: 'queued' | 'completed', reason?: string) => Promise<void>,
  ) => Promise<void>;
  readonly drainMs?: number;
}

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function storesWith(...ids: readonly string[]): Promise<Stores> {
  const stores = memoryStores();
  await stores.runs.put('r1', { ...runRecord('r1'), remote: 'origin', state: 'open' }, 0);
  for (const id of ids) {
    const task = { ...taskOf(id), depends_on: [] };
    await stores.tasks.add({
      task_id: id,
      status: 'queued',
      run: 'r1',
      task,
      intent: id,
      updated_at: isoTime(0),
    } as never);
  }
  return stores;
}

/** Opened by `run`; the test rings. */
async function worker(stores: Stores, clock: ManualClock, given: Given = {}) {
  const notes: string[] = [];
  const rung: RungBell[] = [];
  const drain = new AbortController();
  const end = new AbortController();
  let answer: ((bell: unknown, at: Pick<RungBell, 'rungAt'>) => Promise<Answered>) | undefined;
  const shared: SharedRun = {
    work: async (task, claim, how) => {
      const update = async (status: 'queued' | 'completed', reason?: string) => {
        const record = await stores.tasks.get(task.task_id);
        if (record === undefined) throw new ForewordError('stale-owner', 'lost');
        const { reason: _, ...rest } = record;
        await stores.tasks.update(claim, { ...rest, status, ...(reason === undefined ? {} : { reason }) });
      };
      if (given.work === undefined) await update('completed');
      else await given.work(how, update);
    },
    close: async () => undefined,
  };
  const { id = 'w1', agents = ['first'], drainMs = 5_000 } = given;
  const fleet = new FleetWorker(
    {
      stores,
      clock,
      bells: {
        ring: async (bells) => void rung.push(...bells),
        listen: (listener) => {
          answer = listener;
        },
        stop: async () => undefined,
        waiting: async () => ({ waiting: 0, active: 0, delayed: 0 }),
        close: async () => undefined,
      },
      isAlive: () => true,
      prepare: async () => shared,
      note: (text) => notes.push(text),
      spooled: () => 0,
    },
    {
      ...{ id, host: 'h', pid: 1, version: '0', owner: id, agents, concurrency: 1, drainMs, maxWaitMs: 12 * HOUR },
      machine: `machine of ${id}`,
      rules: { protocol: 1, lockMs: LOCK_MS, stalledMs: 1_000 },
      isUntilDone: false,
    },
  );
  const ended = fleet.run({ drain: drain.signal, end: end.signal });
  stops.push(async () => {
    end.abort();
    drain.abort();
    await ended;
  });
  await vi.waitUntil(async () => (await stores.fleet?.signs())?.some((sign) => sign.id === id));
  const ring = (task: string, epoch = 0): Promise<Answered> => {
    if (answer === undefined) throw new Error('it does not listen');
    return answer({ task, epoch }, { rungAt: Date.now() });
  };
  /** While it pauses before it leaves a bell to others. */
  const ringAndWait = async (task: string): Promise<Answered> => {
    const answered = ring(task);
    let isOver = false;
    void answered.finally(() => {
      isOver = true;
    });
    await vi.waitUntil(async () => {
      await clock.advance(100);
      return isOver;
    });
    return answered;
  };
  return { notes, rung, ring, ringAndWait, drain, end, ended };
}

async function open(stores: Stores, clock: ManualClock, { agent, ms }: { agent: string; ms: number }): Promise<void> {
  const times = { openedAt: isoTime(clock.now()), until: isoTime(clock.now() + ms) };
  await stores.breakers.put(agent, { agent, state: 'open', reason: 'quota', ...times }, 0);
}

describe('a worker whose agent is at a limit', () => {
  test('leaves tasks to a machine whose agent is free, and takes them when the limit is over', async () => {
    const [stores, clock] = [await storesWith('a', 'b'), manualClock()];
    await open(stores, clock, { agent: 'first', ms: HOUR });
    const limited = await worker(stores, clock);
    const free = await worker(stores, clock, { id: 'w2', agents: ['second'] });
    expect(await limited.ringAndWait('a')).toBe('elsewhere');
    expect((await stores.tasks.get('a'))?.status).toBe('queued');
    expect(await free.ring('a')).toBe('done');
    expect((await stores.tasks.get('a'))?.status).toBe('completed');
    await clock.advance(HOUR);
    expect(await limited.ring('b')).toBe('done');
    expect((await stores.tasks.get('b'))?.status).toBe('completed');
  });

  test('gives back a task that met the limit under way, says why, and leaves it to others for a while', async () => {
    const [stores, clock] = [await storesWith('a'), manualClock()];
    const met = await worker(stores, clock, {
      work: async ({ mayLeave }, update) => {
        const wait = {
          kind: 'wait',
          agent: 'first',
          reason: 'quota',
          until: clock.now() + HOUR,
          isTried: false,
        } as const;
        expect(await mayLeave(wait, [])).toBe(true);
        await update('queued', 'no agent is available: first (quota)');
      },
    });
    expect(await met.ring('a')).toBe('done');
    expect(met.notes).toEqual(['a was given back: no agent is available: first (quota).']);
    expect(met.rung.at(-1)).toMatchObject({ task: 'a', epoch: 1 });
    expect(await met.ring('a', 1)).toBe('elsewhere');
    const free = await worker(stores, clock, { id: 'w2', agents: ['second'] });
    expect(await free.ring('a', 1)).toBe('done');
    expect((await stores.tasks.get('a'))?.status).toBe('completed');
  });

  test('for longer than anybody waits leaves it to a machine with another agent; alone it takes it, to block it', async () => {
    const [stores, clock] = [await storesWith('a'), manualClock()];
    await open(stores, clock, { agent: 'first', ms: 24 * HOUR });
    const taken: string[] = [];
    const limited = await worker(stores, clock, { work: async () => void taken.push('a') });
    const free = await worker(stores, clock, { id: 'w2', agents: ['second'] });
    expect(await limited.ringAndWait('a')).toBe('elsewhere');
    free.drain.abort();
    await free.ended;
    expect(await limited.ring('a')).toBe('done');
    expect(taken).toEqual(['a']);
  });
});

test('a machine that is not signed in takes no task, and does not say that it has the agent', async () => {
  const [stores, clock] = [await storesWith('a'), manualClock()];
  const times = { openedAt: isoTime(clock.now()), until: isoTime(clock.now() + HOUR) };
  const own = 'first on machine of w1';
  await stores.breakers.put(own, { agent: own, state: 'open', reason: 'auth', ...times }, 0);
  const unsigned = await worker(stores, clock);
  expect(await unsigned.ringAndWait('a')).toBe('elsewhere');
  expect((await stores.fleet?.signs())?.[0]?.agents).toEqual([]);
  const other = await worker(stores, clock, { id: 'w2' });
  expect(await other.ring('a')).toBe('done');
  expect((await stores.tasks.get('a'))?.status).toBe('completed');
});

test('a store that lost its records is not called another worker’s', async () => {
  const [stores, clock] = [await storesWith('a', 'b'), manualClock()];
  const get = stores.tasks.get.bind(stores.tasks);
  let isEmptied = false;
  const emptied = {
    ...stores,
    tasks: { ...stores.tasks, get: async (id: string) => (isEmptied ? undefined : get(id)) },
  };
  const lost = await worker(emptied, clock, {
    work: async () => {
      isEmptied = true;
      throw new ForewordError('stale-owner', 'refused');
    },
  });
  await lost.ring('a');
  expect(lost.notes).toEqual([expect.stringContaining('the store has no record of a any more')]);
  expect(lost.notes[0]).not.toContain('another worker');
});

test('a task that another worker completed meanwhile is not counted as completed here', async () => {
  const [stores, clock] = [await storesWith('a', 'b'), manualClock()];
  let isLost = true;
  const slow = await worker(stores, clock, {
    work: async (_, update) => {
      await update('completed');
      if (isLost) throw new ForewordError('stale-owner', 'refused');
    },
  });
  await slow.ring('a');
  isLost = false;
  await slow.ring('b');
  slow.drain.abort();
  expect(await slow.ended).toMatchObject({ claims: 2, completed: 1 });
});

test('a lost bell is rung again within ten seconds, and that of a task whose worker is gone comes first', async () => {
  const [stores, clock] = [await storesWith('a', 'b'), manualClock(Date.now())];
  await stores.tasks.claim('b', { owner: 'gone', now: Date.now() - 2 * LOCK_MS, leaseMs: LOCK_MS });
  const ringing = await worker(stores, clock);
  await vi.waitUntil(() => ringing.rung.length === 2);
  expect([...ringing.rung].sort((one, other) => one.priority - other.priority)).toMatchObject([
    { task: 'b', epoch: 1, priority: 1 },
    { task: 'a', epoch: 0 },
  ]);
});

describe('a worker that is stopped', () => {
  const untilEnded = ({ signal }: WorkedTask) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

  test('lets the task under way end, and at its deadline ends the agent and gives the task back', async () => {
    const [stores, clock] = [await storesWith('a', 'b'), manualClock()];
    const stopped = await worker(stores, clock, {
      work: async (how, update) => {
        await untilEnded(how);
        await update('queued');
      },
    });
    const answered = stopped.ring('a');
    await vi.waitUntil(async () => (await stores.tasks.get('a'))?.status === 'running');
    stopped.drain.abort();
    await clock.advance(4_000);
    expect((await stores.tasks.get('a'))?.status).toBe('running');
    expect(await stopped.ring('b')).toBe('elsewhere');
    let isOver = false;
    void stopped.ended.finally(() => {
      isOver = true;
    });
    await vi.waitUntil(async () => {
      await clock.advance(1_000);
      return isOver;
    });
    await answered;
    expect((await stores.tasks.get('a'))?.status).toBe('queued');
    expect(await stores.fleet?.signs()).toEqual([]);
  });

  test('for the second time does not wait for the deadline', async () => {
    const [stores, clock] = [await storesWith('a'), manualClock()];
    const stopped = await worker(stores, clock, {
      work: async (how, update) => {
        await untilEnded(how);
        await update('queued');
      },
    });
    const answered = stopped.ring('a');
    await vi.waitUntil(async () => (await stores.tasks.get('a'))?.status === 'running');
    stopped.drain.abort();
    stopped.end.abort();
    await answered;
    await stopped.ended;
    expect((await stores.tasks.get('a'))?.status).toBe('queued');
  });
});
