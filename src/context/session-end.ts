// The continuity record at the end of a session in which nobody ran `foreword save`: facts only. Earlier saved notes are
// kept; what can be observed (files, finished and blocked tasks) is observed again.

import type { Continuity } from '../kernel/continuity.ts';
import type { Stores } from '../kernel/stores.ts';
import { foundOr, type Sources } from './sources/port.ts';
import { lastContinuity, treeMark } from './tree-continuity.ts';

const MOST = 20;

/** `undefined` when there is nothing to record, or when somebody saved notes during this session. */
export async function continuityFromFacts(ask: {
  readonly id: string;
  /** The working tree, as `StartupAsk` has it. */
  readonly tree: string;
  readonly stores: Pick<Stores, 'continuity' | 'tasks'>;
  readonly sources: Pick<Sources, 'changed'>;
  readonly startedAt: number;
  readonly now: number;
}): Promise<Continuity | undefined> {
  const before = await lastContinuity(ask.stores.continuity, ask.tree);
  if (before !== undefined && Date.parse(before.savedAt) >= ask.startedAt) return undefined;
  const tasks = await ask.stores.tasks.list();
  const since = tasks.filter((task) => Date.parse(task.updated_at) >= ask.startedAt);
  const changed = foundOr(await ask.sources.changed(), [], []);
  const running = tasks.filter((task) => task.status === 'running').map((task) => task.task_id);
  const done = since.filter((task) => task.status === 'completed').map((task) => task.task_id);
  const files = changed.map(({ path }) => path);
  if (done.length === 0 && running.length === 0 && files.length === 0) return undefined;
  const isDone = (text: string): boolean => done.includes(text);
  const currentTask = running[0] ?? before?.currentTask;
  return {
    ...(currentTask === undefined || isDone(currentTask) ? {} : { currentTask }),
    ...(before?.summary === undefined ? {} : { summary: before.summary }),
    done: done.slice(0, MOST),
    inProgress: [...new Set([...running, ...(before?.inProgress ?? []).filter((item) => !isDone(item))])].slice(
      0,
      MOST,
    ),
    blocked: tasks
      .filter((task) => task.status === 'blocked')
      .map((task) => (task.reason === undefined ? task.task_id : `${task.task_id}: ${task.reason}`))
      .slice(0, MOST),
    decisions: before?.decisions ?? [],
    questions: before?.questions ?? [],
    files: files.slice(0, MOST),
    nextSteps: (before?.nextSteps ?? []).filter((item) => !isDone(item)),
    id: ask.id,
    savedAt: new Date(ask.now).toISOString(),
    by: 'session-end',
    ...treeMark(ask.tree),
  };
}
