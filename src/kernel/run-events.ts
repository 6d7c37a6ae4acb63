// What can happen to runs, their tasks and their attempts: members of the union in events.ts, which says how to add one.

import type { ErrorClass } from './agent.ts';
import type { ExitReason } from './attempt.ts';
import type { MergedRun, RunBaseMode } from './run.ts';
import type { TaskStatus } from './task.ts';
import type { Usage } from './usage.ts';
import type { Verdict } from './verdict.ts';

/** The hand-overs of design 001, with the names of settings and metrics. */
export type HandoverType = 'circuit_breaker' | 'retry' | 'helper';

/** What happens to a run and its tasks. */
export type NewRunEvent =
  /** The run of a task file was found or made, before its first task. `uncommitted` are files of the person that agents do not
   *  see, from the project's root. For a new run with base `working`: how many uncommitted files were taken along, and which not.
   *  `doneAgain` are tasks that were completed in a run whose branch nobody merged. */
  | {
      readonly kind: 'run-opened';
      readonly run: string;
      readonly branch: string;
      readonly isNew: boolean;
      readonly base?: RunBaseMode;
      readonly uncommitted: readonly string[];
      readonly taken?: number;
      readonly untaken?: readonly { readonly path: string; readonly reason: string }[];
      readonly doneAgain?: readonly { readonly task: string; readonly run: string }[];
    }
  /** Something that the person's tree may have is missing in the checkouts, once for each thing: a submodule's files, the content
   *  of an LFS file, a filter that did not run, or a shared link that leads out. `more` counts what is not listed. */
  | {
      readonly kind: 'files-left-out';
      readonly missing: readonly {
        readonly what: 'submodule' | 'lfs' | 'filter' | 'filters-failed' | 'shared';
        /** The path from the top of the repository, the filter's name, or why filters failed. */
        readonly name: string;
      }[];
      readonly more: number;
    }
  /** A supervisor begins to work through a task file; `tasks` is how many it has to do, `missing` are agents of the lineup that are not installed. */
  | {
      readonly kind: 'run-started';
      readonly tasks: number;
      readonly lineup: readonly string[];
      readonly missing?: readonly string[];
    }
  /** It has nothing left to do, or was asked to stop. */
  | {
      readonly kind: 'run-finished';
      readonly completed: number;
      readonly failed: number;
      readonly blocked: number;
      readonly needsReview: number;
      readonly durationMs: number;
      readonly isInterrupted: boolean;
    }
  /** A trial of this version in its box begins: once per version, before its first task. */
  | { readonly kind: 'agent-tried'; readonly agent: string; readonly version: string }
  /** Once in a run for each agent that runs without a box though one was wanted, or is refused for that; `why` ends a sentence. */
  | { readonly kind: 'agent-unboxed'; readonly agent: string; readonly why: string; readonly isRefused: boolean }
  /** No agent of the task is available, and the run waits for the first one; emitted again when `until`, an ISO time, changes. */
  | {
      readonly kind: 'run-waiting';
      readonly reason: string;
      readonly until: string;
      readonly task?: string;
      readonly agent?: string;
    }
  /** A cap of the run is used up: nothing more is begun. In the cap's unit: US dollars, tokens, attempts, milliseconds. */
  | {
      readonly kind: 'budget-reached';
      readonly cap: 'cost' | 'tokens' | 'attempts' | 'time';
      readonly limit: number;
      readonly used: number;
      /** The agent whose cost is unknown, when that is why. */
      readonly unpriced?: string;
    }
  /** A supervisor took a task, one left by a dead owner included. */
  | { readonly kind: 'task-claimed'; readonly task: string; readonly owner: string }
  /** The work on a task ended for now and its record is stored; `attempts` counts all attempts at it. */
  | {
      readonly kind: 'task-finished';
      readonly task: string;
      readonly status: Exclude<TaskStatus, 'queued' | 'running'>;
      readonly attempts: number;
      readonly reason?: string;
    };

/** What a person did with the work of a run. */
export type NewReviewEvent =
  /** The work of an attempt is a commit on the run's branch by a person's word; `overruled` counts the criteria that had failed. */
  | ({
      readonly kind: 'task-accepted';
      readonly run: string;
      readonly commit: string;
      readonly overruled: number;
    } & OfAttempt)
  /** The task is in the queue again; `because` is shortened. */
  | { readonly kind: 'task-rejected'; readonly task: string; readonly because: string }
  /** `commit` takes the task's commit back on the run's branch, and the task is in the queue again. */
  | { readonly kind: 'task-undone'; readonly task: string; readonly run: string; readonly commit: string }
  /** The run's commits are the person's; `tasks` counts those that came with it. */
  | {
      readonly kind: 'run-merged';
      readonly run: string;
      readonly commit: string;
      readonly how: MergedRun['how'];
      readonly tasks: number;
    };

