// The task machine: what comes after an attempt, decided only from the stored records. Every supervisor that takes a task
// over decides the same, at whatever moment the owner died.
//
// The state of a task is its status in the store and its attempts since it was last begun (`countedFrom`). Attempts end
// in one of eight ways: `passed`, `needs-review` (nothing failed, but something could not be checked),
// `validation_failure`, `rejected` (a validation failure too: its checks passed, and a reviewer found faults), and four in which
// nothing was judged: `circuit_breaker` (the agent refused: quota, rate limit, not signed in), `execution_error` (it crashed),
// `timeout` (it took too long, or hung: class `hang`) and `interrupted` (its supervisor was stopped or died).
//
// queued        Waits to be claimed. Can only be entered from `running`, when a supervisor is stopped or a cap of its run is
//               reached, and gives the task back with its attempts, or when the task would wait for an agent and another one
//               can be worked on (loop/step-aside.ts); when a person runs the file again, from `failed` and `blocked`, and with --again from
//               `completed` and `needs-review`; by `foreword reject` and `undo`. Then the limits are counted from zero.
// running       Claimed by one supervisor. Can only be entered from `queued`, or from `running` itself when the lease of
//               the owner has ended or its process is gone. While it is running, `nextStep` is called before each attempt:
//   attempt       The first agent of the lineup that may work, while nothing is counted yet. After a failed validation with
//                 retries left, after a rejection with rounds left, after an interruption, which is not the agent's failure, and
//                 after the agent hung for the first time: the same agent, if it may work.
//   switch        Another agent; those that crashed on this task, and the last one, only get it when no other may work. Chosen
//                 when that agent could not work, or when the same validation failure came three times in a row (a loop).
//                 An agent that hung twice on this task never gets it again: each time costs `run.hangS`.
//   finish        The task leaves `running` for one of the four below.
// completed     The work passed and is a commit on the run's branch. Can only be entered from `running`, when the last attempt
//               passed. Work that is in conflict with the branch is tried once more at its end, then `needs-review` is entered.
// needs-review  A person must look. Can only be entered from `running`, when the last attempt left a criterion unchecked
//               or unreviewed, its work is in conflict with the run's branch for the second time, or a reviewer rejected it once more
//               than it may send work back.
// failed        Validation failed more often than there are retries. Can only be entered from `running`.
// blocked       No agent could work: agent failures reached the limit, or no agent becomes available in time.
//               Can only be entered from `running`, and from `queued` when a task it depends on can no longer be done.
//
// Validation failures, rejections by a reviewer and agent failures have limits of their own: a rate limit is not the task's fault, a
// task that cannot be done must not use up every agent, and work whose checks pass must not fail because a reviewer is never content. loop/run-plan.ts decides which queued task comes next; attempts/run-task.ts
// acts on what is decided here.

import { detectTaskLoop } from '../context/handover/fingerprint.ts';
import type { AttemptRecord } from '../kernel/attempt.ts';
import { validationErrors } from '../kernel/verdict.ts';

interface TaskLimits {
  /** Retries after failed validation; 0 means one validated attempt. */
  readonly maxRetries: number;
  /** Attempts that ended because of the agent or were cut off. */
  readonly maxAgentFailures: number;
  /** How often a reviewer may send work back; once more, and a person looks. */
  readonly reviewRounds: number;
}

export type NextStep =
  /** `stayWith`: the agent whose work failed its validation, was interrupted, or hung for the first time. */
  | { readonly kind: 'attempt'; readonly stayWith?: string }
  | { readonly kind: 'switch'; readonly from: string; readonly because: 'agent-failure' | 'loop' }
  | { readonly kind: 'finish'; readonly outcome: TaskOutcome };

export type TaskOutcome =
  | { readonly status: 'completed' }
  /** The reason is one sentence for a person. */
  | { readonly status: 'failed' | 'blocked' | 'needs-review'; readonly reason: string };

/** `attempts` are the open ones by number; those up to `countedFrom` do not count for the limits, but still feed the
 *  next attempt's hand-over. */
