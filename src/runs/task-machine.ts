// What comes after an attempt, decided from the stored records alone: whoever takes a task over, at whatever moment its
// owner died, decides the same. Validation failures and agent failures have limits of their own: a rate limit is not
// the task's fault, and a task that cannot be done must not use up every agent.

import { detectTaskLoop } from '../context/handover/fingerprint.ts';
import type { AttemptRecord } from '../kernel/attempt.ts';
import { validationErrors } from '../kernel/verdict.ts';

export interface TaskLimits {
  /** Retries after failed validation; 0 means one validated attempt. */
  readonly maxRetries: number;
  /** Attempts that ended because of the agent or were cut off. */
  readonly maxAgentFailures: number;
}

export type NextStep =
  | {
      readonly kind: 'attempt';
      /** The agent to get away from: it failed, or the task went round in circles with it. */
      readonly avoid?: string;
      readonly isLoop: boolean;
    }
  | {
      readonly kind: 'finish';
      readonly status: 'completed' | 'failed' | 'blocked' | 'needs-review';
      /** One sentence; absent for `completed`. */
      readonly reason?: string;
    };

/** `attempts` are the open ones by number; those up to `countedFrom` do not count for the limits, but still tell the
 *  next attempt what was tried. */
export function nextStep(attempts: readonly AttemptRecord[], limits: TaskLimits, countedFrom = 0): NextStep {
  const last = attempts.at(-1);
  const counted = attempts.filter((attempt) => attempt.attemptNumber > countedFrom);
  if (last === undefined || counted.length === 0) return { kind: 'attempt', isLoop: false };
  if (last.verdict?.outcome === 'passed') return { kind: 'finish', status: 'completed' };
  if (last.verdict?.outcome === 'needs-review') return { kind: 'finish', status: 'needs-review', reason: notRun(last) };
  const failed = counted.filter((attempt) => attempt.exitReason === 'validation_failure');
  if (failed.length > limits.maxRetries) return { kind: 'finish', status: 'failed', reason: gaveUp(failed) };
  const agentFailures = counted.length - failed.length;
  if (agentFailures >= limits.maxAgentFailures) {
    const reason = `agents could not work ${agentFailures} times, the last (${last.provider}): ${last.exitClass ?? last.exitReason}`;
    return { kind: 'finish', status: 'blocked', reason };
  }
  const isLoop = detectTaskLoop(attempts);
  // An attempt that was cut off says nothing about its agent.
  const isAgentsFault = last.exitReason !== 'validation_failure' && last.exitReason !== 'interrupted';
  return { kind: 'attempt', isLoop, ...(isLoop || isAgentsFault ? { avoid: last.provider } : {}) };
}

function notRun(attempt: AttemptRecord): string {
  const open = attempt.verdict?.results.filter((result) => result.outcome === 'not-run') ?? [];
  const [first] = open;
  if (first === undefined) return 'nothing says whether it is done';
  const more = open.length > 1 ? ` (and ${open.length - 1} more)` : '';
  return `not checked: ${first.criterion}${first.detail === undefined ? '' : `: ${first.detail}`}${more}`;
}

function gaveUp(failed: readonly AttemptRecord[]): string {
  const last = failed.at(-1);
  const errors = last?.verdict === undefined ? (last?.validationErrors ?? []) : validationErrors(last.verdict);
  return `validation failed ${failed.length} time(s); the last: ${errors[0] ?? 'no reason recorded'}`;
}
