// Hand-over: what the next attempt is told about those before it. `composeHandover` decides from a task's open attempts
// which block is due and fills it; the three builders make one block from a caller's values.
// It describes the work tree as it is now: all files and the last errors of this task, newest first, also when the
// previous attempt ended at once. Wording: texts/handover-texts.ts; bounds: handover-block.ts.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import { demand, demandKnown } from '../../kernel/demand.ts';
import type { HandoverType } from '../../kernel/events.ts';
import {
  asNumber,
  type CircuitBreakerContextInput,
  circuitBreakerBlock,
  completeSettings,
  type HandoverSettings,
  type HelperAgentContextInput,
  helperBlock,
  isRecord,
  type RetryContextInput,
  retryBlock,
} from '../texts/handover-texts.ts';
import { detectTaskLoop } from './fingerprint.ts';
import { type Block, textsOf } from './handover-block.ts';

export type {
  CircuitBreakerContextInput,
  HandoverSettings,
  HelperAgentContextInput,
  PreviousAttempt,
  RetryContextInput,
} from '../texts/handover-texts.ts';
export { DEFAULT_HANDOVER_SETTINGS } from '../texts/handover-texts.ts';

/** Before another agent takes over. Empty when nothing is known of what happened. */
export function buildCircuitBreakerContext(
  input: CircuitBreakerContextInput,
  settings?: Partial<HandoverSettings>,
): string {
  return circuitBreakerBlock(input, completeSettings(settings)).text;
}

/** Before the same agent tries again. Empty when there is no error, no file and no early end. */
export function buildRetryContext(input: RetryContextInput, settings?: Partial<HandoverSettings>): string {
  return retryBlock(input, completeSettings(settings)).text;
}

/** Before the helper agent looks for ways to verify. Empty when there are no earlier attempts. */
export function buildHelperAgentContext(input: HelperAgentContextInput, settings?: Partial<HandoverSettings>): string {
  return helperBlock(input, completeSettings(settings)).text;
}

export interface HandoverInput {
  /** Open attempts, by number. */
  readonly attempts: readonly AttemptRecord[];
  /** The agent of the next attempt; for a review, the reviewer. */
  readonly nextAgent: string;
  /** When absent: another agent than the last is a switch, the same one a retry. */
  readonly occasion?: 'handover' | 'retry' | 'review' | undefined;
  readonly settings?: Partial<HandoverSettings> | undefined;
  /** The task's own option; wins over `settings.enabled`. */
  readonly enable_pre_context?: boolean | undefined;
}

export interface Handover {
  readonly type: HandoverType | 'none';
  /** With the blank line after it; empty for `none`. */
  readonly text: string;
  /** Records that lacked something: for the event `attempt-incomplete`. */
  readonly warnings: readonly { readonly attempt: number; readonly missing: readonly string[] }[];
  /** What did not fit. */
  readonly dropped: readonly string[];
}

const CALL = 'composeHandover({ attempts, nextAgent })';
const HANDOVER_KEYS: readonly (keyof HandoverInput)[] = [
  'attempts',
  'nextAgent',
  'occasion',
  'settings',
  'enable_pre_context',
];
const NO_HANDOVER: Handover = { type: 'none', text: '', warnings: [], dropped: [] };

/** `none` without attempts, after a success, when switched off, and when nothing is known. Throws for wrong arguments alone. */
export function composeHandover(input: HandoverInput): Handover {
  demand(input, CALL);
  demandKnown(input, CALL, HANDOVER_KEYS);
  const given = completeSettings(input.settings);
  const settings = { ...given, enabled: input.enable_pre_context ?? given.enabled };
  const records: readonly unknown[] = Array.isArray(input.attempts) ? input.attempts : [];
  const attempts = records.map((record): Loose => (isRecord(record) ? record : {}));
  const last = attempts.at(-1);
  if (!settings.enabled || last === undefined || hasSucceeded(last)) return NO_HANDOVER;

  const type = typeDue(input, last, settings);
  const { text, dropped } = renderDue(type, attempts, settings);
  const warnings = attempts.flatMap((attempt, index) => {
    const missing = missingFields(attempt);
    return missing.length === 0 ? [] : [{ attempt: asNumber(attempt.attemptNumber) ?? index + 1, missing }];
  });
  return { type: text === '' ? 'none' : type, text, warnings, dropped };
}

/** A record whose fields may be absent or anything. */
type Loose = Readonly<Partial<Record<keyof AttemptRecord, unknown>>>;

