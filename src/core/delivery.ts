// Delivery: the life of one foreword to one session. Here is the record that survives the wrapper's death.

import type { Channel, Moment, Proof } from './receipt.ts';

export type Priority = 'startup' | 'normal' | 'low';

export interface DeliveryRecord {
  readonly id: string;
  readonly session: string;
  readonly moment: Moment;
  readonly priority: Priority;
  readonly text: string;
  /** ISO time it was accepted. */
  readonly queuedAt: string;
  /** ISO time after which it is given up. */
  readonly deadline: string;
  readonly proof: Proof;
  readonly channel?: Channel;
  readonly attempts: number;
  /** Why it waits, in the words a person reads; absent when it does not. */
  readonly waiting?: string;
}
