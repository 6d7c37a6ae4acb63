// Reply codes of new deliveries.

import { randomBytes } from 'node:crypto';
import { freeCode } from '../context/texts/delivery-text.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';

/** A reply code that the text does not hold. */
export function newCode(delivery: Pick<DeliveryRecord, 'id' | 'text'>): string {
  return freeCode(delivery, () => randomBytes(8));
}
