// Attempt: one agent's one try at a task. Records are append-only and keep the field names users know from
// `foreword history --json`; hand-overs are built only from them.

import type { Claim } from './task.ts';
import { addUsage, type Usage, type UsageSum } from './usage.ts';
import type { Verdict } from './verdict.ts';
import type { Written } from './writer.ts';

export type ExitReason = 'circuit_breaker' | 'validation_failure' | 'execution_error' | 'timeout' | 'interrupted';

export interface AttemptRecord extends Written {
  /** 1, 2, 3 … without gaps within a task. */
  readonly attemptNumber: number;
  /** The agent's name. */
  readonly provider: string;
  /** ISO time of its end. */
  readonly timestamp: string;
  readonly files_created: readonly string[];
  readonly files_updated: readonly string[];
  readonly files_deleted: readonly string[];
  /** What else was seen of its work, each a sentence: changed hooks, configuration and refs of its git directory, for example. */
  readonly observed?: readonly string[];
  readonly status: 'completed' | 'failed';
  readonly validationErrors: readonly string[];
  /** Absent when the attempt succeeded. */
  readonly exitReason?: ExitReason;
  /** Finer than the reason: quota, rate_limit, overload, auth, setup, crash … */
  readonly exitClass?: string;
  /** One line: how the agent failed. */
  readonly exitMessage?: string;
  readonly durationMs: number;
  readonly promptHash?: string;
  /** The hand-over text in the prompt of this attempt, if any. */
  readonly preContext?: string;
  /** The result of its checks; absent when the agent could not work. */
  readonly verdict?: Verdict;
  /** Its work as a commit in our own repository, for failed attempts too; absent when nothing could be observed. */
  readonly commit?: string;
  /** Path of the log of the agent's output. */
  readonly log?: string;
  /** The last lines of the agent's error output, without secrets. */
  readonly stderr?: string;
  /** The run (kernel/run.ts) that it was made in; absent for attempts of older versions. */
  readonly run?: string;
  /** Tokens and cost of the agent's own run; absent when it named nothing. */
  readonly usage?: Usage;
  /** The box that the agent ran in; absent for attempts of older versions. */
  readonly box?: BoxUse;
  /** The agent's own id of its session, by which it can be resumed. */
  readonly session?: string;
  /** It went on in the session of the attempt before it. */
  readonly isResumed?: true;
}

/** How an agent was kept in its workspace. */
export interface BoxUse {
  readonly level: 'bubblewrap' | 'none';
  /** Why there was no box. */
  readonly why?: string;
  /** What it tried and was refused, each a sentence, as far as it can be seen. */
  readonly refused?: readonly string[];
}

/** The open attempts of a task: the view that hand-overs are built from. */
export interface ExecutionContext {
  readonly task_id: string;
  readonly attempts: readonly AttemptRecord[];
  readonly current_attempt: number;
  readonly last_provider?: string;
  readonly last_validation_errors?: readonly string[];
}

/** How to add a store: CONTRIBUTING.md, "Add a store". */
export interface AttemptStore {
  /** Resolves when durable. `attemptNumber` must be one above the task's last, else `conflict`; with a claim the
   *  token is checked in the same transaction (`stale-owner`). */
  append(taskId: string, record: AttemptRecord, claim?: Claim): Promise<void>;
  /** Every attempt ever made, by number. */
  list(taskId: string): Promise<readonly AttemptRecord[]>;
  /** Attempts since the last `clear`, by number: the input of hand-overs. */
  open(taskId: string): Promise<readonly AttemptRecord[]>;
  /** Closes the context of a task: later hand-overs ignore the attempts so far. Deletes nothing; idempotent. */
  clear(taskId: string): Promise<void>;
  /** The number up to which attempts are closed; 0 when never cleared. */
  clearedUpTo(taskId: string): Promise<number>;
  /** Tasks that have attempts, in the order of their first one. */
  taskIds(): Promise<readonly string[]>;
}

/** The context of a task from its open attempts; `undefined` without attempts. */
export function executionContext(taskId: string, attempts: readonly AttemptRecord[]): ExecutionContext | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  return {
    task_id: taskId,
    attempts,
    current_attempt: last.attemptNumber,
    last_provider: last.provider,
    last_validation_errors: last.validationErrors,
  };
}

/** One entry for each time that an agent worked for it. */
export function usesOf({ provider, usage, verdict }: Pick<AttemptRecord, 'provider' | 'usage' | 'verdict'>): readonly {
  readonly agent: string;
  readonly usage?: Usage;
}[] {
  return [{ agent: provider, ...(usage === undefined ? {} : { usage }) }, ...(verdict?.spent ?? [])];
}

/** Of several attempts, everybody who worked for them included. */
export function usageOfAttempts(attempts: readonly Pick<AttemptRecord, 'provider' | 'usage' | 'verdict'>[]): UsageSum {
  return addUsage(attempts.flatMap(usesOf).map(({ usage }) => usage));
}
