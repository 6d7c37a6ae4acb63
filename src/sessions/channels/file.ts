// Channel `file`: one managed block in an instruction file that the agent reads (file/managed-block-file.ts writes it), and a
// typed line that points to it. Proof: `placed` when the file holds the block; whether a model read it, only the agent's
// transcript shows.

import { type DeliveryRecord, isEnded } from '../../kernel/delivery.ts';
import { isAtLeast } from '../../kernel/receipt.ts';
import { timeOf } from '../delivery/record.ts';
import { rests, withoutWaiting } from '../delivery/step.ts';
import type { ChannelRules } from './channel.ts';

export const file = {
  placedBy: 'session',
  carriesText: true,
  worksLate: true,
  // Agents put instruction files where they like: into the system's text, a user's, or a tool's output.
  isServedAs: () => true,
  evidence: { placed: (path: string) => `${path} holds it` },
  isUsable: () => true,
  whenQueued: (delivery) => ({ delivery: withoutWaiting(delivery), action: 'place' }),
  whenPlaced: (delivery) => rests(delivery),
} as const satisfies ChannelRules;

/** Whether the block has done its work: the model was given the text, or it ended and its time is over. */
export function isBlockDone(delivery: DeliveryRecord, now: number): boolean {
  if (!delivery.placedOn.includes('file')) return false;
  const isOver = isEnded(delivery) && now >= timeOf(delivery.deadline);
  return isOver || isAtLeast(delivery.proof, 'served');
}
