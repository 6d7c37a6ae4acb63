// The review of work whose checks passed, before it goes onto the run's branch. What the checks found is stored before the reviewer is
// asked, and its answer before anything is done with it: a supervisor that takes over pays for neither again.

import type { Verdict } from '../../kernel/verdict.ts';
import { usageOfLog } from '../budget/usage-of-log.ts';
import type { CutOffTalk } from '../judging/ask-on-copy.ts';
import { withReview } from '../judging/review-answer.ts';
import { reviewWork } from '../judging/reviewer.ts';
import { lookerFolder } from '../task-folder.ts';
import type { EndedCurrent } from './land-attempt.ts';
import { isoNow, type TaskRun, updateRecord } from './task-run.ts';

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
  const { reviewing, ...plain } = current;
  const checked = withUsed(passed, await usedByCutOff(run, plain, reviewing));
  await updateRecord(run, { current: { ...plain, verdict: checked } });
  const { attempt, agent: worker, ended } = current;
  const onAsk = (agent: string) =>
    updateRecord(run, {
      current: { ...plain, verdict: checked, reviewing: { agent, startedAt: isoNow(run.ports) } },
    });
  const reviewed = await reviewWork(run, { attempt, worker, after: ended.after, onAsk });
  if ('cutOff' in reviewed) return reviewed;
  const verdict = withUsed(withReview(checked, reviewed.review, reviewed.because), reviewed.spent);
  await updateRecord(run, { current: { ...plain, verdict } });
  return verdict;
}

type Spent = NonNullable<Verdict['spent']>;

function withUsed(verdict: Verdict, more: Spent): Verdict {
  return more.length === 0 ? verdict : { ...verdict, spent: [...(verdict.spent ?? []), ...more] };
}

/** What a reviewer used whose supervisor died while it read. */
async function usedByCutOff(
  { ports, settings, task, workplace }: TaskRun,
  current: EndedCurrent,
  reviewing: EndedCurrent['reviewing'],
): Promise<Spent> {
  if (reviewing === undefined) return [];
  const { agent: name, startedAt } = reviewing;
  const log = settings.places.task(lookerFolder(task.task_id, 'review')).log(current.attempt);
  const agent = settings.agents.get(name);
  const { usage } = await usageOfLog(ports, { agent, startedAt, attempts: [], cwd: workplace.cwd, log });
  return [{ agent: name, ...(usage === undefined ? {} : { usage }) }];
}
