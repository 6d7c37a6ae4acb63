// Work that passed goes onto the run's branch before its attempt is recorded. When the branch moved meanwhile, the work is merged
// into it and its checks run again, without an agent: a commit is only made from a tree on which they passed.

import type { CurrentAttempt, EndedRun } from '../../kernel/task.ts';
import { type CriterionResult, splitCriteria, type Verdict, verdictOf } from '../../kernel/verdict.ts';
import { checkContext } from '../judging/check-context.ts';
import { markInherited } from '../judging/checks/baseline.ts';
import { runChecks } from '../judging/checks/checks.ts';
import { isConflict } from '../task-machine.ts';
import { type TaskRun, updateRecord } from './task-run.ts';

export interface EndedCurrent extends CurrentAttempt {
  readonly ended: EndedRun;
}

/** The verdict after it: `passed` when the work is on the branch. `undefined` when the signal was aborted. Throws
 *  `stale-owner` before anything is written for anybody else to see. */
export async function landAttempt(run: TaskRun, passed: Verdict, current: EndedCurrent): Promise<Verdict | undefined> {
  const { ports, settings, task, workplace, signal } = run;
  let [verdict, now] = [passed, current];
  for (;;) {
    await updateRecord(run, { current: { ...now, verdict } });
    // A supervisor that lost the task to another ends here.
    await ports.stores.tasks.renew(run.claim, { now: ports.clock.now(), leaseMs: settings.leaseMs });
    const landing = await workplace.land({
      after: now.ended.after,
      intent: ports.redact(task.intent),
      result: ports.redact(now.ended.result.answer),
      agent: now.agent,
      attempts: now.attempt - (run.record.countedFrom ?? 0),
      at: now.ended.at,
    });
    if (landing.kind === 'landed') return verdict;
    if (landing.kind === 'refused') return withResult(verdict, { outcome: 'not-run', detail: landing.reason });
    if (landing.kind === 'conflict') return withResult(verdict, await conflictOf(run, landing.paths));
    // It has not passed as it is now.
    const { verdict: _, ...open } = now;
    now = { ...open, before: landing.origin, ended: { ...now.ended, after: landing.after } };
    await updateRecord(run, { start: workplace.start(), origin: landing.origin, current: now });
    const checks = await runChecks(splitCriteria(task.acceptance_criteria).checked, checkContext(run), signal);
    if (signal.aborted) return undefined;
    verdict = againWith(verdict, markInherited(checks, run.record.baseline ?? []));
    if (verdict.outcome !== 'passed') return verdict;
  }
}

/** The first time the task is tried again on the new end of the branch; the second time a person looks. */
async function conflictOf(
  { ports, task, record }: TaskRun,
  paths: readonly string[],
): Promise<Pick<CriterionResult, 'outcome' | 'detail'>> {
  const attempts = await ports.stores.attempts.open(task.task_id);
  const isSecond = attempts.some((each) => each.attemptNumber > (record.countedFrom ?? 0) && isConflict(each));
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : '';
  const named = paths.length === 0 ? 'files' : `${paths.slice(0, 5).join(', ')}${more}`;
  const detail = `passed, but in conflict with changes made meanwhile: ${named}`;
  return { outcome: isSecond ? 'not-run' : 'failed', detail };
}

function withResult(verdict: Verdict, result: Pick<CriterionResult, 'outcome' | 'detail'>): Verdict {
  return verdictOf([...verdict.results, { criterion: 'merge', by: 'merge', ...result }], verdict.sandbox);
}

/** The checks as they are now; what policy and helper decided stays. */
function againWith(verdict: Verdict, checks: readonly CriterionResult[]): Verdict {
  return verdictOf([...checks, ...verdict.results.filter(({ by }) => by !== 'check')], verdict.sandbox);
}
