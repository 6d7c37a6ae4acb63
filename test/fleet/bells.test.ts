// The queue on a real server: what was answered, and what could not be, can be rung for again.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bells, readBell } from '../../src/fleet/bells.ts';
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
