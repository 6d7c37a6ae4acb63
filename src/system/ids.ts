// Ids of records: a prefix that says what it names (`evt`, `con`, `fw`), and enough randomness to be unique everywhere.

import { randomBytes } from 'node:crypto';

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}

/** Shorter: an agent has to read it, and its texts are searched for it. */
export function newDeliveryId(): string {
  return `fw_${randomBytes(6).toString('hex')}`;
}
