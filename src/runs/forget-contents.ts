// Observers keep the contents of files that they saw, to compare them. Nobody needs them when the work is over, and there may
// be a secret in them: they go when a run ends, and what a killed one left goes with the next run or `foreword clean`.

import type { Stores } from '../kernel/stores.ts';
import { FINISHED, type TaskRecord } from '../kernel/task.ts';
import type { RunParts } from './prepare-run.ts';
import { openWorkplaces, type Workplaces } from './workplaces/index.ts';

/** At the end of a run. A task that was stopped continues from its snapshots, so those stay. */
export async function forgetFinished(
  stores: Pick<Stores, 'tasks'>,
  workplaces: Pick<Workplaces, 'forget'>,
): Promise<void> {
  const records = await stores.tasks.list();
  const isUnfinished = (record: TaskRecord) => !FINISHED.includes(record.status) && record.origin !== undefined;
  const finished = records.filter((record) => FINISHED.includes(record.status)).map((record) => record.task_id);
  workplaces.forget({ tasks: finished, isShared: !records.some(isUnfinished) });
}

/** For `foreword clean`: also of tasks that were stopped, which then begin again. What a living supervisor works on
 *  stays. Returns the folders that are gone. */
export async function forgetAll(
  parts: Pick<RunParts, 'project' | 'owner' | 'isAlive' | 'variables'>,
): Promise<readonly string[]> {
  const { project, owner, isAlive, variables } = parts;
  const { tasks } = await project.readStores();
  const records = await tasks.list();
  if (records.length === 0) return [];
  const holders = await Promise.all(records.map((record) => tasks.holder(record.task_id)));
  const idle = records.filter((_, index) => {
    const holder = holders[index];
    return holder === undefined || !isAlive(holder.owner);
  });
  const { root } = project;
  const workplaces = openWorkplaces({
    root,
    runs: project.state.runs(),
    concurrency: 1,
    owner: { name: owner, isAlive },
    env: variables,
  });
  return workplaces.forget({ tasks: idle.map((record) => record.task_id), isShared: idle.length === records.length });
}
