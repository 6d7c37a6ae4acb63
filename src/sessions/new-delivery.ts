// Reply codes of new deliveries, and the word for commands of a new session.

import { randomBytes } from 'node:crypto';
import { freeCode } from '../context/texts/delivery-text.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';

/** A reply code that the text does not hold. */
export function newCode(delivery: Pick<DeliveryRecord, 'id' | 'text'>): string {
  return freeCode(delivery, () => randomBytes(8));
}

/** Six letters and digits that no file can know. */
export function newWord(): string {
  return randomBytes(3).toString('hex');
}