function typeDue(input: HandoverInput, last: Loose, settings: HandoverSettings): HandoverType {
  if (input.occasion === 'review') return 'helper';
  const isOther = typeof last.provider === 'string' && last.provider !== '' && last.provider !== input.nextAgent;
  const isSwitch = input.occasion === undefined ? isOther : input.occasion === 'handover';
  // With switch blocks turned off, the errors of a failed validation still get through, in a retry block.
  return isSwitch && (settings.types.includes('circuit_breaker') || !hasErrors(last)) ? 'circuit_breaker' : 'retry';
}

function renderDue(type: HandoverType, attempts: readonly Loose[], settings: HandoverSettings): Block {
  const last = attempts.at(-1) ?? {};
  const number = asNumber(last.attemptNumber) ?? attempts.length;
  const taskLoopDetected = detectTaskLoop(attempts as readonly Partial<AttemptRecord>[]);
  if (type === 'helper') {
    const previousAttempts = attempts as readonly Partial<AttemptRecord>[];
    return helperBlock({ attemptNumber: number + 1, previousAttempts, taskLoopDetected }, settings);
  }
  const files = filesSoFar(attempts);
  const failed = attempts.findLast(hasErrors);
  const validationErrors = textsOf(failed?.validationErrors);
  if (type === 'retry') {
    return retryBlock(
      {
        attemptNumber: number + 1,
        previousValidationErrors: validationErrors,
        previousFiles: { created: files.created, updated: files.updated },
        taskLoopDetected,
        endedEarly: hasEndedEarly(last) ? { attempt: number, exitReason: earlyReason(last) } : undefined,
      },
      settings,
    );
  }
  const failedAs = textOf(failed?.exitReason);
  return circuitBreakerBlock(
    {
      failedProvider: textOf(last.provider),
      failureReason: failureReason(last),
      previousAttempt: { files_created: files.created, files_updated: files.updated, validationErrors },
      alsoRetry: failedAs === 'validation_failure' || failedAs === undefined || failed !== last,
      taskLoopDetected,
    },
    settings,
  );
}

/** Reasons as the next agent reads them; a class or reason that is not listed is used as it is. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['quota', 'quota_exhausted'],
  ['rate_limit', 'rate_limit_exceeded'],
  ['overload', 'overloaded'],
  ['auth', 'authentication_failed'],
  ['setup', 'setup_failed'],
  ['crash', 'crashed'],
  ['hang', 'hung'],
  ['circuit_breaker', 'circuit_breaker_triggered'],
]);

function failureReason(attempt: Loose): string | undefined {
  const named = textOf(attempt.exitClass) ?? textOf(attempt.exitReason);
  if (named === undefined) return hasErrors(attempt) ? 'validation_failure' : undefined;
  return REASONS.get(named) ?? named;
}

function earlyReason(attempt: Loose): string | undefined {
  const reason = textOf(attempt.exitReason);
  const exitClass = textOf(attempt.exitClass);
  return exitClass === undefined || exitClass === reason ? reason : `${reason} (${exitClass})`;
}

function hasEndedEarly(attempt: Loose): boolean {
  const reason = textOf(attempt.exitReason);
  return reason !== undefined && reason !== 'validation_failure';
}

function hasErrors(attempt: Loose): boolean {
  return textsOf(attempt.validationErrors).length > 0;
}

/** A status alone does not make a success: agents call work completed that then fails its validation. */
function hasSucceeded(attempt: Loose): boolean {
  return attempt.status === 'completed' && textOf(attempt.exitReason) === undefined && !hasErrors(attempt);
}

/** For each path, the newest record decides. */
function filesSoFar(attempts: readonly Loose[]): { created: string[]; updated: string[] } {
  const seen = new Set<string>();
  const created: string[] = [];
  const updated: string[] = [];
  const gather = (files: unknown, into?: string[]): void => {
    for (const file of textsOf(files)) {
      if (seen.has(file)) continue;
      seen.add(file);
      into?.push(file);
    }
  };
  for (const attempt of attempts.toReversed()) {
    gather(attempt.files_deleted);
    gather(attempt.files_created, created);
    gather(attempt.files_updated, updated);
  }
  return { created, updated };
}

function missingFields(attempt: Loose): string[] {
  const missing: string[] = [];
  if (asNumber(attempt.attemptNumber) === undefined) missing.push('attemptNumber');
  if (textOf(attempt.provider) === undefined) missing.push('provider');
  for (const field of ['files_created', 'files_updated', 'validationErrors'] as const) {
    const value = attempt[field];
    if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) missing.push(field);
  }
  if (attempt.status !== 'completed' && attempt.status !== 'failed') missing.push('status');
  if (attempt.status === 'failed' && textOf(attempt.exitReason) === undefined) missing.push('exitReason');
  return missing;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
