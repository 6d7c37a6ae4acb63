// What the machines of a fleet share beside their records, on the server: rules, signs of workers, turns, and the server's clock.

import type { FleetRules, FleetStore, WorkerSign } from '../../kernel/fleet.ts';
import { idOf, keyOf } from '../rules.ts';
import { readWorkerSign } from '../worker-sign.ts';
import { readEviction } from './durability.ts';
import { parseBody } from './generic.ts';
import type { RedisLink } from './link.ts';
import { ADOPT } from './scripts.ts';

/** Tasks per request. */
const BATCH = 500;

export function redisFleet(link: RedisLink, id: string): FleetStore {
  const signs = link.key('workers');
  return {
    id,
    async rules(wanted) {
      const kept = await link.script(ADOPT, [link.key('rules')], [JSON.stringify(wanted)]);
      return parseBody<FleetRules>(link, 'rules', String(kept));
    },
    async keptRules() {
      const kept = await link.call((client) => client.get(link.key('rules')));
      return kept === null ? undefined : parseBody<FleetRules>(link, 'rules', kept);
    },
    async sign(sign) {
      await link.call((client) => client.hset(signs, keyOf(sign.id), JSON.stringify(sign)));
    },
    async unsign(worker) {
      await link.call((client) => client.hdel(signs, keyOf(worker)));
    },
    async signs() {
      const bodies = await link.call((client) => client.hvals(signs));
      return bodies.flatMap((body) => readSign(body) ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    async takeTurn(name, ms) {
      return (await link.call((client) => client.set(link.key('turn', keyOf(name)), '1', 'PX', ms, 'NX'))) === 'OK';
    },
    async now() {
      const [seconds = 0, micros = 0] = (await link.call((client) => client.time())).map(Number);
      return seconds * 1000 + Math.floor(micros / 1000);
    },
    async leases(tasks) {
      const found = [];
      for (let from = 0; from < tasks.length; from += BATCH) {
        const rows = await link.call(async (client) => {
          const pipeline = client.pipeline();
          for (const task of tasks.slice(from, from + BATCH))
            pipeline.hmget(link.key('task', keyOf(task)), 'token', 'owner', 'lease_ends_at');
          return (await pipeline.exec()) ?? [];
        });
        for (const [error, fields] of rows) {
          if (error !== null) await link.call(() => Promise.reject(error));
          const [token, owner, endsAt] = fields as (string | null)[];
          const held = owner ? { owner: idOf(owner.slice(1)), endsAt: Number(endsAt) } : {};
          found.push({ epoch: Number(token ?? 0), ...held });
        }
      }
      return found;
    },
    server: async () => ({ eviction: await readEviction(link) }),
  };
}

function readSign(body: string): WorkerSign | undefined {
  try {
    return readWorkerSign(JSON.parse(body));
  } catch {
    return undefined;
  }
}
