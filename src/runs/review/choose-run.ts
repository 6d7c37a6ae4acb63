// Which run a command means when none is named. Pure.

import type { RunRecord } from '../../kernel/run.ts';

/** The one named (`foreword/` before it is allowed), else the newest that is not merged, open ones first; `undefined` when there
 *  is none. */
export function chooseRun(runs: readonly RunRecord[], named: string | undefined): RunRecord | undefined {
  if (named !== undefined) return runs.find(({ id }) => id === named || `foreword/${id}` === named);
  const newestFirst = [...runs].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  return newestFirst.find(({ state }) => state === 'open') ?? newestFirst.find(({ state }) => state === 'left');
}
