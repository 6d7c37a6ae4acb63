// The Redis stores against a real server: the contract, durability as the server has it, and what happens without it.

import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../../src/kernel/stores.ts';
import { event, record } from '../../src/stores/contract/samples.ts';
import { storeContract } from '../../src/stores/contract.ts';
import { openRedisStores } from '../../src/stores/redis/open.ts';
import { HAS_REDIS, RedisServer } from './redis-server.ts';

let server: RedisServer;
let count = 0;
const freshPrefix = () => `test ${count++}`;

const open = (prefix: string) => openRedisStores(server.url, { prefix });

describe.skipIf(!HAS_REDIS)('stores on a Redis server', () => {
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.end());

  for (const { name, run } of storeContract) {
    test(name, () => run(() => openRedisStores(server.url, { prefix: freshPrefix() })));
  }

  test('keep every key under the hash tag of their prefix', async () => {
    const prefix = freshPrefix();
    const stores = await openRedisStores(server.url, { prefix });
    const client = new Redis(server.url);
    const before = new Set(await client.keys('*'));
    await stores.tasks.add(record('a', 'blocked'));
    await stores.journal.append(event('e'));
    const added = (await client.keys('*')).filter((key) => !before.has(key));
    expect(added.length).toBeGreaterThan(3);
    expect(added.filter((key) => !key.startsWith(`{${prefix}}:`))).toEqual([]);
    client.disconnect();
    await stores.close();
  });

  test('with braces in their prefix still stand under one hash tag', async () => {
    const [one, other] = [await open('{a}'), await open('{a')];
    await one.journal.append(event('e'));
    expect(await other.journal.read()).toEqual([]);
    const client = new Redis(server.url);
    expect(await client.keys('{%7Ba%7D}:journal')).toEqual(['{%7Ba%7D}:journal']);
    client.disconnect();
    await one.close();
    await other.close();
  });

  test('of a newer version are refused, and nothing is overwritten', async () => {
    const prefix = freshPrefix();
    const client = new Redis(server.url);
    await client.set(`{${prefix}}:schema`, '9');
    await expect(openRedisStores(server.url, { prefix })).rejects.toMatchObject({
      code: 'store-damaged',
      message: expect.stringContaining('newer version (schema 9)'),
    });
    expect(await client.keys(`{${prefix}}*`)).toEqual([`{${prefix}}:schema`]);
    expect(await client.get(`{${prefix}}:schema`)).toBe('9');
    client.disconnect();
  });

  test('whose keys hold something else say so and leave it', async () => {
    const prefix = freshPrefix();
    const stores = await openRedisStores(server.url, { prefix });
    const client = new Redis(server.url);
    await client.set(`{${prefix}}:journal`, 'a string');
    await client.rpush(`{${prefix}}:receipts`, 'no JSON');
    await expect(stores.journal.append(event('a'))).rejects.toMatchObject({ code: 'store-damaged' });
    await expect(stores.receipts.read()).rejects.toMatchObject({ code: 'store-damaged' });
    expect(await client.get(`{${prefix}}:journal`)).toBe('a string');
    client.disconnect();
    await stores.close();
  });

  test('refuse an address that is none, without repeating its password', async () => {
    for (const url of ['http://u:geheim@host', 'redis://u:geheim@host/x', 'redis://u:gehe%im@host', 'geheim']) {
      const error: unknown = await openRedisStores(url, { prefix: 'p' }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'bad-config' });
      expect(inspect(error, { depth: 9 })).not.toMatch(/geheim|gehe%im/);
    }
    await expect(openRedisStores(server.url, { prefix: '' })).rejects.toMatchObject({ code: 'bad-config' });
  });
});

