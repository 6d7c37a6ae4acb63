// The end of a task: its work is merged into the project, and its outcome recorded.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import type { TaskOutcome } from '../task-machine.ts';
import { isoNow, type TaskRun } from './task-run.ts';

/** Resolves when the record is stored. Throws `stale-owner` before anything is written to the project. */
export async function finishTask(
  run: TaskRun,
  decided: TaskOutcome,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  const { ports, task } = run;
  const outcome = await takeOver(run, decided);
  const reason = outcome.status === 'completed' ? {} : { reason: outcome.reason };
  const { current: _, reason: __, ...record } = run.record;
  const at = isoNow(ports);
  const ended: TaskRecord = {
    ...record,
    status: outcome.status,
    updated_at: at,
    result: outcome.status === 'completed' ? resultOf(attempts) : outcome.reason,
    ...(outcome.status === 'blocked' ? {} : { completed_at: at }),
    ...reason,
  };
  await ports.stores.tasks.update(run.claim, ended);
  run.record = ended;
  if (outcome.status === 'completed') await ports.stores.attempts.clear(task.task_id);
  await ports.emit({
    kind: 'task-finished',
    task: task.task_id,
    status: outcome.status,
    attempts: (await ports.stores.attempts.list(task.task_id)).length,
    ...reason,
  });
}

/** A task is completed only when its work is in the project. When the process is killed between that and the record, the
 *  next supervisor merges the work once more, which changes nothing. */
async function takeOver(run: TaskRun, decided: TaskOutcome): Promise<TaskOutcome> {
  if (decided.status !== 'completed') return whereKept(run, decided);
  const { ports, settings, workplace } = run;
  // A supervisor that lost the task to another ends here, before it writes to the project.
  await ports.stores.tasks.renew(run.claim, { now: ports.clock.now(), leaseMs: settings.leaseMs });
  const last = run.record.current?.ended?.after ?? (await workplace.observer.snapshot());
  const { conflict } = await workplace.takeOver(last);
  return conflict === undefined ? decided : whereKept(run, { status: 'needs-review', reason: conflict });
}

async function whereKept(run: TaskRun, outcome: Exclude<TaskOutcome, { status: 'completed' }>): Promise<TaskOutcome> {
  const kept = await run.workplace.kept();
  return kept === undefined ? outcome : { ...outcome, reason: `${outcome.reason}; the work is kept in ${kept}` };
}

/** One sentence for the history that later prompts show; from facts, not from the agent's claims. */
function resultOf(attempts: readonly AttemptRecord[]): string {
  const last = attempts.at(-1);
  const files = attempts.flatMap((attempt) => [...attempt.files_created, ...attempt.files_updated]);
  const unique = [...new Set(files)];
  const shown = unique.slice(0, 3).join(', ') + (unique.length > 3 ? ` and ${unique.length - 3} more` : '');
  const checks = last?.verdict?.results.filter((result) => result.outcome === 'passed').length ?? 0;
  return `done by ${last?.provider ?? 'nobody'}: ${shown === '' ? 'no files changed' : shown}; ${checks} criteria hold`;
}
