// Which breaker of an agent an event is for, on a store that machines share. A limit is known on all of them; that an agent is not
// signed in or not set up is true for one machine, and has a record of its own there: `AGENT on HOST`.

import type { BreakerRecord } from '../kernel/breaker.ts';
import { availability, type BreakerEvent, isSetup } from './breaker.ts';

/** The id, and the name for people. */
export function machineBreaker(agent: string, machine: string): string {
  return `${agent} on ${machine}`;
}

interface Here {
  readonly machine: string;
  readonly now: number;
  /** By id. */
  readonly known: ReadonlyMap<string, BreakerRecord>;
}

/** The breakers that get the event; the one whose record counts for who reports is first. */
export function breakersFor(
  { agent, event }: { readonly agent: string; readonly event: BreakerEvent },
  { machine, now, known }: Here,
): readonly string[] {
  const own = machineBreaker(agent, machine);
  const isOut = (id: string) => availability(known.get(id), now).kind !== 'yes';
  if (event.kind === 'failed') return isSetup(event.class) ? [own] : [agent];
  if (event.kind === 'announced') return [agent];
  if (event.kind === 'trial-begun') return isOut(own) && !isNo(known.get(agent), now) ? [own] : [agent];
  return known.has(own) ? [agent, own] : [agent];
}

/** What this machine sees: its own record in place of the shared one where it says more. */
export function breakersHere(
  known: ReadonlyMap<string, BreakerRecord>,
  machine: string,
  now: number,
): ReadonlyMap<string, BreakerRecord> {
  const seen = new Map(known);
  const suffix = machineBreaker('', machine);
  for (const [id, own] of known) {
    const agent = id.endsWith(suffix) ? id.slice(0, -suffix.length) : '';
    if (agent === '' || availability(own, now).kind === 'yes' || isNo(known.get(agent), now)) continue;
    if (isNo(own, now) || availability(known.get(agent), now).kind === 'yes') seen.set(agent, own);
  }
  return seen;
}

function isNo(breaker: BreakerRecord | undefined, now: number): boolean {
  return availability(breaker, now).kind === 'no';
}
