// The baseline: the results of the checks before the first attempt, so that a failure that existed before is recognised.

import { fingerprint } from '../../../context/handover/fingerprint.ts';
import type { Criterion } from '../../../kernel/task.ts';
import { type CriterionResult, splitCriteria } from '../../../kernel/verdict.ts';
import { type CheckContext, runChecks } from './checks.ts';

/** Results of the criteria that have a check. */
export type Baseline = readonly CriterionResult[];

export function takeBaseline(
  criteria: readonly Criterion[],
  context: CheckContext,
  signal?: AbortSignal,
): Promise<Baseline> {
  return runChecks(splitCriteria(criteria).checked, context, signal);
}

/** Failures with the criterion and the fingerprint of one in the baseline become inherited; all else stays as it is. */
export function markInherited(results: readonly CriterionResult[], baseline: Baseline): CriterionResult[] {
  const before = new Set(baseline.filter((result) => result.outcome === 'failed').map(printOf));
  return results.map((result) =>
    result.outcome === 'failed' && before.has(printOf(result)) ? { ...result, isInherited: true } : result,
  );
}

function printOf(result: CriterionResult): string {
  return JSON.stringify([result.criterion, fingerprint(result.detail === undefined ? [] : [result.detail])]);
}
