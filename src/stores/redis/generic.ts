// The two generic shapes over Redis: a log is a list and the numbers of its ids, versioned records are one hash.

import type { Entry, Log, Version, Versioned } from '../../kernel/stores.ts';
import { idOf, keyOf } from '../rules.ts';
import type { RedisLink } from './link.ts';
import { LOG_APPEND, VERSIONED_PUT } from './scripts.ts';

/** Entries per request. The limit bounds each reply, so that a long log neither blocks the server nor fills our memory
 *  twice. */
const BATCH = 1_000;

export function redisLog<T extends { readonly id: string }>(link: RedisLink, name: string): Log<T> {
  const entries = link.key(name);
  const numbers = link.key(name, 'numbers');
  /** Entries at the positions from `start` up to and without `end`. */
  const slice = async (start: number, end: number): Promise<Entry<T>[]> => {
    const found: Entry<T>[] = [];
    for (let from = start; from < end; from += BATCH) {
      const to = Math.min(from + BATCH, end);
      const bodies = await link.call((client) => client.lrange(entries, from, to - 1));
      for (const [index, body] of bodies.entries()) {
        found.push({ number: from + index + 1, value: parseBody<T>(link, name, body) });
      }
      if (bodies.length < to - from) break;
    }
    return found;
  };
  return {
    async append(entry) {
      return Number(await link.script(LOG_APPEND, [entries, numbers], [keyOf(entry.id), JSON.stringify(entry)]));
    },
    read({ after = 0, limit = Number.POSITIVE_INFINITY } = {}) {
      return slice(after, after + limit);
    },
    async last(count) {
      const length = await link.call((client) => client.llen(entries));
      return slice(Math.max(0, length - count), length);
    },
  };
}

export function redisVersioned<T>(
  link: RedisLink,
  name: string,
  groupOf: (value: T) => string | undefined,
): Versioned<T> {
  const records = link.key(name);
  const groups = link.key(name, 'groups');
  const unpack = (packed: string): Unpacked<T> => {
    const match = /^(\d+)\n(\d+)\n[^\n]*\n([^\n]*)\n/.exec(packed);
    if (match === null) throw link.damage(`a record in ${name} is no longer readable`);
    const [head, version, position, key] = match as unknown as [string, string, string, string];
    const value = parseBody<T>(link, name, packed.slice(head.length));
    return { id: idOf(key), position: Number(position), version: Number(version), value };
  };
  return {
    async get(id) {
      const packed = await link.call((client) => client.hget(records, keyOf(id)));
      if (packed === null) return undefined;
      const { version, value } = unpack(packed);
      return { version, value };
    },
    async put(id, value, expected) {
      const group = groupOf(value);
      const values = [keyOf(id), expected, group === undefined ? '' : `:${keyOf(group)}`, JSON.stringify(value)];
      return (await link.script(VERSIONED_PUT, [records, groups], values)) === 1;
    },
    async list(group) {
      const packed = await link.call(async (client) => {
        if (group === undefined) return client.hvals(records);
        // The members of one group begin with its key and a newline; U+000B is the next character.
        const start = `:${keyOf(group)}`;
        const members = await client.zrangebylex(groups, `[${start}\n`, `(${start}\u000b`);
        const keys = members.map((member) => member.slice(member.lastIndexOf('\n') + 1));
        return keys.length === 0 ? [] : client.hmget(records, ...keys);
      });
      return packed
        .filter((one) => one !== null)
        .map(unpack)
        .sort((a, b) => a.position - b.position)
        .map(({ id, version, value }) => ({ id, version, value }));
    },
  };
}

interface Unpacked<T> extends Version<T> {
  readonly id: string;
  readonly position: number;
}

/** A body was the JSON of a map when it was written. */
export function parseBody<T>(link: RedisLink, name: string, body: string): T {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The check below throws for it, as for any other value that is not a map.
  }
  if (typeof value !== 'object' || value === null) throw link.damage(`a record in ${name} is no longer readable`);
  return value as T;
}
