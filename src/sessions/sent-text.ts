// A text of `foreword send` as a delivery: made by the host, or by the command while the host is stopped. Pure.

import { PRIORITIES } from '../kernel/delivery.ts';
import { ForewordError } from '../kernel/errors.ts';
import { isAtLeast, PROOFS, type Proof } from '../kernel/receipt.ts';
import type { NewDelivery } from './delivery/record.ts';

/** Enough for any text an agent could use; more belongs in a file. */
const MOST_TEXT_CHARS = 256 * 1024;

export interface TextMaker {
  /** The proof without which a text is not called delivered. */
  readonly required: Proof;
  readonly newDeliveryId: () => string;
  /** A reply code for a text, which holds nothing like it. */
  readonly newCode: (delivery: Pick<NewDelivery, 'id' | 'text'>) => string;
}

/** The fields of a message, of which nothing is known. */
export type SentFields = Readonly<Record<string, unknown>>;

/** Throws `bad-usage` for a text that cannot be sent. */
export function sentText(message: SentFields, { required, newDeliveryId, newCode }: TextMaker): NewDelivery {
  const text = typeof message.text === 'string' ? message.text : '';
  checkText(text);
  const wanted = waitedProof(message);
  const isAcknowledged = message.isAcknowledged === true || wanted === 'acknowledged';
  const id = ownId(message.id) ?? newDeliveryId();
  return {
    id,
    moment: 'prompt',
    priority: PRIORITIES.find((one) => one === message.priority) ?? 'normal',
    text,
    ladder: ['typed'],
    required: wanted !== undefined && isAtLeast(wanted, required) ? wanted : required,
    ...(isAcknowledged ? { code: newCode({ id, text }) } : {}),
  };
}

export function waitedProof({ wait }: SentFields): Proof | undefined {
  return PROOFS.find((one) => one === wait);
}

/** The sender may choose the id, so that the same request sent twice is one delivery. */
export function ownId(given: unknown): string | undefined {
  return typeof given === 'string' && /^fw_[a-z0-9]{4,40}$/.test(given) ? given : undefined;
}

function checkText(text: string): void {
  if (text.trim() === '') throw new ForewordError('bad-usage', 'There is nothing to send.');
  if (text.length <= MOST_TEXT_CHARS) return;
  throw new ForewordError('bad-usage', `The text has ${text.length} characters; at most ${MOST_TEXT_CHARS} are sent.`, {
    hint: 'Put it into a file and send its path.',
  });
}
