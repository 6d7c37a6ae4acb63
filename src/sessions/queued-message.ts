// A delivery that has not ended, in the words of design 000: for programs that show what waits.

import type { DeliveryRecord, Priority } from '../kernel/delivery.ts';

export interface QueuedMessage {
  readonly from: string;
  readonly body: string;
  readonly messageId: string;
  readonly priority: Priority;
  /** Windows in which it could be placed. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** What is done when the channel in use fails. */
  readonly escalationStrategy: EscalationStrategy;
}

export type EscalationStrategy =
  | { readonly type: 'retry'; readonly backoffMs: readonly number[] }
  | { readonly type: 'file_fallback'; readonly path: string }
  | { readonly type: 'notification'; readonly message: string };

export interface Escalation {
  readonly retryBackoffs: readonly number[];
  readonly fileFallbackAfterAttempts: number;
  /** The instruction file; absent when there is none. */
  readonly file?: string | undefined;
}

export function queuedMessage(delivery: DeliveryRecord, escalation: Escalation): QueuedMessage {
  return {
    from: 'system',
    body: delivery.text,
    messageId: delivery.id,
    priority: delivery.priority,
    attempts: delivery.attempts,
    maxAttempts: escalation.retryBackoffs.length + 1,
    createdAt: Date.parse(delivery.queuedAt),
    escalationStrategy: strategyOf(delivery, escalation),
  };
}

/** The next thing that happens: another window while typing, then the file, then a notice. */
function strategyOf({ ladder, rung, attempts, id }: DeliveryRecord, escalation: Escalation): EscalationStrategy {
  const { retryBackoffs, fileFallbackAfterAttempts, file } = escalation;
  if (ladder[rung] === 'typed' && attempts < fileFallbackAfterAttempts)
    return { type: 'retry', backoffMs: retryBackoffs };
  if (file !== undefined && ladder.slice(rung).includes('file')) return { type: 'file_fallback', path: file };
  return { type: 'notification', message: `The text ${id} could not be placed.` };
}
