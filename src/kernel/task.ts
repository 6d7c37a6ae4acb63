// Task: a piece of work to do, and its state. The task file's schema is config/schemas/task-file.ts; this is its value, the
// record in a store, and the port.

import type { AgentResult } from './agent.ts';
import type { BoxUse } from './attempt.ts';
import type { EndedBy } from './process.ts';
import type { Usage } from './usage.ts';
import type { Announced } from './usage-rules.ts';
import type { CriterionResult, ReviewTalk, Verdict } from './verdict.ts';
import type { Written } from './writer.ts';

export type TaskStatus = 'queued' | 'running' | 'completed' | 'failed' | 'blocked' | 'needs-review';

/** Statuses that end the work on a task: `recent_history` shows these. */
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
  /** Absent: only the helper agent or a person can decide it. */
  readonly check?: Check;
}

/** A task as its file describes it, defaults filled in. Names are those users write. */
export interface Task {
  readonly task_id: string;
  readonly intent: string;
  readonly instructions: string;
  readonly acceptance_criteria: readonly Criterion[];
  readonly depends_on: readonly string[];
  /** Lower is sooner; 1000 by default. */
  readonly priority: number;
  /** Globs the task may change; empty means everywhere. */
  readonly targets: readonly string[];
  readonly agents?: readonly string[];
  readonly retry_policy: { readonly max_retries: number };
  readonly timeout_s: number;
  readonly options: { readonly enable_pre_context?: boolean };
}

/** The record of a task in a store. `task` is absent for a task known only by its outcome (imported history). */
export interface TaskRecord extends Written {
  readonly task_id: string;
  readonly status: TaskStatus;
  readonly intent: string;
  readonly task?: Task;
  /** Why it is blocked or failed, or in the queue again. */
  readonly reason?: string;
  /** One sentence about the result. */
  readonly result?: string;
  /** ISO time of the last change of status. */
  readonly updated_at: string;
  /** ISO time; set exactly when the status is one of FINISHED. */
  readonly completed_at?: string;
  /** Attempts up to this number do not count for the limits: they belong to an earlier run that gave up. */
  readonly countedFrom?: number;
  /** The working tree before the first attempt of this count: the policy applies to all changes since. */
  readonly origin?: string;
  /** The results of the checks before the first attempt, so that inherited failures are known. */
  readonly baseline?: readonly CriterionResult[];
  /** The attempt that runs now, written before the agent is started: what remains when its supervisor dies. */
  readonly current?: CurrentAttempt;
  /** The run (kernel/run.ts) in which it was last worked on. */
  readonly run?: string;
  /** The commit at which the work on it began: its attempts are compared with it. */
  readonly start?: string;
  /** Its commit on the run's branch. Set while it is completed there. */
  readonly commit?: string;
  /** By whose word it is completed: its checks', or a person's (`foreword accept`). */
  readonly by?: 'checks' | 'person';
  /** ISO time at which a person merged its commit. */
  readonly merged?: string;
  /** ISO time at which a person took its commit back. */
  readonly undone?: string;
  /** What the last attempt leaves for a retry that goes on in the same session. */
  readonly lastSession?: LastSession;
  /** A person sent its work back; the text is the validation error of the next attempt. */
  readonly rejected?: Rejection;
}

export interface Rejection {
  /** ISO time. */
  readonly at: string;
  readonly because: string;
}

/** A session is resumed only where everything in here still holds; its id is in the attempt's record. */
export interface LastSession {
  readonly attempt: number;
  /** Sessions are bound to the folder in which they began. */
  readonly cwd: string;
  /** The commit at which the work began. */
  readonly start: string;
  /** Stands for the agent's program and its data; another value is another version. */
  readonly program: string;
  /** What the session was shown of the project: context/resumed-prompt.ts. */
  readonly shown: unknown;
}

export interface CurrentAttempt {
  readonly attempt: number;
  readonly agent: string;
  /** ISO time. */
  readonly startedAt: string;
  /** The working tree before it (changes.ts). */
  readonly before: string;
  readonly preContext?: string;
  readonly promptHash: string;
  /** Written as soon as the agent's run ended, before it is checked: if the supervisor dies while it checks the result, the
   *  next one continues from here and does not run the agent again. */
  readonly ended?: EndedRun;
  /** Written when the checks passed, again after the review, and before the work becomes a commit: a supervisor that takes over
   *  neither checks nor reviews it again. */
  readonly verdict?: Verdict;
  /** The review of work that was merged with what others did meanwhile and has to be checked again. */
  readonly review?: ReviewTalk;
  /** What helpers and reviewers used that were ended before they answered. */
  readonly spent?: NonNullable<Verdict['spent']>;
  /** The reviewer that reads now: what it used is read from its log when the supervisor dies. */
  readonly reviewing?: { readonly agent: string; readonly startedAt: string };
}

export interface EndedRun {
  /** ISO time. */
  readonly at: string;
  readonly durationMs: number;
  /** The working tree after it. */
  readonly after: string;
  readonly result: AgentResult;
  readonly endedBy?: EndedBy;
  /** The last lines of its error output. */
  readonly stderr?: string;
  readonly usage?: Usage;
  /** It announced that its allowance is nearly used up: it gets no more work until that resets. */
  readonly announced?: Announced;
  readonly box?: BoxUse;
  /** The agent's own id of its session. */
  readonly session?: string;
  readonly isResumed?: true;
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
  /** A claim whose owner is known to be dead: the task is taken over before its lease ends. */
  readonly over?: Claim | undefined;
}

/** How to add a store: CONTRIBUTING.md, "Add a store". */
export interface TaskStore {
  /** Adds a record if its id is new; otherwise returns false and changes nothing. */
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
  /** The claim on a running task, also after its lease ended; `undefined` when nobody holds it. */
  holder(taskId: string): Promise<Claim | undefined>;
  /** Sets the end of the lease to `now + leaseMs`. Throws `stale-owner` when the claim is no longer the newest. */
  renew(claim: Claim, lease: { readonly now: number; readonly leaseMs: number }): Promise<void>;
  /** Replaces the record; a status other than `running` ends the claim. Throws `stale-owner`. */
  update(claim: Claim, record: TaskRecord): Promise<void>;
  /** Changes a record nobody holds (unblock, run again). Throws `conflict` while a lease is alive at `now`. */
  amend(record: TaskRecord, now: number): Promise<void>;
}
