// The end of a run, for a person who comes back to it: what was done, what needs them, and where the work is.

import type { Project } from '../app/project.ts';
import { usageOfAttempts } from '../kernel/attempt.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { usageText } from '../kernel/usage.ts';
import { hasNoChange, type SeenTask, shortCommit } from '../reports/task-view.ts';
import type { Reached } from '../runs/budget/caps.ts';
import { CAP_FLAGS, reachedText } from '../runs/budget/reached-text.ts';
import type { RunEnd } from '../runs/run-options.ts';
import { needsLines, seenTasks } from './seen-tasks.ts';

const MOST = 20;
const MAX_INTENT = 100;

/** `tasks` are the ids of this call's tasks. */
export async function endLines(
  project: Pick<Project, 'root' | 'cwd' | 'readStores'>,
  {
    tasks,
    end,
    reached,
  }: { readonly tasks: readonly string[]; readonly end: RunEnd; readonly reached?: Reached | undefined },
): Promise<readonly string[]> {
  const all = (await seenTasks(project, await project.readStores())).tasks;
  const own = all.filter(({ task }) => tasks.includes(task.task_id));
  return [...usedLines(all, end), ...stopLines(reached), ...doneLines(own), ...needsLines(own), branchText(end)];
}

/** What the run used so far, earlier calls included. */
function usedLines(tasks: readonly SeenTask[], { branch }: RunEnd): readonly string[] {
  const attempts = tasks.flatMap((seen) => seen.attempts.filter(({ run }) => `foreword/${run}` === branch));
  return attempts.length === 0 ? [] : [`Used by this run: ${usageText(usageOfAttempts(attempts))}.`];
}

/** Which cap ended it, and how to go on. */
function stopLines(reached: Reached | undefined): readonly string[] {
  if (reached === undefined) return [];
  const more = reached.unpriced === undefined ? `a higher ${CAP_FLAGS[reached.cap]}, or without it,` : 'the price set';
  return [`Stopped: ${reachedText(reached)}. The same command with ${more} goes on.`];
}

/** Those on the branch: what was merged before is not news. */
function doneLines(tasks: readonly SeenTask[]): readonly string[] {
  const done = tasks.flatMap((seen) => {
    const { task } = seen;
    if (task.status !== 'completed' || task.commit === undefined || task.merged !== undefined) return [];
    const empty = hasNoChange(seen) ? ' (changed no file)' : '';
    return [`  ${shortCommit(task.commit)} ${task.task_id}: ${oneLine(task.intent, MAX_INTENT)}${empty}`];
  });
  if (done.length === 0) return [];
  const left = done.length > MOST ? [`  and ${done.length - MOST} more: foreword status`] : [];
  return ['Done:', ...done.slice(0, MOST), ...left];
}

/** Where the work is, and how to get it. */
function branchText({ branch, commits, checkedOutIn }: RunEnd): string {
  if (checkedOutIn !== undefined)
    return `Branch ${branch} was not moved, since it is checked out in ${checkedOutIn}: check out another one there and run this again.`;
  if (commits === 0) return `On branch ${branch}: no commits.`;
  const [count, them] = commits === 1 ? ['1 commit', 'it'] : [`${commits} commits`, 'them'];
  return `On branch ${branch}: ${count}. foreword diff shows ${them}, foreword merge takes ${them} over.`;
}
