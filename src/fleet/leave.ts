// Whether a task that no agent of a machine can work on now goes back to the queue, for another machine. One that is only waited for
// always does: who is back first takes it. Else it stays, to be blocked with the reason, unless a worker elsewhere can do more. That
// an agent is not signed in here says nothing about other machines, also about those that join later.

import type { WorkerSign } from '../kernel/fleet.ts';
import type { AgentChoice } from '../runs/lineup.ts';
import { SILENT_MS, silentFor } from './old-signs.ts';

type Cannot = Exclude<AgentChoice, { readonly kind: 'use' }>;

export function mayLeave(
  here: Cannot,
  elsewhere: AgentChoice,
  { now, maxWaitMs }: { readonly now: number; readonly maxWaitMs: number },
): boolean {
  const isSoon = (choice: AgentChoice) => choice.kind === 'wait' && choice.until <= now + maxWaitMs;
  if (isSoon(here) || (here.kind === 'none' && here.isSetup === true)) return true;
  return elsewhere.kind === 'use' || isSoon(elsewhere);
}

/** The agents of the other workers that live. `now` by the store's clock. */
export function agentsElsewhere(signs: readonly WorkerSign[], own: string, now: number): readonly string[] {
  const others = signs.filter((sign) => sign.id !== own && sign.state === 'open' && silentFor(sign, now) <= SILENT_MS);
  return [...new Set(others.flatMap(({ agents }) => agents))];
}
