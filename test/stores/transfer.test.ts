// Export and import where a Redis server is one of the two sides; the other pairs stand beside the code.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLine as check } from '../../src/config/schemas/records.ts';
import type { Stores } from '../../src/kernel/stores.ts';
import { fill } from '../../src/stores/contract/filled.ts';
import { memoryStores } from '../../src/stores/memory.ts';
import { openRedisStores } from '../../src/stores/redis/open.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { exportLines, importLines } from '../../src/stores/transfer.ts';
import { temporaryFolder } from '../bundle.ts';
import { HAS_REDIS, RedisServer } from './redis-server.ts';

describe.skipIf(!HAS_REDIS)('an export', () => {
  let server: RedisServer;
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    folder = temporaryFolder('transfer');
    server = await RedisServer.start();
  });
  afterAll(async () => {
    await server.end();
    rmSync(folder, { recursive: true });
  });

  const kinds: Record<string, () => Promise<Stores>> = {
    memory: async () => memoryStores(),
    sqlite: () => openSqliteStores(join(folder, `${count++}.db`)),
    redis: () => openRedisStores(server.url, { prefix: `p${count++}` }),
  };
  const linesOf = async (stores: Stores) => {
    const lines: string[] = [];
    for await (const line of exportLines(stores)) lines.push(line);
    return lines;
  };

  test.each([
    ['redis', 'redis'],
    ['redis', 'sqlite'],
    ['sqlite', 'redis'],
    ['redis', 'memory'],
    ['memory', 'redis'],
  ] as const)('from %s to %s and out again gives the same lines', async (from, to) => {
    const [source, target] = [await kinds[from]!(), await kinds[to]!()];
    await fill(source);
    const lines = await linesOf(source);
    expect(await importLines(lines.join('\n'), target, { check })).toEqual({
      added: lines.length - 1,
      kept: 0,
      leftOut: {},
    });
    expect(await linesOf(target)).toEqual(lines);
    expect(await importLines(lines.join('\n'), target, { check })).toEqual({
      added: 0,
      kept: lines.length - 1,
      leftOut: {},
    });
    expect(await linesOf(target)).toEqual(lines);
    await source.close();
    await target.close();
  });
});