interface OfAttempt {
  readonly task: string;
  readonly attempt: number;
  readonly agent: string;
}

interface Used {
  /** Of the agent's own run; absent when it named nothing. */
  readonly usage?: Usage;
  /** Of the agents that judged it. */
  readonly spent?: Verdict['spent'];
}

/** What happens in one attempt, in this order: started, validated, looped or not, finished. */
export type NewAttemptEvent =
  /** The agent is about to be started with the composed prompt. */
  | ({
      readonly kind: 'attempt-started';
      /** `first`: no open attempt before it; `switch`: another agent than the last; `retry`: the same one. */
      readonly occasion: 'first' | 'switch' | 'retry';
      /** The hand-over in its prompt; `none` in the control group, when switched off, or without earlier attempts. */
      readonly handover: HandoverType | 'none';
      readonly handoverTokens: number;
      readonly buildMs: number;
      /** A hand-over was due, but the attempt is in the control group. */
      readonly isHeldOut: boolean;
      /** It goes on in the session of the attempt before it, if that session still exists. */
      readonly isResumed?: true;
    } & OfAttempt)
  /** The prompt of an attempt is composed: the original and the hand-over. Emitted before the agent starts. */
  | ({
      readonly kind: 'prompt-composed';
      readonly original: string;
      /** Goes before the original; empty without a hand-over. */
      readonly handover: string;
      /** For a session that has the task already: the original has only what changed since. */
      readonly isResumed?: true;
    } & Omit<OfAttempt, 'agent'>)
  /** A session could not be resumed: the attempt goes on in a new one, with the whole prompt. */
  | ({
      readonly kind: 'resume-failed';
      readonly exitCode: number | null;
      /** One line of the agent. */
      readonly reason: string;
      /** Path of the log of the agent that failed. */
      readonly log: string;
    } & OfAttempt)
  /** An attempt was checked, before it is recorded; not emitted when the agent failed. `failed` and `notRun` count criteria. */
  | ({
      readonly kind: 'validation-finished';
      readonly outcome: Verdict['outcome'];
      readonly failed: number;
      readonly notRun: number;
      /** What failed first, as the next attempt is told. */
      readonly firstError?: string;
      /** Its checks passed, and its work is in conflict with the run's branch. */
      readonly isConflict?: true;
    } & Omit<OfAttempt, 'agent'>)
  /** A helper agent proposed commands that verify, and they ran; `decided` of the `commands` decided a criterion. */
  | {
      readonly kind: 'helper-asked';
      readonly task: string;
      readonly agent: string;
      readonly commands: number;
      readonly decided: number;
      readonly hadContext: boolean;
    }
  /** An agent reviewed work whose checks had passed. `not-run`: its answer does not count, and `reason` is why. */
  | ({
      readonly kind: 'review-asked';
      readonly verdict: 'approve' | 'reject' | 'not-run';
      readonly findings: number;
      readonly durationMs: number;
      readonly reason?: string;
    } & OfAttempt)
  /** This attempt is the third or later in a row to fail in the same way. */
  | { readonly kind: 'loop-detected'; readonly task: string; readonly attempt: number }
  /** The attempt's record is stored; for an `interrupted` one, when the next supervisor records it. */
  | ({
      readonly kind: 'attempt-finished';
      readonly status: 'completed' | 'failed';
      readonly exitReason?: ExitReason;
      readonly exitClass?: string;
      readonly durationMs: number;
      readonly filesChanged: number;
    } & OfAttempt &
      Used)
  /** A stored attempt was played again, once with and once without its hand-over (`foreword effect --replay`): this is one of the
   *  two. It is no attempt at the task, and counts in its own comparison alone. */
  | ({
      readonly kind: 'attempt-replayed';
      readonly occasion: 'switch' | 'retry';
      /** The same for both of a pair. */
      readonly pair: string;
      readonly hadHandover: boolean;
      readonly outcome: 'succeeded' | 'failed' | 'undecided';
      /** Why it failed or is undecided. */
      readonly reason?: string;
      readonly handoverTokens: number;
      readonly durationMs: number;
    } & OfAttempt &
      Used)
  /** The next attempt at a task goes to another agent than the last; `reason` is an error class, or `loop`. */
  | {
      readonly kind: 'agent-switched';
      readonly task: string;
      readonly from: string;
      readonly to: string;
      readonly reason: ErrorClass | 'loop' | (string & {});
    }
  /** Our text is in a prompt or was served; once per text, not in the control group. */
  | {
      readonly kind: 'context-injected';
      readonly type: HandoverType | 'startup' | 'gate' | 'prompt';
      readonly task?: string;
      readonly tokens: number;
      readonly buildMs: number;
    };
