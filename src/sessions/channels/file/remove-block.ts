// Removes the managed block of a delivery from its instruction file again. A block that stays would be read by sessions
// that it was not written for.

import type { Clock } from '../../../kernel/clock.ts';
import type { DeliveryRecord } from '../../../kernel/delivery.ts';
import { isBlockDone } from '../file.ts';
import type { WhichBlock } from './managed-block.ts';
import { removeBlocks, type UnwrittenBlock } from './managed-block-file.ts';

export interface BlockRemoval {
  readonly now: () => number;
  /** In `paths`, or in every instruction file that may hold one. */
  readonly removeBlocks: (which: WhichBlock, paths?: readonly string[]) => readonly UnwrittenBlock[];
}

/** In the instruction files of a project. */
export function blockRemoval({ root, clock }: { readonly root: string; readonly clock: Clock }): BlockRemoval {
  return { now: () => clock.now(), removeBlocks: (which, paths) => removeBlocks(root, which, paths) };
}

/** As soon as the block has done its work. */
export function removeBlockWhenDone(
  session: { onDelivery(listener: (delivery: DeliveryRecord) => void): () => void },
  parts: BlockRemoval,
): void {
  session.onDelivery((delivery) => {
    if (isBlockDone(delivery, parts.now())) removeBlockOf(delivery, parts);
  });
}

/** A block whose reader is gone has no further use: the next session is given its own. */
export function removeBlocksOf(deliveries: readonly DeliveryRecord[], parts: Pick<BlockRemoval, 'removeBlocks'>): void {
  for (const delivery of deliveries) removeBlockOf(delivery, parts);
}

function removeBlockOf({ id, file, placedOn }: DeliveryRecord, parts: Pick<BlockRemoval, 'removeBlocks'>): void {
  if (placedOn.includes('file')) parts.removeBlocks({ id }, file === undefined ? undefined : [file]);
}
