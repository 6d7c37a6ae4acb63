// Notes that an agent saved in its box, taken over when its attempt has ended: by an agent, for the same task alone, as those are that an
// agent saves without a box.

import type { ContinuityInput } from '../../config/schemas/continuity.ts';
import { taskTree } from '../../system/files/find-checkout.ts';
import { newId } from '../../system/ids.ts';
import { isoNow, type TaskRun } from './task-run.ts';

/** What an agent saved, oldest first; `folder` is what FOREWORD_STATE named. */
export type ReadSavedNotes = (folder: string) => readonly ContinuityInput[];

export async function keepNotes(run: TaskRun, saved: readonly ContinuityInput[]): Promise<void> {
  const { ports, task, workplace } = run;
  for (const notes of saved) {
    const id = newId('con');
    const tree = taskTree(workplace.run, task.task_id);
    await ports.stores.continuity.append({ ...notes, id, savedAt: isoNow(ports), by: 'agent', tree });
    await ports.emit({ kind: 'continuity-saved', continuity: id, by: 'agent' });
  }
}
