// Ids of records: a prefix for the kind of record (`evt`, `con`, `fw`), and enough randomness to be unique everywhere.

import { randomBytes } from 'node:crypto';

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}

/** Shorter: an agent has to read it, and we search for it in the agent's texts. */
export function newDeliveryId(): string {
  return `fw_${randomBytes(6).toString('hex')}`;
}
