// The work of an attempt whose supervisor lost its task: the store refuses the record, and the work is kept where a person finds it.

import { isForewordError } from '../../kernel/errors.ts';
import type { EndedCurrent } from './land-attempt.ts';
import type { TaskRun } from './task-run.ts';

/** The supervisor that owns the task now has an attempt with the same number, so this one is kept under its claim's token. */
export async function keepingLost<T>(run: TaskRun, current: EndedCurrent, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isForewordError(error) && error.code === 'stale-owner') {
      const { attempt, agent, startedAt: at, ended } = current;
      await run.workplace.keep({ attempt, agent, after: ended.after, at, lost: run.claim.token });
    }
    throw error;
  }
}
