// One running task of this supervisor: what its attempts share, and its record as it is in the store.

import type { Claim, Task, TaskRecord } from '../../kernel/task.ts';
import type { Budget } from '../budget/budget.ts';
import type { AgentChoice } from '../lineup.ts';
import type { RunPorts, RunSettings } from '../ports.ts';
import type { Workplace } from '../workplaces/workplace.ts';

export interface TaskRun {
  readonly ports: RunPorts;
  readonly settings: RunSettings;
  readonly task: Task;
  readonly claim: Claim;
  readonly workplace: Workplace;
  readonly signal: AbortSignal;
  /** Whether another task can be worked on while this one would wait for an agent; see loop/step-aside.ts. `lookedAt` is when one
   *  that only looks at its work is back. */
  mayStepAside(lookedAt?: number): Promise<boolean>;
  /** For a run that machines share: whether a task that cannot go on here goes back to the queue, for another machine. `never`: agents
   *  that must not get it. */
  readonly mayLeave?: ((cannot: NoAgentNow, never: readonly string[]) => Promise<boolean>) | undefined;
  /** What the run may use. */
  readonly budget?: Budget | undefined;
  record: TaskRecord;
  /** The agent whose one trial call this task makes now. */
  trial?: string | undefined;
  /** Why it went back to the queue. */
  leftBecause?: string | undefined;
}

/** No agent of this machine can work on the task now. */
export type NoAgentNow = Exclude<AgentChoice, { readonly kind: 'use' }>;

/** Throws `stale-owner` when another supervisor owns the task now. */
export async function updateRecord(run: TaskRun, change: Partial<TaskRecord>): Promise<void> {
  const record = { ...run.record, ...change };
  await run.ports.stores.tasks.update(run.claim, record);
  run.record = record;
}

export function isoNow({ clock }: Pick<RunPorts, 'clock'>): string {
  return new Date(clock.now()).toISOString();
}
