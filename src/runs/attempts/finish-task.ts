// The end of a task: its outcome is recorded. Work that passed is on the run's branch by then; other work is kept with its attempts.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import { nameSome } from '../../kernel/name-some.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import type { TaskOutcome } from '../task-machine.ts';
import { isoNow, type TaskRun } from './task-run.ts';

/** Resolves when the record is stored. Throws `stale-owner`. */
export async function finishTask(
  run: TaskRun,
  decided: TaskOutcome,
  attempts: readonly AttemptRecord[],
): Promise<void> {
  const { ports, task } = run;
  const commit = decided.status === 'completed' ? await run.workplace.landed() : undefined;
  const outcome = commit === undefined ? notLanded(run, decided, attempts) : decided;
  const reason = outcome.status === 'completed' ? {} : { reason: outcome.reason };
  const { current: _, reason: __, rejected, undone: ___, ...record } = run.record;
  // A blocked task was not judged: its next attempt still has to read why the work was sent back.
  const kept = outcome.status === 'blocked' && rejected !== undefined ? { rejected } : {};
  const at = isoNow(ports);
  const ended: TaskRecord = {
    ...record,
    ...kept,
    status: outcome.status,
    updated_at: at,
    result: outcome.status === 'completed' ? resultOf(attempts) : outcome.reason,
    ...(outcome.status === 'blocked' ? {} : { completed_at: at }),
    ...reason,
    ...(commit === undefined ? {} : { commit, by: 'checks' }),
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

/** Where a person finds the work. */
function notLanded(run: TaskRun, decided: TaskOutcome, attempts: readonly AttemptRecord[]): TaskOutcome {
  const outcome: Exclude<TaskOutcome, { status: 'completed' }> =
    decided.status === 'completed'
      ? { status: 'needs-review', reason: 'passed, but its commit is not on the branch of the run' }
      : decided;
  const hasWork = attempts.some(
    ({ files_created, files_updated, files_deleted, commit }) =>
      commit !== undefined && files_created.length + files_updated.length + files_deleted.length > 0,
  );
  const look = `; its work: foreword diff ${shellWord(run.task.task_id)}`;
  return hasWork ? { ...outcome, reason: `${outcome.reason}${look}` } : outcome;
}

/** One sentence for the history that later prompts show; from facts, not from the agent's claims. */
function resultOf(attempts: readonly AttemptRecord[]): string {
  const last = attempts.at(-1);
  const files = attempts.flatMap((attempt) => [...attempt.files_created, ...attempt.files_updated]);
  const unique = [...new Set(files)];
  const shown = nameSome(unique, 3);
  // Policy and review are judged beside them, and are none of the task's.
  const results = last?.verdict?.results.filter(({ by }) => by === 'check' || by === 'helper') ?? [];
  const holding = results.filter(({ outcome }) => outcome === 'passed').length;
  const criteria = holding === 1 ? '1 criterion holds' : `${holding} criteria hold`;
  return `done by ${last?.provider ?? 'nobody'}: ${shown === '' ? 'no files changed' : shown}; ${criteria}`;
}
