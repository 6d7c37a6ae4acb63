// Which run a command means when none is named. Pure.

import type { NewEvent } from '../../kernel/events.ts';
import type { RunRecord } from '../../kernel/run.ts';

/** The one named (`foreword/` before it is allowed), else the newest that is not merged, open ones first; `undefined` when there
 *  is none. */
export function chooseRun(runs: readonly RunRecord[], named: string | undefined): RunRecord | undefined {
  if (named !== undefined) return runs.find(({ id }) => id === named || `foreword/${id}` === named);
  const newestFirst = [...runs].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  return newestFirst.find(({ state }) => state === 'open') ?? newestFirst.find(({ state }) => state === 'left');
}

/** The one that a report is about: the one named, else the one that was worked on last, merged or not. */
export function reportedRun(
  runs: readonly RunRecord[],
  named: string | undefined,
  events: readonly NewEvent[],
): RunRecord | undefined {
  if (named !== undefined) return chooseRun(runs, named);
  const opened = events.findLast((event) => event.kind === 'run-opened' && runs.some(({ id }) => id === event.run));
  if (opened?.kind === 'run-opened') return runs.find(({ id }) => id === opened.run);
  return [...runs].sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))[0];
}
