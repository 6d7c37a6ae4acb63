import { expect, test } from 'vitest';
import type { NewEvent } from '../../kernel/events.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import { memoryStores } from '../../stores/memory.ts';
import { DEFAULT_BREAKER_RULES } from '../breaker.ts';
import { findAgent } from './find-agent.ts';
import type { TaskRun } from './task-run.ts';

const NOON = Date.UTC(2026, 10, 16, 12);
const HOUR = 3_600_000;

interface Given {
  readonly maxWaitMs?: number;
  /** How the wall clock moves while a timer of this length runs; as far as the timer unless given. */
  readonly moves?: (ms: number, wait: number) => number;
  readonly mayStepAside?: () => Promise<boolean>;
}

/** One agent, out for three hours from noon. */
async function setUp({ maxWaitMs = 12 * HOUR, moves = (ms) => ms, mayStepAside = async () => false }: Given = {}) {
  let now = NOON;
  const waits: number[] = [];
  const events: NewEvent[] = [];
  const stores = memoryStores();
  const stop = new AbortController();
  const until = NOON + 3 * HOUR;
  await stores.breakers.put(
    'codex',
    { agent: 'codex', state: 'open', reason: 'quota', openedAt: isoTime(NOON), until: isoTime(until) },
    0,
  );
  const agent = { name: 'codex', env: [], errors: [] };
  const run = {
    ports: {
      stores,
      clock: {
        now: () => now,
        wait: async (ms: number) => {
          waits.push(ms);
          now += moves(ms, waits.length);
        },
      },
      emit: async (event: NewEvent) => void events.push(event),
    },
    settings: {
      lineup: ['codex'],
      installed: new Set(['codex']),
      agents: new Map([['codex', agent]]),
      maxWaitMs,
      leaseMs: 30_000,
      breaker: DEFAULT_BREAKER_RULES,
    },
    task: { task_id: 'a' },
    claim: { owner: 'me', token: 1 },
    signal: stop.signal,
    mayStepAside,
  } as unknown as TaskRun;
  const waiting = () => events.filter(({ kind }) => kind === 'run-waiting');
  return { run, stores, stop, waits, waiting, until, find: () => findAgent(run, {}), at: () => now };
}

test('a quota that resets in three hours is waited for, once announced, and the work goes on at that time', async () => {
  const { find, waiting, waits, at, until } = await setUp();
  expect(await find()).toMatchObject({ kind: 'use', agent: { name: 'codex' } });
  expect(at()).toBe(until);
  expect(waiting()).toEqual([
    { kind: 'run-waiting', reason: 'codex: quota', until: isoTime(until), task: 'a', agent: 'codex' },
  ]);
  // The clock is looked at twice a minute, and the last wait ends at the reset.
  expect(Math.max(...waits)).toBe(30_000);
  expect(waits).toHaveLength(360);
});

test('a longer wait than allowed blocks at once, with the time and the setting', async () => {
  const { find, waits } = await setUp({ maxWaitMs: 2 * HOUR });
  expect(await find()).toEqual({
    kind: 'none',
    reason: 'no agent is available: codex (quota) is back first, at 2026-11-16T15:00:00.000Z; run.maxWaitS is 7200',
  });
  expect(waits).toEqual([]);
});

test('the machine sleeps over the reset: the work goes on at the first look after it wakes', async () => {
  const { find, waits } = await setUp({ moves: (ms, wait) => (wait === 4 ? 9 * HOUR : ms) });
  expect(await find()).toMatchObject({ kind: 'use' });
  expect(waits).toHaveLength(4);
});

test('the clock is put forward beyond the reset', async () => {
  const { find, waits } = await setUp({ moves: () => 24 * HOUR });
  expect(await find()).toMatchObject({ kind: 'use' });
  expect(waits).toHaveLength(1);
});

test('the clock is put back by a day, an hour or a second: nobody waits longer than the pause', async () => {
  for (const [back, most] of [
    [24 * HOUR, 1],
    [HOUR, 1],
    [1000, 362],
  ] as const) {
    const { find, waits } = await setUp({ moves: (ms, wait) => (wait === 1 ? -back : ms) });
    expect(await find()).toMatchObject({ kind: 'use' });
    expect(waits.length).toBeLessThanOrEqual(most);
  }
});

test('while another task tries the agent, it is looked at every five seconds and announced once', async () => {
  const { find, stores, waiting, waits, run } = await setUp({
    moves: (ms, wait) => {
      if (wait === 30) {
        void stores.breakers.get('codex').then(async (stored) => {
          await stores.breakers.put('codex', { agent: 'codex', state: 'closed', failures: [] }, stored?.version ?? 0);
        });
      }
      return ms;
    },
  });
  const stored = await stores.breakers.get('codex');
  await stores.breakers.put(
    'codex',
    {
      agent: 'codex',
      state: 'trial',
      reason: 'quota',
      owner: 'another',
      begunAt: isoTime(NOON),
      leaseUntil: isoTime(NOON + HOUR),
      streak: 1,
    },
    stored?.version ?? 0,
  );
  expect(await find()).toMatchObject({ kind: 'use' });
  expect(new Set(waits)).toEqual(new Set([5000]));
  expect(waits).toHaveLength(30);
  expect(waiting()).toMatchObject([{ reason: 'codex: quota, another task tries it' }]);
  expect(run.trial).toBeUndefined();
});

test('a run that is stopped while it waits ends at once', async () => {
  const { find, stop, waits } = await setUp({
    moves: (ms) => {
      stop.abort();
      return ms;
    },
  });
  expect(await find()).toEqual({ kind: 'stopped' });
  expect(waits).toHaveLength(1);
});

test('a task that would wait steps aside for one that can be worked on', async () => {
  const { find, waits, waiting } = await setUp({ mayStepAside: async () => true });
  expect(await find()).toEqual({ kind: 'aside' });
  expect(waits).toEqual([]);
  expect(waiting()).toHaveLength(1);
});
