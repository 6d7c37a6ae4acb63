// The queue on a real server: what was answered, and what could not be, can be rung for again.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Bells, bellPriority, FIRST_PRIORITY, readBell } from '../../src/fleet/bells.ts';
import { openBells } from '../../src/fleet/queue/bullmq.ts';
import { HAS_REDIS, RedisServer } from '../stores/redis-server.ts';
import { until } from './ground.ts';

describe.skipIf(!HAS_REDIS)('a bell', () => {
  let server: RedisServer;
  let bells: Bells;
  beforeAll(async () => {
    server = await RedisServer.start();
    const rules = { lockMs: 6_000, stalledMs: 1_000 };
    bells = await openBells({ connection: { port: server.port }, fleet: 'f1', rules, concurrency: 1 });
  });
  afterAll(async () => {
    await bells.close();
    await server.end();
  });

  test('of a lower priority is answered first, that of a task whose worker is gone before all', async () => {
    const rules = { lockMs: 6_000, stalledMs: 1_000 };
    const own = await openBells({ connection: { port: server.port }, fleet: 'f2', rules, concurrency: 1 });
    try {
      const bell = (task: string, priority: number) => ({ task, epoch: 0, priority, rungAt: Date.now() });
      const bells = [bell('late', bellPriority(1000)), bell('early', bellPriority(-5)), bell('left', FIRST_PRIORITY)];
      await vi.waitFor(() => own.ring(bells), { timeout: 20_000 });
      const answered: string[] = [];
      own.listen(async (data) => {
        answered.push(readBell(data)?.task ?? '');
        return 'done';
      });
      await until(() => answered.length === 3);
      expect(answered).toEqual(['left', 'early', 'late']);
    } finally {
      await own.close();
    }
  }, 60_000);

  test('that could not be answered rings again, and one that was answered can be rung again', async () => {
    const bell = { task: 'a', epoch: 1, priority: 1, rungAt: Date.now() };
    let asked = 0;
    bells.listen(async (data) => {
      expect(readBell(data)).toEqual({ task: 'a', epoch: 1 });
      asked += 1;
      if (asked === 1) throw new Error('the store is away');
      return 'done';
    });
    await until(() => {
      void bells.ring([bell]).catch(() => undefined);
      return asked >= 1;
    });
    await until(() => asked >= 2);
    await until(() => {
      void bells.ring([bell]).catch(() => undefined);
      return asked >= 4;
    });
    await bells.stop();
    expect(asked).toBeGreaterThanOrEqual(4);
  }, 60_000);
});
