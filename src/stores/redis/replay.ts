// Whether a restart of the server brings back what our scripts wrote. A script with two writes is a transaction in the append-only
// file, and servers replay transactions as their default user (seen with Redis 7.0.15): where that user may not write, they are
// dropped without a word, and every task with them. `user default off` alone in redis.conf makes such a user.

import type { Redis } from 'ioredis';
import { ForewordError } from '../../kernel/errors.ts';
import type { RedisLink } from './link.ts';

/** `unknown`: we are another user, who may not ask. */
export type Replay = 'kept' | 'lost' | 'unknown';

/** Some of what scripts of the store and the queue write. */
const WRITES: readonly (readonly string[])[] = [
  ['hset', 'a', '1'],
  ['rpush', '1'],
  ['zadd', '1', 'a'],
  ['set', '1'],
  ['xadd', '*', 'a', '1'],
  ['del'],
];

export async function readReplay(link: RedisLink): Promise<Replay> {
  return link.call(async (client) => {
    try {
      if ((await client.call('ACL', 'WHOAMI')) === 'default') return 'kept';
      return await tryAsDefault(client, link.key('try'));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // A server without users.
      if (/^ERR unknown command/i.test(error.message)) return 'kept';
      if (/^(NOPERM|ERR unknown subcommand|ERR Unknown subcommand)/i.test(error.message)) return 'unknown';
      throw error;
    }
  });
}

/** Nothing is carried out by it. */
async function tryAsDefault(client: Redis, key: string): Promise<Replay> {
  for (const [name = '', ...values] of WRITES) {
    const answer = await client.call('ACL', 'DRYRUN', 'default', name, key, ...values);
    if (answer !== 'OK') return 'lost';
  }
  return 'kept';
}

/** Throws `store-unreachable` for a server that would come back without our records. */
export async function assertReplayed(
  link: RedisLink,
  { allowVolatile, note }: { readonly allowVolatile: boolean; note(text: string): void },
): Promise<void> {
  const replay = await readReplay(link);
  if (replay === 'kept') return;
  if (replay === 'unknown') return note(UNKNOWN);
  if (allowVolatile) return note(`the store ${link.shown} loses its records when it is restarted: ${WHY}.`);
  throw new ForewordError('store-unreachable', `The store ${link.shown} would lose its records at a restart: ${WHY}.`, {
    hint: `Write "${CURE}" in redis.conf or the ACL file in place of "user default off", and restart the server: nobody can sign in as that user, and what was dropped is back. --allow-volatile accepts the loss.`,
  });
}

const WHY = 'its default user may not write, and the server replays transactions of its append-only file as that user';
const CURE = 'user default off +@all ~* &*';
const UNKNOWN = `could not check that a restart of the server keeps the records: this user may not ask. Give it +acl|dryrun, and the default user "${CURE.slice('user '.length)}".`;
