// The review of work whose checks passed, before it goes onto the run's branch. What the checks found is stored before the reviewer is
// asked, and its answer before anything is done with it: a supervisor that takes over pays for neither again.

import type { Verdict } from '../../kernel/verdict.ts';
import type { CutOffTalk } from '../judging/ask-on-copy.ts';
import { withReview } from '../judging/review-answer.ts';
import { reviewWork } from '../judging/reviewer.ts';
import type { EndedCurrent } from './land-attempt.ts';
import { type TaskRun, updateRecord } from './task-run.ts';

/** The verdict after it; the same when nobody reviews. */
export async function reviewAttempt(
  run: TaskRun,
  passed: Verdict,
  current: EndedCurrent,
): Promise<Verdict | CutOffTalk> {
  if (passed.review !== undefined) return passed;
  if (current.review !== undefined) return withReview(passed, current.review);
  if (run.settings.judging.review.by === undefined) return passed;
  // A supervisor that asked for no review put it on the branch, and died before it could record that.
  if (current.verdict !== undefined && (await run.workplace.landed()) !== undefined) return passed;
  await updateRecord(run, { current: { ...current, verdict: passed } });
  const { attempt, agent: worker, ended } = current;
  const reviewed = await reviewWork(run, { attempt, worker, after: ended.after });
  if ('cutOff' in reviewed) return reviewed;
  const spent = [...(passed.spent ?? []), ...reviewed.spent];
  const verdict = { ...withReview(passed, reviewed.review, reviewed.because), ...(spent.length > 0 ? { spent } : {}) };
  await updateRecord(run, { current: { ...current, verdict } });
  return verdict;
}
