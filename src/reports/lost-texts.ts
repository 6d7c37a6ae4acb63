// Which agents lose what hooks print, and at which of their events, by the journal. Pure.

import type { ForewordEvent } from '../kernel/events.ts';

export interface LostTexts {
  readonly agent: string;
  /** As the agent calls it. */
  readonly event: string;
  readonly count: number;
  /** ISO time of the last one. */
  readonly at: string;
}

/** What runs report of their hooks an agent could have written. */
export function lostTexts(events: Iterable<ForewordEvent>): readonly LostTexts[] {
  const found = new Map<string, LostTexts>();
  for (const event of events) {
    if (event.kind !== 'context-lost' || event.unverified === true) continue;
    const key = `${event.agent} ${event.event}`;
    const count = (found.get(key)?.count ?? 0) + 1;
    found.set(key, { agent: event.agent, event: event.event, count, at: event.at });
  }
  return [...found.values()];
}

export function lostRow({ agent, event, count, at }: LostTexts): readonly [string, string] {
  const texts = count === 1 ? '1 text' : `${count} texts`;
  return [`lost by ${agent}`, `${texts} of hooks at ${event}, last on ${at.slice(0, 10)}; said again by a later event`];
}
