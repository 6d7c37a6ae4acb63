// The stores on a Redis-protocol server (Redis, Valkey, Dragonfly), shared by every machine that reaches it. How
// durable a write is depends on the server's settings. They are read and reported; a server that loses writes is refused.

import { ForewordError } from '../../kernel/errors.ts';
import type { Stores } from '../../kernel/stores.ts';
import { GROUP_OF } from '../rules.ts';
import { parseAddress } from './address.ts';
import { readDurability } from './durability.ts';
import { redisLog, redisVersioned } from './generic.ts';
import { RedisLink } from './link.ts';
import { ADOPT } from './scripts.ts';
import { redisAttempts, redisTasks } from './tasks.ts';

/** The version of the keys' layout. Raise it when an older program could no longer read what a newer one writes. */
const SCHEMA = 1;

export interface RedisStoresOptions {
  /** What all keys begin with: one store per prefix. */
  readonly prefix: string;
  /** Accept a server that loses acknowledged writes when it dies, or removes records when its memory is full. */
  readonly allowVolatile?: boolean;
}

export async function openRedisStores(url: string, options: RedisStoresOptions): Promise<Stores> {
  if (options.prefix === '') throw new ForewordError('bad-config', 'The prefix of a Redis store must not be empty.');
  // Braces would end the hash tag early.
  const prefix = options.prefix.replace(/[{}%]/g, encodeURIComponent);
  const link = new RedisLink(parseAddress(url), prefix);
  try {
    await assertDurable(link, options);
    await assertKnownSchema(link);
  } catch (error) {
    await link.close();
    throw error;
  }
  return {
    journal: redisLog(link, 'journal'),
    receipts: redisLog(link, 'receipts'),
    continuity: redisLog(link, 'continuity'),
    breakers: redisVersioned(link, 'breakers', GROUP_OF.breakers),
    deliveries: redisVersioned(link, 'deliveries', GROUP_OF.deliveries),
    sessions: redisVersioned(link, 'sessions', GROUP_OF.sessions),
    tasks: redisTasks(link),
    attempts: redisAttempts(link),
    durability: () => readDurability(link),
    close: () => link.close(),
  };
}

async function assertDurable(link: RedisLink, options: RedisStoresOptions): Promise<void> {
  const { level, detail } = await readDurability(link);
  if (level !== 'volatile' || options.allowVolatile === true) return;
  throw new ForewordError('store-unreachable', `The store would lose writes that it acknowledged: ${detail}.`, {
    hint: 'Set appendonly yes and maxmemory-policy noeviction on the server.',
  });
}

async function assertKnownSchema(link: RedisLink): Promise<void> {
  const found = Number(await link.script(ADOPT, [link.key('schema')], [SCHEMA]));
  if (found === SCHEMA) return;
  throw new ForewordError(
    'store-damaged',
    `The store ${link.shown} was written by a newer version (schema ${found}). Nothing in it was changed.`,
    { hint: 'Update foreword, or use another prefix.' },
  );
}
