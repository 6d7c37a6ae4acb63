// Which earlier sessions a start mentions: the last one, and two more of this tree that ended within 14 days. Of these, those that left work
// come before those in which was only talked: three questions would push out all of it. A session that ended last need
// not have tested last: only the newest run of tests, and of builds, in all of them says how they are.

import { type CommandKind, type EndedCommand, type SessionWork, WORK_KEPT_MS } from '../../kernel/session-work.ts';

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
  const [last, ...rest] = [...newest.values()]
    .filter((work) => work.facts !== undefined && (work.tree ?? 'main') === at.tree && work.id !== at.except)
    .filter((work) => at.now - Date.parse(work.endedAt) < WORK_KEPT_MS)
    .sort(newestFirst);
  if (last === undefined) return [];
  // The person may go on with the very last one, whatever it left.
  const more = [...rest.filter(hasWork), ...rest.filter((one) => !hasWork(one))].slice(0, MOST_SESSIONS - 1);
  return [last, ...more.sort(newestFirst)].map((work, _, all) => withNewest(work, all));
}

export function newestFirst(one: SessionWork, other: SessionWork): number {
  return Date.parse(other.endedAt) - Date.parse(one.endedAt);
}

/** Edits, commits, what fails and what is open. Of a session whose transcript is not read the files in git count, of a run its
 *  tasks. */
function hasWork({ kind, facts }: SessionWork): boolean {
  if (facts === undefined) return false;
  const isFailing = facts.commands.some(({ isFailed, isNewest }) => isFailed && isNewest);
  if (facts.promptCount === 0 && facts.uncommittedCount > 0) return true;
  const tasks = kind === 'run' ? facts.tasks.length : 0;
  return isFailing || facts.fileCount + facts.commits.length + facts.openCount + tasks > 0;
}

function withNewest(work: SessionWork, all: readonly SessionWork[]): SessionWork {
  if (work.facts === undefined) return work;
  const commands = work.facts.commands.map((one) =>
    one.isNewest && timeOf(one) < lastOf(one.kind, all) ? { ...one, isNewest: false } : one,
  );
  return { ...work, facts: { ...work.facts, commands } };
}

function lastOf(kind: CommandKind, all: readonly SessionWork[]): number {
  const same = all.flatMap(({ facts }) => facts?.commands ?? []).filter((one) => one.kind === kind);
  return Math.max(...same.map((one) => (one.at === undefined ? 0 : Date.parse(one.at))));
}

/** One without a time is left as it is. */
function timeOf({ at }: EndedCommand): number {
  return at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at);
}
