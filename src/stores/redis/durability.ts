// What an acknowledged write to this server survives, read from the server itself: a default installation loses all
// of them with the process.

import type { Redis } from 'ioredis';
import type { Durability } from '../../kernel/stores.ts';
import type { RedisLink } from './link.ts';

export async function readDurability(link: RedisLink): Promise<Durability> {
  return link.call(async (client) => {
    const settings = await readSettings(client);
    const policy = settings.policy ?? 'unknown';
    // The volatile-* policies remove only keys with an expiry, and ours have none.
    const isEvicting = policy.startsWith('allkeys-');
    const eviction = isEvicting ? `eviction ${policy} may remove records` : `eviction ${policy}`;
    const level = isEvicting ? 'volatile' : settings.level;
    return { kind: 'redis', level, detail: `${link.shown}: ${settings.why}; ${eviction}` };
  });
}

/** What it does when its memory is full; `undefined` when it does not say. */
export async function readEviction(link: RedisLink): Promise<string | undefined> {
  return link.call(async (client) => (await readSettings(client)).policy);
}

interface Settings {
  readonly level: Durability['level'];
  readonly why: string;
  readonly policy: string | undefined;
}

async function readSettings(client: Redis): Promise<Settings> {
  try {
    const get = async (name: string): Promise<string | undefined> => {
      const answer = (await client.config('GET', name)) as unknown;
      return Array.isArray(answer) ? (answer[1] as string | undefined) : undefined;
    };
    const policy = await get('maxmemory-policy');
    if ((await get('appendonly')) !== 'yes') {
      return { level: 'volatile', why: 'no append-only file: writes are gone when the server dies', policy };
    }
    const sync = await get('appendfsync');
    if (sync === 'always') return { level: 'full', why: 'append-only file, synced at every write', policy };
    if (sync === 'everysec') return { level: 'everysec', why: 'append-only file, synced every second', policy };
    return {
      level: 'volatile',
      why: `append-only file, synced whenever the operating system decides (appendfsync ${sync})`,
      policy,
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const info = `${await client.info('persistence')}\n${await client.info('memory')}`;
    const isAof = /^aof_enabled:1\s*$/m.test(info);
    return {
      level: 'volatile',
      why: `the server refuses CONFIG, so how often it syncs is unknown (append-only file ${isAof ? 'on' : 'off'})`,
      policy: /^maxmemory_policy:(\S+)/m.exec(info)?.[1],
    };
  }
}

/** Renamed or forbidden commands, as hosted servers have them. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && /^(NOPERM|ERR unknown command|ERR unknown subcommand)/i.test(error.message);
}
