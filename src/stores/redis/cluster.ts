// A Redis Cluster spreads keys over several nodes. All keys of a fleet are in one slot, since every change of a task is one script
// over several of them; so one node would hold a whole fleet, and the others none of it. The store talks to one node and follows no
// slot that moves, hence a cluster of several is refused before anything is written: by chance it would work with every third id.

import { ForewordError } from '../../kernel/errors.ts';
import type { RedisLink } from './link.ts';

/** Throws `store-unreachable` for a node beside others. One that holds all slots is a server like any other. */
export async function assertOneNode(link: RedisLink): Promise<void> {
  const nodes = await link.call(async (client) => {
    if (!/^cluster_enabled:1\s*$/m.test(await client.info('cluster'))) return 1;
    return countMasters(await client.cluster('SLOTS'));
  });
  if (nodes <= 1) return;
  throw new ForewordError('store-unreachable', `The store ${link.shown} is one of ${nodes} nodes of a Redis Cluster.`, {
    hint: 'All keys of a project belong in one slot, so a cluster would spread nothing. Use a server of its own, with replicas if you want them.',
  });
}

/** From the reply of CLUSTER SLOTS: `[from, to, [host, port, id], …replicas]`. @internal */
export function countMasters(slots: unknown): number {
  const ranges = Array.isArray(slots) ? slots : [];
  return new Set(ranges.map((range: unknown) => JSON.stringify(Array.isArray(range) ? range[2] : range))).size;
}
