// Work that passed goes onto the run's branch before its attempt is recorded. When the branch moved meanwhile, the work is merged
// into it and its checks run again, without an agent: a commit is only made from a tree on which they passed. The same is done with
// work that began with uncommitted changes of the person, once they are taken out of it.

import { nameSome } from '../../kernel/name-some.ts';
import type { CurrentAttempt, EndedRun } from '../../kernel/task.ts';
import { approvedBy, type CriterionResult, splitCriteria, type Verdict, verdictOf } from '../../kernel/verdict.ts';
import type { Snapshot } from '../changes.ts';
import { checkContext } from '../judging/check-context.ts';
import { markInherited } from '../judging/checks/baseline.ts';
import { runChecks } from '../judging/checks/checks.ts';
import { IN_CONFLICT, isConflict } from '../task-machine.ts';
import { type TaskRun, updateRecord } from './task-run.ts';

export interface EndedCurrent extends CurrentAttempt {
  readonly ended: EndedRun;
}

/** The verdict after it: `passed` when the work is on the branch. `undefined` when the signal was aborted. Throws
 *  `stale-owner` before anything is written for anybody else to see. */
export async function landAttempt(run: TaskRun, passed: Verdict, current: EndedCurrent): Promise<Verdict | undefined> {
  const { ports, settings, task, workplace } = run;
  let [verdict, now] = [passed, current];
  let replayed: Snapshot | undefined;
  const stillOurs = () => ports.stores.tasks.renew(run.claim, { now: ports.clock.now(), leaseMs: settings.leaseMs });
  for (;;) {
    await updateRecord(run, { current: { ...now, verdict } });
    // A supervisor that lost the task to another ends here.
    await stillOurs();
    const work = {
      after: now.ended.after,
      replayed,
      intent: ports.redact(task.intent),
      result: ports.redact(now.ended.result.answer),
      agent: now.agent,
      attempts: now.attempt - (run.record.countedFrom ?? 0),
      reviewer: approvedBy(verdict),
      at: now.ended.at,
    };
    const landing = await workplace.land(work, stillOurs);
    if (landing.kind === 'landed') return verdict;
    if (landing.kind === 'refused') return withResult(verdict, { outcome: 'not-run', detail: landing.reason });
    if (landing.kind === 'conflict') return withResult(verdict, await conflictOf(run, landing.paths));
    if (landing.kind === 'uncommitted') return withResult(verdict, commitFirst(run, named(landing.paths)));
    if (landing.kind === 'replayed') {
      const again = await checkAgain(run, verdict);
      if (again === undefined) return workplace.putBack(now.ended.after).then(() => undefined);
      if (again.outcome !== 'passed') return withResult(verdict, commitFirst(run, openCriteria(again)));
      replayed = landing.after;
      continue;
    }
    replayed = undefined;
    // It has not passed as it is now. Its review is of what it changes, and that is the same.
    const { verdict: _, ...open } = now;
    const reviewed = verdict.review === undefined ? {} : { review: verdict.review };
    now = { ...open, ...reviewed, before: landing.origin, ended: { ...now.ended, after: landing.after } };
    await updateRecord(run, { start: workplace.start(), origin: landing.origin, current: now });
    const again = await checkAgain(run, verdict);
    if (again === undefined) return undefined;
    verdict = again;
    if (verdict.outcome !== 'passed') return verdict;
  }
}

/** `undefined` when the signal was aborted. */
async function checkAgain(run: TaskRun, verdict: Verdict): Promise<Verdict | undefined> {
  const { checked } = splitCriteria(run.task.acceptance_criteria);
  const checks = await runChecks(checked, checkContext(run), run.signal);
  return run.signal.aborted ? undefined : againWith(verdict, markInherited(checks, run.record.baseline ?? []));
}

/** Another attempt would begin with the same changes: only the person can go on. */
function commitFirst({ task }: TaskRun, what: string): Pick<CriterionResult, 'outcome' | 'detail'> {
  const detail = `passed, but it builds on your uncommitted changes (${what}): commit them first, then run foreword accept ${task.task_id}`;
  return { outcome: 'not-run', detail };
}

/** Criteria that do not hold without the uncommitted changes. */
function openCriteria({ results }: Verdict): string {
  const open = results.filter(({ outcome }) => outcome !== 'passed').map(({ criterion }) => criterion);
  return `without them this fails: ${named(open)}`;
}

function named(all: readonly string[]): string {
  return all.length === 0 ? 'files' : nameSome(all);
}

/** The first time the task is tried again on the new end of the branch; the second time a person looks. */
async function conflictOf(
  { ports, task, record }: TaskRun,
  paths: readonly string[],
): Promise<Pick<CriterionResult, 'outcome' | 'detail'>> {
  const attempts = await ports.stores.attempts.open(task.task_id);
  const isSecond = attempts.some((each) => each.attemptNumber > (record.countedFrom ?? 0) && isConflict(each));
  const detail = `${IN_CONFLICT}: ${named(paths)}`;
  return { outcome: isSecond ? 'not-run' : 'failed', detail };
}

function withResult(verdict: Verdict, result: Pick<CriterionResult, 'outcome' | 'detail'>): Verdict {
  return verdictOf([...verdict.results, { criterion: 'merge', by: 'merge', ...result }], verdict);
}

/** The checks as they are now; what policy, helper and reviewer decided stays. */
function againWith(verdict: Verdict, checks: readonly CriterionResult[]): Verdict {
  return verdictOf([...checks, ...verdict.results.filter(({ by }) => by !== 'check')], verdict);
}