describe.skipIf(!HAS_REDIS)('the durability of a Redis server', () => {
  test.each([
    { settings: ['--appendonly', 'yes', '--appendfsync', 'always'], level: 'full', says: 'synced at every write' },
    { settings: ['--appendonly', 'yes', '--appendfsync', 'everysec'], level: 'everysec', says: 'synced every second' },
    { settings: ['--appendonly', 'yes', '--appendfsync', 'no'], level: 'volatile', says: 'appendfsync no' },
    { settings: ['--appendonly', 'no'], level: 'volatile', says: 'no append-only file' },
    {
      settings: ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'allkeys-lru'],
      level: 'volatile',
      says: 'eviction allkeys-lru may remove records',
    },
    {
      settings: ['--appendonly', 'yes', '--appendfsync', 'always', '--rename-command', 'CONFIG', ''],
      level: 'volatile',
      says: 'refuses CONFIG',
    },
  ])('is read as $level: $says', async ({ settings, level, says }) => {
    const own = await RedisServer.start(settings);
    try {
      const stores = await openRedisStores(own.url, { prefix: 'p', allowVolatile: true });
      const durability = await stores.durability();
      expect(durability).toMatchObject({ kind: 'redis', level });
      expect(durability.detail).toContain(says);
      await stores.close();
      const plain = openRedisStores(own.url, { prefix: 'p' });
      if (level === 'volatile') {
        await expect(plain).rejects.toMatchObject({
          code: 'store-unreachable',
          hint: expect.stringMatching(/appendonly yes .* --allow-volatile/),
        });
      } else {
        await (await plain).close();
      }
    } finally {
      await own.end();
    }
  });
});

describe.skipIf(!HAS_REDIS)('a Redis server that', () => {
  const withStores = async (check: (own: RedisServer, stores: Stores) => Promise<void>, settings?: string[]) => {
    const own = await RedisServer.start(settings);
    const stores = await openRedisStores(own.url, { prefix: 'p', allowVolatile: true });
    try {
      await check(own, stores);
    } finally {
      await stores.close();
      await own.end();
    }
  };

  test('does not run is reported within seconds', async () => {
    const begun = performance.now();
    await expect(openRedisStores('redis://127.0.0.1:1/0', { prefix: 'p' })).rejects.toMatchObject({
      code: 'store-unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(performance.now() - begun).toBeLessThan(4_000);
  });

  test('stops in the middle of work gives a clear error, and works again when it is back', () =>
    withStores(async (own, stores) => {
      expect(await stores.journal.append(event('before'))).toBe(1);
      await own.signal('SIGKILL');
      for (const id of ['lost', 'lost too']) {
        const begun = performance.now();
        await expect(stores.journal.append(event(id))).rejects.toMatchObject({
          code: 'store-unreachable',
          message: expect.stringContaining(`redis://127.0.0.1:${own.port}/0`),
        });
        expect(performance.now() - begun).toBeLessThan(4_000);
      }
      await own.start();
      expect(await stores.journal.append(event('after'))).toBe(2);
      expect((await stores.journal.read()).map(({ value }) => value.id)).toEqual(['before', 'after']);
    }));

  test('freezes is given up after a few seconds, and works again when it thaws', () =>
    withStores(async (own, stores) => {
      await own.signal('SIGSTOP');
      const begun = performance.now();
      await expect(stores.tasks.list()).rejects.toMatchObject({ code: 'store-unreachable' });
      expect(performance.now() - begun).toBeLessThan(8_000);
      await own.signal('SIGCONT');
      expect(await stores.tasks.list()).toEqual([]);
    }));

  test('wants another password is reported without either', () =>
    withStoresNone(async (own) => {
      const url = own.url.replace('//', '//default:falsch@');
      const error: unknown = await openRedisStores(url, { prefix: 'p' }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'store-unreachable', message: expect.stringContaining('refuses this user') });
      expect(inspect(error, { depth: 9 })).not.toContain('falsch');
      const right = await openRedisStores(own.url.replace('//', '//default:richtig@'), { prefix: 'p' });
      expect((await right.durability()).detail).not.toContain('richtig');
      await right.close();
    }));

  test('has no memory left refuses to write, keeps what it has and can be read', () =>
    withStores(
      async (own, stores) => {
        await stores.journal.append(event('a'));
        const client = new Redis(own.url);
        await client.config('SET', 'maxmemory', '1');
        await expect(stores.journal.append(event('b'))).rejects.toMatchObject({ code: 'disk-full' });
        expect((await stores.journal.read()).length).toBe(1);
        await client.config('SET', 'maxmemory', '0');
        expect(await stores.journal.append(event('b'))).toBe(2);
        client.disconnect();
      },
      ['--appendonly', 'yes', '--appendfsync', 'always'],
    ));
});

async function withStoresNone(check: (own: RedisServer) => Promise<void>): Promise<void> {
  const own = await RedisServer.start(['--appendonly', 'yes', '--appendfsync', 'always', '--requirepass', 'richtig']);
  try {
    await check(own);
  } finally {
    await own.end();
  }
}
