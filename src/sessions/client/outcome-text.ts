// What became of the startup context, for the person after the agent's screen is gone. Pure.

import { type DeliveryRecord, outcomeOf, waitingReasonOf } from '../../kernel/delivery.ts';

/** One line, unless the context was delivered. */
export function outcomeText(startup: DeliveryRecord | undefined): string | undefined {
  if (startup === undefined || outcomeOf(startup) === 'delivered') return undefined;
  const state = outcomeOf(startup) ?? startup.proof;
  const why = startup.reason ?? waitingReasonOf(startup) ?? 'no proof';
  return `the startup context ${startup.id} ended as ${state}: ${why}`;
}
