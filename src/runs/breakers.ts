// Breakers in the store: read, advance, write back at the version that was read; when the write is refused, read again.

import type { BreakerRecord } from '../kernel/breaker.ts';
import { advance, type BreakerEvent, type BreakerRules, closedBreaker } from './breaker.ts';
import type { RunPorts } from './ports.ts';

export async function readBreakers(ports: Pick<RunPorts, 'stores'>): Promise<ReadonlyMap<string, BreakerRecord>> {
  return new Map((await ports.stores.breakers.list()).map(({ id, value }) => [id, value]));
}

/** Returns the record that is stored afterwards, and emits an event if this write changed its state. */
export async function reportToBreaker(
  ports: Pick<RunPorts, 'stores' | 'clock' | 'emit'>,
  rules: BreakerRules,
  report: { readonly agent: string; readonly event: BreakerEvent },
): Promise<BreakerRecord> {
  const { agent, event } = report;
  for (;;) {
    const stored = await ports.stores.breakers.get(agent);
    const before = stored?.value ?? closedBreaker(agent);
    const after = advance(before, event, ports.clock.now(), rules);
    if (after === before) return before;
    if (!(await ports.stores.breakers.put(agent, after, stored?.version ?? 0))) continue;
    if (after.state === 'open') {
      await ports.emit({ kind: 'breaker-opened', agent, reason: after.reason, until: after.until });
    } else if (after.state === 'trial' && event.kind === 'trial-begun' && after.owner === event.owner) {
      await ports.emit({ kind: 'breaker-tried', agent });
    } else if (after.state === 'closed' && before.state !== 'closed')
      await ports.emit({ kind: 'breaker-closed', agent });
    return after;
  }
}
