// Breakers in the store: read, advance, write back at the version that was read; when the write is refused, read again. On a store
// that machines share, whether an agent is signed in and set up belongs to the machine (machine-breaker.ts); limits are everybody's.

import type { BreakerRecord } from '../kernel/breaker.ts';
import { advance, type BreakerEvent, type BreakerRules, closedBreaker } from './breaker.ts';
import { breakersFor, breakersHere } from './machine-breaker.ts';
import type { RunPorts, RunSettings } from './ports.ts';

type BreakerPorts = Pick<RunPorts, 'stores' | 'clock' | 'machine'>;

/** By agent, as this machine has to see them. */
export async function readBreakers(ports: BreakerPorts): Promise<ReadonlyMap<string, BreakerRecord>> {
  const all = new Map((await ports.stores.breakers.list()).map(({ id, value }) => [id, value]));
  return ports.machine === undefined ? all : breakersHere(all, ports.machine, ports.clock.now());
}

/** Returns the record that is stored afterwards, and emits an event if this write changed its state. */
export async function reportToBreaker(
  ports: BreakerPorts & Pick<RunPorts, 'emit'>,
  rules: BreakerRules,
  report: { readonly agent: string; readonly event: BreakerEvent },
): Promise<BreakerRecord> {
  const { agent, event } = report;
  const { breakers } = ports.stores;
  const [id = agent, ...others] =
    ports.machine === undefined
      ? [agent]
      : breakersFor(report, {
          machine: ports.machine,
          now: ports.clock.now(),
          known: new Map((await breakers.list()).map((each) => [each.id, each.value])),
        });
  for (const other of others) await reportTo(ports, rules, { id: other, event });
  return reportTo(ports, rules, { id, event });
}

/** At the start of a run: an agent that somebody had to sign in or set up is tried again. */
export async function tryRepaired(
  ports: BreakerPorts & Pick<RunPorts, 'emit'>,
  settings: Pick<RunSettings, 'agents' | 'breaker'>,
): Promise<void> {
  const seen = await readBreakers(ports);
  for (const agent of settings.agents.keys()) {
    if (seen.get(agent)?.state !== 'open') continue;
    await reportToBreaker(ports, settings.breaker, { agent, event: { kind: 'run-begun' } });
  }
}

async function reportTo(
  ports: BreakerPorts & Pick<RunPorts, 'emit'>,
  rules: BreakerRules,
  { id: agent, event }: { readonly id: string; readonly event: BreakerEvent },
): Promise<BreakerRecord> {
  for (;;) {
    const stored = await ports.stores.breakers.get(agent);
    const before = stored?.value ?? closedBreaker(agent);
    const after = advance(before, event, ports.clock.now(), rules);
    if (after === before) return before;
    if (!(await ports.stores.breakers.put(agent, after, stored?.version ?? 0))) continue;
    if (event.kind === 'run-begun') return after;
    if (after.state === 'open') {
      await ports.emit({ kind: 'breaker-opened', agent, reason: after.reason, until: after.until });
    } else if (after.state === 'trial' && event.kind === 'trial-begun' && after.owner === event.owner) {
      await ports.emit({ kind: 'breaker-tried', agent });
    } else if (after.state === 'closed' && before.state !== 'closed')
      await ports.emit({ kind: 'breaker-closed', agent });
    return after;
  }
}
