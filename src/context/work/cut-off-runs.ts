// The runs of a root whose supervisor is gone without an end, as records: from the attempts that are stored, and from what was under
// way.

import type { SessionWork } from '../../kernel/session-work.ts';
import type { Stores } from '../../kernel/stores.ts';
import { isOwnerAlive } from '../../system/processes/owner.ts';
import { type KeptRun, listKeptRuns } from './kept-runs.ts';
import { runWork, type TriedTask } from './run-work.ts';

export interface CutOffRun {
  readonly kept: KeptRun;
  /** Absent when no agent had begun, and when a later record of the run is there. */
  readonly work?: SessionWork;
}

/** The store is opened only when there is one. */
export async function cutOffRuns(
  at: { readonly folder: string; readonly tree: string },
  open: () => Promise<Pick<Stores, 'works' | 'tasks' | 'attempts'>>,
): Promise<readonly CutOffRun[]> {
  const left = listKeptRuns(at.folder).filter(({ owner }) => !isOwnerAlive(owner));
  if (left.length === 0) return [];
  const stores = await open();
  return Promise.all(
    left.map(async (kept): Promise<CutOffRun> => {
      const work = runWork({ ...kept, tree: at.tree }, await triedIn(stores, kept));
      if (work === undefined) return { kept };
      const known = (await stores.works.get(work.id))?.value;
      return known !== undefined && Date.parse(known.endedAt) >= Date.parse(work.endedAt) ? { kept } : { kept, work };
    }),
  );
}

/** The tasks that were worked on in a run. */
export async function triedIn(
  { tasks, attempts }: Pick<Stores, 'tasks' | 'attempts'>,
  { run, startedAt }: Pick<KeptRun, 'run' | 'startedAt'>,
): Promise<readonly TriedTask[]> {
  const tried: TriedTask[] = [];
  for (const task of await tasks.list()) {
    const isOfRun = task.run === run || Date.parse(task.updated_at) >= startedAt;
    if (isOfRun) tried.push({ task, attempts: await attempts.list(task.task_id) });
  }
  return tried;
}
