// Calls whose proof nobody saw: an agent may end our server some milliseconds after the model's last word (Codex 0.166: 8 ms), before
// the server looked at the transcript again. Pure.

import type { ForewordEvent } from '../kernel/events.ts';

/** The calls of one server. */
export interface OpenCalls {
  readonly agent: string;
  /** The server's own id. */
  readonly session: string;
  /** Of its first call. */
  readonly startedAt: number;
  /** Ids of answers that are not served yet. */
  readonly ids: readonly string[];
}

/** Older ones stay as they are: their transcripts need not be there any more. */
const LONGEST_MS = 24 * 60 * 60_000;
const MOST_SERVERS = 20;

/** Newest servers first. What a run reports of its hooks an agent could have written, so that it is left out. */
export function openCalls(events: readonly ForewordEvent[], now: number): readonly OpenCalls[] {
  const served = new Set(events.flatMap((event) => (event.kind === 'context-served' ? [event.context] : [])));
  const servers = new Map<string, OpenCalls>();
  for (const event of events) {
    if (event.kind !== 'context-asked' || event.unverified === true) continue;
    const { agent, session, context } = event;
    const known = servers.get(session) ?? { agent, session, startedAt: Date.parse(event.at), ids: [] };
    servers.set(session, { ...known, ids: served.has(context) ? known.ids : [...known.ids, context] });
  }
  return [...servers.values()]
    .filter(({ ids, startedAt }) => ids.length > 0 && now - startedAt < LONGEST_MS)
    .reverse()
    .slice(0, MOST_SERVERS);
}
