// The stored record of a session, as its host keeps it: one write at a time, the newest state only. A host whose session
// was taken over by another process finds out here.

import { ForewordError } from '../../kernel/errors.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { Stores } from '../../kernel/stores.ts';

export interface KeptRecord {
  readonly change: (part: Partial<SessionRecord>) => Promise<void>;
  readonly record: () => SessionRecord;
  readonly settled: () => Promise<void>;
}

/** Stores `first`, which was found with `version` (0: it is new). Throws `stale-owner` when another process was first. */
export async function keepRecord(
  first: SessionRecord,
  version: number,
  stores: Pick<Stores, 'sessions'>,
): Promise<KeptRecord> {
  let current = first;
  let stored: SessionRecord | undefined;
  let expected = version;
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    if (JSON.stringify(stored) === JSON.stringify(current)) return;
    const value = current;
    while (!(await stores.sessions.put(value.id, value, expected))) {
      // A write whose reply was lost is still stored: then the record still names us.
      const found = await stores.sessions.get(value.id);
      const isOurs = found?.value.pid === value.pid && found.value.owner === value.owner;
      if (found === undefined || found.version === expected || !isOurs || found.value.endedAt !== undefined) {
        throw new ForewordError('stale-owner', `Session ${value.id} was taken over by another process.`);
      }
      expected = found.version;
    }
    expected += 1;
    stored = value;
  };
  const change = (part: Partial<SessionRecord>): Promise<void> => {
    current = { ...current, ...part };
    writing = writing.catch(() => undefined).then(write);
    return writing;
  };
  await change({});
  return { change, record: () => current, settled: () => writing.catch(() => undefined) };
}
