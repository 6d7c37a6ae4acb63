// Whether anything was ever recorded in a store.

import type { Stores } from '../kernel/stores.ts';

/** Each command that writes adds an event; an import may bring other records alone. */
export async function hasRecords(stores: Stores | undefined): Promise<boolean> {
  if (stores === undefined) return false;
  const logs = [stores.journal, stores.continuity, stores.receipts];
  for (const log of logs) if ((await log.last(1)).length > 0) return true;
  return (await stores.tasks.list()).length > 0;
}
