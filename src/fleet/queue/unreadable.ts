// Jobs whose fields are no JSON: made by hand, since the queue writes its own. No worker can take one, and the queue would hand it out
// again each time its lock is over.

import type { Queue } from 'bullmq';

/** The fields that the queue parses before a worker sees the job. */
const FIELDS = ['data', 'opts', 'progress', 'parent'];

/** Removes those that a worker was given. Their ids. */
export async function dropUnreadable(queue: Queue): Promise<readonly string[]> {
  const [client, active] = await Promise.all([queue.backend.client, queue.backend.getRanges(['active'])]);
  const dropped: string[] = [];
  for (const id of active.flat()) {
    const fields = await client.hmget(queue.toKey(id), ...FIELDS);
    if (fields.every(isReadable)) continue;
    // Nobody works on it, whoever has the lock.
    await client.del(`${queue.toKey(id)}:lock`);
    if ((await queue.remove(id)) === 1) dropped.push(id);
  }
  return dropped;
}

function isReadable(field: string | null): boolean {
  if (field === null || field === '') return true;
  try {
    JSON.parse(field);
    return true;
  } catch {
    return false;
  }
}

/** Of a connection or server that is away, which the store reports; or of a lock that ran out, about which the store decides. */
export function isExpected({ message, ...error }: Error & { readonly code?: unknown }): boolean {
  return EXPECTED.test(`${String(error.code ?? '')} ${message}`);
}

const EXPECTED =
  /\bE[A-Z]{4,}\b|EAI_AGAIN|connection|timed? ?out|socket|stream isn't|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|\block|Missing key|not in the active state|max retries/i;
