// Which earlier sessions a start mentions: the last three of this tree that ended within 14 days.

import { type SessionWork, WORK_KEPT_MS } from '../../kernel/session-work.ts';

const MOST_SESSIONS = 3;

/** `except` is the session that reads it. The same record may be there twice: the one that ended later counts. */
export function recentWorks(
  works: readonly SessionWork[],
  at: { readonly tree: string; readonly now: number; readonly except?: string | undefined },
): readonly SessionWork[] {
  const newest = new Map<string, SessionWork>();
  for (const work of works) {
    const known = newest.get(work.id);
    if (known === undefined || Date.parse(known.endedAt) <= Date.parse(work.endedAt)) newest.set(work.id, work);
  }
  return [...newest.values()]
    .filter((work) => work.facts !== undefined && (work.tree ?? 'main') === at.tree && work.id !== at.except)
    .filter((work) => at.now - Date.parse(work.endedAt) < WORK_KEPT_MS)
    .sort((one, other) => Date.parse(other.endedAt) - Date.parse(one.endedAt))
    .slice(0, MOST_SESSIONS);
}