export function nextStep(attempts: readonly AttemptRecord[], limits: TaskLimits, countedFrom = 0): NextStep {
  const last = attempts.at(-1);
  const counted = attempts.filter((attempt) => attempt.attemptNumber > countedFrom);
  if (last === undefined || counted.length === 0) return { kind: 'attempt' };
  if (last.verdict?.outcome === 'passed') return { kind: 'finish', outcome: { status: 'completed' } };
  if (last.verdict?.outcome === 'needs-review') return finish('needs-review', notChecked(last));
  const conflicts = counted.filter(isConflict);
  const rejected = counted.filter(isRejected);
  if (isRejected(last) && rejected.length > limits.reviewRounds) return finish('needs-review', lastReview(rejected));
  const failed = counted.filter(
    (attempt) => attempt.exitReason === 'validation_failure' && !isConflict(attempt) && !isRejected(attempt),
  );
  if (failed.length > limits.maxRetries) return finish('failed', lastFailure(failed));
  const capped = counted.filter(({ exitClass }) => exitClass === 'cap');
  const judged = failed.length + conflicts.length + rejected.length;
  const agentFailures = counted.length - judged - capped.length;
  if (agentFailures >= limits.maxAgentFailures) {
    const why = last.exitClass ?? last.exitReason;
    return finish('blocked', `agents could not work ${agentFailures} times, the last (${last.provider}): ${why}`);
  }
  if (detectTaskLoop(attempts)) return { kind: 'switch', from: last.provider, because: 'loop' };
  // An interrupted attempt is not its agent's failure.
  if (last.exitReason === 'validation_failure' || last.exitReason === 'interrupted')
    return { kind: 'attempt', stayWith: last.provider };
  if (isHang(last) && !hungAgents(attempts, countedFrom).includes(last.provider))
    return { kind: 'attempt', stayWith: last.provider };
  return { kind: 'switch', from: last.provider, because: 'agent-failure' };
}

/** Agents whose last counted attempt crashed or took too long, the newest last: they are no better because they are first in
 *  the lineup. One that refused (quota, rate limit) is kept away by its breaker alone. */
export function crashedAgents(attempts: readonly AttemptRecord[], countedFrom = 0): readonly string[] {
  const counted = attempts.filter((attempt) => attempt.attemptNumber > countedFrom);
  return counted
    .filter(({ provider }, index) => counted.findLastIndex((other) => other.provider === provider) === index)
    .filter(({ exitReason }) => exitReason === 'execution_error' || exitReason === 'timeout')
    .map(({ provider }) => provider);
}

/** Agents that hung twice in the counted attempts. */
export function hungAgents(attempts: readonly AttemptRecord[], countedFrom = 0): readonly string[] {
  const hung = attempts.filter((attempt) => attempt.attemptNumber > countedFrom && isHang(attempt));
  const names = hung.map(({ provider }) => provider);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function isHang({ exitClass }: AttemptRecord): boolean {
  return exitClass === 'hang';
}

/** Its work passed, but could not be merged into what others did meanwhile: that has a limit of its own. */
export function isConflict({ verdict }: Pick<AttemptRecord, 'verdict'>): boolean {
  return verdict?.results.some((result) => result.by === 'merge' && result.outcome === 'failed') === true;
}

/** The detail of a conflict, before the names of the files. */
export const IN_CONFLICT = 'passed, but in conflict with changes made meanwhile';

/** For the second time, so that a person decides: git would refuse it again. */
export function isStuckInConflict({ verdict }: AttemptRecord): boolean {
  const isIt = (detail: string | undefined) => detail?.startsWith(IN_CONFLICT) === true;
  return (
    verdict?.results.some(({ by, outcome, detail }) => by === 'merge' && outcome === 'not-run' && isIt(detail)) === true
  );
}

/** Its work passed and did not get onto the branch, as it was then. */
export function isUnmerged({ verdict }: AttemptRecord): boolean {
  return verdict?.results.some((result) => result.by === 'merge' && result.outcome !== 'passed') === true;
}

/** Its checks passed, and a reviewer sent it back: that has a limit of its own. */
export function isRejected({ verdict }: AttemptRecord): boolean {
  return verdict?.results.some((result) => result.by === 'review' && result.outcome === 'failed') === true;
}

function finish(status: 'failed' | 'blocked' | 'needs-review', reason: string): NextStep {
  return { kind: 'finish', outcome: { status, reason } };
}

function notChecked(attempt: AttemptRecord): string {
  const open = attempt.verdict?.results.filter((result) => result.outcome === 'not-run') ?? [];
  const [first] = open;
  if (first === undefined) return 'nothing shows whether it is done';
  if (first.by === 'merge') return first.detail ?? 'it could not be merged';
  if (first.by === 'review') return `not reviewed: ${first.detail ?? 'no reason recorded'}`;
  const more = open.length > 1 ? ` (and ${open.length - 1} more)` : '';
  return `not checked: ${first.criterion}${first.detail === undefined ? '' : `: ${first.detail}`}${more}`;
}

function lastReview(rejected: readonly AttemptRecord[]): string {
  const { results = [], review } = rejected.at(-1)?.verdict ?? {};
  const [first, ...others] = results.filter((result) => result.by === 'review');
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  const by = review === undefined ? '' : ` by ${review.agent}`;
  return `rejected ${rejected.length} time(s) in review, the last${by}: ${first?.detail ?? 'no reason recorded'}${more}`;
}

function lastFailure(failed: readonly AttemptRecord[]): string {
  const last = failed.at(-1);
  const errors = last?.verdict === undefined ? (last?.validationErrors ?? []) : validationErrors(last.verdict);
  return `validation failed ${failed.length} time(s); the last: ${errors[0] ?? 'no reason recorded'}`;
}
