// The stores on a Redis-protocol server (Redis, Valkey, Dragonfly), shared by every machine that reaches it. How
// durable a write is depends on the server's settings. They are read and reported; a server that loses writes is refused.

import { ForewordError } from '../../kernel/errors.ts';
import type { Stores } from '../../kernel/stores.ts';
import { GROUP_OF } from '../rules.ts';
import { assertSafe, parseAddress } from './address.ts';
import { readDurability } from './durability.ts';
import { redisLog, redisVersioned } from './generic.ts';
import { RedisLink } from './link.ts';
import { ADOPT } from './scripts.ts';
import { redisAttempts, redisTasks } from './tasks.ts';
import { redisFleet } from './workers.ts';

/** The version of the keys' layout. Raise it when an older program could no longer read what a newer one writes. */
const SCHEMA = 1;

export interface RedisStoresOptions {
  /** What all keys begin with: one store per prefix. */
  readonly prefix: string;
  /** Accept a server that loses acknowledged writes when it dies, or removes records when its memory is full. */
  readonly allowVolatile?: boolean;
  /** Accept a server on another machine without TLS or without a password. */
  readonly allowPlain?: boolean;
}

/** To write. Throws `bad-config` for an address that is not safe, before anything is sent. */
export async function openRedisStores(url: string, options: RedisStoresOptions): Promise<Stores> {
  const link = linkTo(url, options);
  return orClose(link, async () => {
    await assertDurable(link, options);
    await assertKnownSchema(link, 'write');
    return storesOn(link, options.prefix);
  });
}

export function linkTo(url: string, { prefix, allowPlain = false }: RedisStoresOptions): RedisLink {
  if (prefix === '') throw new ForewordError('bad-config', 'The prefix of a Redis store must not be empty.');
  const address = parseAddress(url);
  assertSafe(address, { allowPlain });
  // Braces would end the hash tag early.
  return new RedisLink(address, prefix.replace(/[{}%]/g, encodeURIComponent));
}

/** Closes the connection when `work` fails. */
export async function orClose<T>(link: RedisLink, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await link.close();
    throw error;
  }
}

export function storesOn(link: RedisLink, fleet: string): Stores {
  return {
    journal: redisLog(link, 'journal'),
    receipts: redisLog(link, 'receipts'),
    continuity: redisLog(link, 'continuity'),
    breakers: redisVersioned(link, 'breakers', GROUP_OF.breakers),
    deliveries: redisVersioned(link, 'deliveries', GROUP_OF.deliveries),
    sessions: redisVersioned(link, 'sessions', GROUP_OF.sessions),
    runs: redisVersioned(link, 'runs', GROUP_OF.runs),
    works: redisVersioned(link, 'works', GROUP_OF.works),
    tasks: redisTasks(link),
    attempts: redisAttempts(link),
    fleet: redisFleet(link, fleet),
    durability: () => readDurability(link),
    close: () => link.close(),
  };
}

/** Throws `store-unreachable` for a server that may lose what it acknowledged, or whose durability is unknown. */
export async function assertDurable(
  link: RedisLink,
  { allowVolatile = false }: Pick<RedisStoresOptions, 'allowVolatile'>,
): Promise<void> {
  const { level, detail } = await readDurability(link);
  if (level !== 'volatile' || allowVolatile) return;
  throw new ForewordError('store-unreachable', `The store would lose writes that it acknowledged: ${detail}.`, {
    hint: 'Set appendonly yes and maxmemory-policy noeviction on the server, or accept the loss with --allow-volatile.',
  });
}

/** Throws `store-damaged` for a newer layout. Only a writer sets the version where there is none. */
export async function assertKnownSchema(link: RedisLink, use: 'read' | 'write'): Promise<void> {
  const key = link.key('schema');
  const reply = use === 'write' ? link.script(ADOPT, [key], [SCHEMA]) : link.call((client) => client.get(key));
  const found = Number((await reply) ?? SCHEMA);
  if (found === SCHEMA) return;
  throw new ForewordError(
    'store-damaged',
    `The store ${link.shown} was written by a newer version (schema ${found}). Nothing in it was changed.`,
    { hint: 'Update foreword, or use another database of the server.' },
  );
}
