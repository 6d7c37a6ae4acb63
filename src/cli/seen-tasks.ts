// The tasks of the store with what `status` and the end of a run show of them.

import { relative, resolve } from 'node:path';
import type { Project } from '../app/project.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { Stores } from '../kernel/stores.ts';
import {
  blockedBehind,
  mergedAt,
  type SeenTask,
  shortCommit,
  taskCommands,
  taskDetail,
  taskReason,
} from '../reports/task-view.ts';
import { ownerShown } from '../system/processes/owner.ts';

export interface SeenTasks {
  readonly tasks: readonly SeenTask[];
  readonly runs: readonly RunRecord[];
}

/** Paths of task files are from the folder in which the person is. With `only`, no other task is read. */
export async function seenTasks(
  project: Pick<Project, 'root' | 'cwd'>,
  stores: Stores,
  only?: string,
): Promise<SeenTasks> {
  const runs = (await stores.runs.list()).map(({ value }) => value);
  const here = new Map(
    runs.map((run) => [run.id, { ...run, taskFile: fromHere(project, run.taskFile), ...configFromHere(project, run) }]),
  );
  const tried = new Set(only === undefined ? await stores.attempts.taskIds() : [only]);
  const one = only === undefined ? undefined : await stores.tasks.get(only);
  const records = only === undefined ? await stores.tasks.list() : one === undefined ? [] : [one];
  const tasks: SeenTask[] = [];
  for (const task of records) {
    const holder = task.status === 'running' ? await stores.tasks.holder(task.task_id) : undefined;
    tasks.push({
      task,
      attempts: tried.has(task.task_id) ? await stores.attempts.list(task.task_id) : [],
      run: task.run === undefined ? undefined : here.get(task.run),
      supervisor: holder === undefined ? undefined : ownerShown(holder.owner),
    });
  }
  return { tasks, runs };
}

function fromHere({ root, cwd }: Pick<Project, 'root' | 'cwd'>, taskFile: string): string {
  return taskFile.startsWith('--') ? taskFile : relative(cwd, resolve(root, taskFile));
}

function configFromHere(project: Pick<Project, 'root' | 'cwd'>, { config }: RunRecord): Pick<RunRecord, 'config'> {
  return config === undefined ? {} : { config: fromHere(project, config) };
}

const MOST = 20;

/** The task as the head of its history: its state, why, and the commands for it. */
export function taskLines(seen: SeenTask): readonly string[] {
  const { task_id, status, commit } = seen.task;
  const at = commit === undefined ? '' : `commit ${shortCommit(commit)}, `;
  return [`${task_id}: ${status}: ${at}${taskDetail(seen)}`, ...taskCommands(seen).map((command) => `  ${command}`)];
}

/** The fields of a task in JSON that are not simply in its record; `merged` is null for a commit that nobody merged. */
export function taskFacts(seen: SeenTask): object {
  const { status, commit, by } = seen.task;
  const reason = taskReason(seen.task);
  return {
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(by === undefined ? {} : { by }),
    ...(commit === undefined ? {} : { commit, merged: mergedAt(seen) ?? null }),
    ...(seen.supervisor === undefined ? {} : { supervisor: seen.supervisor }),
    commands: taskCommands(seen),
  };
}

/** What only a person can go on with: each task with its reason and the commands for it. */
export function needsLines(tasks: readonly SeenTask[]): readonly string[] {
  const behind = blockedBehind(tasks.map(({ task }) => task));
  const needs = tasks.filter(({ task: { task_id, status }, supervisor }) => {
    if (behind.has(task_id)) return false;
    return status === 'running' ? supervisor?.state === 'gone' : NEEDS.includes(status);
  });
  if (needs.length === 0) return [];
  const left = needs.length > MOST ? [`  and ${needs.length - MOST} more: foreword status --json`] : [];
  return ['Needs you:', ...needs.slice(0, MOST).flatMap(needLines), ...left];
}

const NEEDS = ['needs-review', 'failed', 'blocked'];

function needLines(seen: SeenTask): readonly string[] {
  const { task, supervisor } = seen;
  const why =
    task.status === 'running'
      ? `running, but its supervisor (pid ${supervisor?.pid ?? 0}) is gone`
      : `${task.status}: ${taskReason(task) ?? task.intent}`;
  return [`  ${task.task_id}: ${why}`, ...taskCommands(seen).map((command) => `    ${command}`)];
}
