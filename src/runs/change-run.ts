// Writes the record of a run, which any process may write.

import type { RunRecord } from '../kernel/run.ts';
import type { Stores } from '../kernel/stores.ts';

/** The last writer wins, field by field. */
export async function changeRun(
  runs: Stores['runs'],
  id: string,
  change: Partial<RunRecord> | ((run: RunRecord) => Partial<RunRecord>),
): Promise<void> {
  for (;;) {
    const found = await runs.get(id);
    if (found === undefined) return;
    const changed = typeof change === 'function' ? change(found.value) : change;
    if (await runs.put(id, { ...found.value, ...changed }, found.version)) return;
  }
}
