// Breakers over the store: read, advance, put back at the version that was read; who is refused reads again.

import type { BreakerRecord } from '../kernel/breaker.ts';
import { advance, type BreakerEvent, closedBreaker } from './breaker.ts';
import type { Hands, RunSettings } from './ports.ts';

export async function readBreakers(hands: Pick<Hands, 'stores'>): Promise<ReadonlyMap<string, BreakerRecord>> {
  return new Map((await hands.stores.breakers.list()).map(({ id, value }) => [id, value]));
}

/** Answers the record that stands afterwards, and tells the journal if this write changed its state. */
export async function tellBreaker(
  hands: Hands,
  settings: RunSettings,
  told: { readonly agent: string; readonly event: BreakerEvent },
): Promise<BreakerRecord> {
  const { agent, event } = told;
  for (;;) {
    const stored = await hands.stores.breakers.get(agent);
    const before = stored?.value ?? closedBreaker(agent);
    const after = advance(before, event, hands.clock.now(), settings.breaker);
    if (after === before) return before;
    if (!(await hands.stores.breakers.put(agent, after, stored?.version ?? 0))) continue;
    if (after.state === 'open') {
      await hands.emit({ kind: 'breaker-opened', agent, reason: after.reason, until: after.until });
    } else if (after.state === 'trial' && event.kind === 'trial-begun' && after.owner === event.owner) {
      await hands.emit({ kind: 'breaker-tried', agent });
    } else if (after.state === 'closed' && before.state !== 'closed')
      await hands.emit({ kind: 'breaker-closed', agent });
    return after;
  }
}
