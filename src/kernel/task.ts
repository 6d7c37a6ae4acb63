// Task: a piece of work wanted, and what is known of it. The task file's shape is config/schemas/task-file.ts; this is the
// value it becomes, the record a store keeps, and the port.

import type { AgentResult } from './agent.ts';
import type { EndedBy } from './process.ts';
import type { CriterionResult } from './verdict.ts';

export type TaskStatus = 'queued' | 'running' | 'completed' | 'failed' | 'blocked' | 'needs-review';

/** Statuses that end a task's work: what `recent_history` shows. */
export const FINISHED: readonly TaskStatus[] = ['completed', 'failed', 'needs-review'];

/** One of these keys, each a kind of check. How to add one: CONTRIBUTING.md, "Add a check kind". */
export type Check =
  | { readonly command: readonly string[]; readonly timeout_s?: number }
  | { readonly file_exists: string }
  | { readonly not_file_exists: string }
  | { readonly file_contains: { readonly path: string; readonly pattern: string } }
  | { readonly not_file_contains: { readonly path: string; readonly pattern: string } };

/** The kinds of checks: each key that a `Check` can have, but for the key that only accompanies another. */
export type CheckKind = Exclude<
  Check extends infer One ? (One extends unknown ? keyof One : never) : never,
  'timeout_s'
>;

export interface Criterion {
  readonly text: string;
  /** Absent: nothing can decide it but the helper agent or a person. */
  readonly check?: Check;
}

/** A task as its file describes it, defaults filled in. Names are those users write. */
export interface Task {
  readonly task_id: string;
  readonly intent: string;
  readonly instructions: string;
  readonly acceptance_criteria: readonly Criterion[];
  readonly depends_on: readonly string[];
  /** Lower is sooner; 1000 when the file says nothing. */
  readonly priority: number;
  /** Globs the task may change; empty means everywhere. */
  readonly targets: readonly string[];
  readonly agents?: readonly string[];
  readonly retry_policy: { readonly max_retries: number };
  readonly timeout_s: number;
  readonly options: { readonly enable_pre_context?: boolean };
}

/** What the store holds of a task. `task` is absent for a task known only by its outcome (imported history). */
export interface TaskRecord {
  readonly task_id: string;
  readonly status: TaskStatus;
  readonly intent: string;
  readonly task?: Task;
  /** Why it is blocked or failed. */
  readonly reason?: string;
  /** One sentence on what came of it. */
  readonly result?: string;
  /** ISO time of the last change of status. */
  readonly updated_at: string;
  /** ISO time; set exactly when the status is one of FINISHED. */
  readonly completed_at?: string;
  /** Attempts up to this number do not count for the limits: they belong to an earlier run that gave up. */
  readonly countedFrom?: number;
  /** The work tree before the first attempt of this count: the policy is about all that was done since. */
  readonly origin?: string;
  /** What the checks said before the first attempt, so that inherited failures are known. */
  readonly baseline?: readonly CriterionResult[];
  /** The attempt under way, written before the agent is started: what is left of it when its supervisor dies. */
  readonly current?: CurrentAttempt;
}

export interface CurrentAttempt {
  readonly attempt: number;
  readonly agent: string;
  /** ISO time. */
  readonly startedAt: string;
  /** The work tree before it (changes.ts). */
  readonly before: string;
  readonly preContext?: string;
  readonly promptHash: string;
  /** Written as soon as the agent's run ended, before anything is done with it: a supervisor that dies while it checks
   *  the result leaves the next one the result, and the agent is not run again. */
  readonly ended?: EndedRun;
}

export interface EndedRun {
  /** ISO time. */
  readonly at: string;
  readonly durationMs: number;
  /** The work tree after it. */
  readonly after: string;
  readonly result: AgentResult;
  readonly endedBy?: EndedBy;
}

/** The right to write to a task. Tokens of one task only grow; the store refuses every token but the newest. */
export interface Claim {
  readonly taskId: string;
  readonly owner: string;
  readonly token: number;
}

export interface ClaimRequest {
  readonly owner: string;
  readonly now: number;
  readonly leaseMs: number;
  /** A claim whose owner is known to be dead: the task is taken over although its lease has not ended. */
  readonly over?: Claim | undefined;
}

/** How to add a store: CONTRIBUTING.md, "Add a store". */
export interface TaskStore {
  /** Adds a record if its id is new; answers false and changes nothing if it is not. */
  add(record: TaskRecord): Promise<boolean>;
  get(taskId: string): Promise<TaskRecord | undefined>;
  /** In the order in which they were added. */
  list(): Promise<readonly TaskRecord[]>;
  /** Finished tasks, newest `completed_at` first (ties: the one changed last first). */
  recentFinished(limit: number): Promise<readonly TaskRecord[]>;
  /** Tasks with status `blocked`, longest blocked first. */
  blocked(): Promise<readonly TaskRecord[]>;
  /** Takes a task that is `queued`, or `running` with a lease that ended before `now`; `undefined` when there is
   *  nothing to take. The record becomes `running` and the token is higher than any before. */
  claim(taskId: string, by: ClaimRequest): Promise<Claim | undefined>;
  /** The claim on a running task, also when its lease has ended; `undefined` when nobody holds it. */
  holder(taskId: string): Promise<Claim | undefined>;
  /** Puts the end of the lease to `now + leaseMs`. Throws `stale-owner` when the claim is no longer the newest. */
  renew(claim: Claim, lease: { readonly now: number; readonly leaseMs: number }): Promise<void>;
  /** Replaces the record; a status other than `running` ends the claim. Throws `stale-owner`. */
  update(claim: Claim, record: TaskRecord): Promise<void>;
  /** Changes a record nobody holds (unblock, run again). Throws `conflict` while a lease is alive at `now`. */
  amend(record: TaskRecord, now: number): Promise<void>;
}
