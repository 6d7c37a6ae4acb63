// Verdict: the result of checking an attempt. A criterion that nothing could decide is `not-run`, never a pass: the task
// then needs review.

import type { Criterion } from './task.ts';
import type { Usage } from './usage.ts';

export interface CriterionResult {
  /** The criterion's text, `policy`, `review` or `merge`. */
  readonly criterion: string;
  readonly outcome: 'passed' | 'failed' | 'not-run';
  /** One line for the next attempt: expected and actual result. Always present when it failed or did not run. */
  readonly detail?: string;
  /** How it was decided. */
  readonly by: 'check' | 'helper' | 'policy' | 'review' | 'merge' | 'none';
  /** It failed in the same way before attempt 1. */
  readonly isInherited?: boolean;
}

export interface Verdict {
  readonly outcome: 'passed' | 'failed' | 'needs-review';
  readonly results: readonly CriterionResult[];
  /** Where the helper's commands ran; absent when there were none. */
  readonly sandbox?: string;
  /** The agent that proposed those commands, what it read and what it answered, both bounded. */
  readonly helper?: HelperTalk;
  /** The agent that reviewed the work after its checks had passed; absent when none was asked. */
  readonly review?: ReviewTalk;
  /** What the agents used that judged it, one entry for each time one worked; without `usage` it is unknown. */
  readonly spent?: readonly { readonly agent: string; readonly usage?: Usage }[];
}

export interface HelperTalk {
  readonly agent: string;
  /** Twice when the first answer could not be used. */
  readonly asked: readonly { readonly prompt: string; readonly answer: string }[];
}

export interface ReviewTalk extends HelperTalk {
  /** Absent when it gave none that counts. */
  readonly verdict?: 'approve' | 'reject';
  /** One line each, safe and bounded; an approval may have some too. */
  readonly findings: readonly Finding[];
  /** Findings that are not kept. */
  readonly more?: number;
  /** Tokens and cost of the review; absent when it named nothing. */
  readonly usage?: Usage;
}

/** File and line are as the reviewer named them: the file need not exist. */
export interface Finding {
  readonly file?: string;
  readonly line?: number;
  readonly text: string;
}

/** `file:line: text`, as compilers print it. */
export function findingLine({ file, line, text }: Finding): string {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  return `${place}${text}`;
}

/** The agent whose review approved the work. */
export function approvedBy(verdict: Verdict | undefined): string | undefined {
  return verdict?.review?.verdict === 'approve' ? verdict.review.agent : undefined;
}

/** Failed beats not-run beats passed. Without results it is `needs-review`: nothing was checked. */
export function verdictOf(
  results: readonly CriterionResult[],
  { sandbox, helper, review, spent }: Pick<Verdict, 'sandbox' | 'helper' | 'review' | 'spent'> = {},
): Verdict {
  const has = (outcome: CriterionResult['outcome']) => results.some((result) => result.outcome === outcome);
  const outcome = has('failed') ? 'failed' : has('not-run') || results.length === 0 ? 'needs-review' : 'passed';
  return {
    outcome,
    results,
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(helper === undefined ? {} : { helper }),
    ...(review === undefined ? {} : { review }),
    ...(spent === undefined ? {} : { spent }),
  };
}

/** The errors for an attempt's record and the next hand-over: one line per failed criterion. */
export function validationErrors(verdict: Verdict): readonly string[] {
  return verdict.results
    .filter((result) => result.outcome === 'failed')
    .map((result) => {
      const inherited = result.isInherited === true ? ' (failed before the first attempt too)' : '';
      return `${result.criterion}${result.detail === undefined ? '' : `: ${result.detail}`}${inherited}`;
    });
}

/** Criteria with a check, and those that only a helper or a person can decide. */
export function splitCriteria(criteria: readonly Criterion[]): {
  readonly checked: readonly Criterion[];
  readonly unchecked: readonly Criterion[];
} {
  return {
    checked: criteria.filter((criterion) => criterion.check !== undefined),
    unchecked: criteria.filter((criterion) => criterion.check === undefined),
  };
}
