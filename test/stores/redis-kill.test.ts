// A Redis server with an append-only file synced at every write, killed while it is written to.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { event } from '../../src/stores/contract/samples.ts';
import { openRedisStores } from '../../src/stores/redis/open.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { HAS_REDIS, RedisServer } from './redis-server.ts';

vi.setConfig({ testTimeout: IS_LONG ? 1_200_000 : 120_000 });

test.skipIf(!HAS_REDIS)('a Redis server killed at any moment loses nothing that it acknowledged', async () => {
  const server = await RedisServer.start();
  const stores = await openRedisStores(server.url, { prefix: 'p' });
  const ledger: string[] = [];
  const write = async (name: string) => {
    for (let index = 0; ; index++) {
      const id = `${name}-${index}`;
      await stores.journal.append(event(id));
      ledger.push(id);
    }
  };
  try {
    for (let round = 0; round < scaled(200); round++) {
      const writers = Promise.allSettled(['a', 'b', 'c'].map((name) => write(`${name}${round}`)));
      await sleep(10 + Math.random() * 100);
      await server.signal('SIGKILL');
      for (const writer of await writers) {
        expect(writer).toMatchObject({ status: 'rejected', reason: { code: 'store-unreachable' } });
      }
      await server.start();
    }
    const entries = await stores.journal.read();
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
    const kept = new Set(entries.map(({ value }) => value.id));
    expect(ledger.length).toBeGreaterThan(0);
    expect(ledger.filter((id) => !kept.has(id))).toEqual([]);
  } finally {
    await stores.close();
    await server.end();
  }
});
