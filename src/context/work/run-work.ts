// The record of a supervised run: one for the run, from the attempts at its tasks, and none for each attempt.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { SessionWork } from '../../kernel/session-work.ts';
import type { TaskRecord } from '../../kernel/task.ts';

export interface FinishedRun {
  /** The run's id, by which attempts name it. */
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Absent when it was killed: it ended with what is last known of it. */
  readonly endedAt?: number;
  readonly tree: string;
}

export interface TriedTask {
  readonly task: TaskRecord;
  readonly attempts: readonly AttemptRecord[];
}

const MOST = { files: 20, commits: 10, tasks: 10, text: 160 } as const;

/** `undefined` when no agent worked in it. */
export function runWork(
  { run, startedAt, endedAt, tree }: FinishedRun,
  all: readonly TriedTask[],
): SessionWork | undefined {
  const isCutOff = endedAt === undefined;
  const own = all
    .map(({ task, attempts }) => ({ task, attempts: attempts.filter((attempt) => attempt.run === run) }))
    .map((one) => ({ ...one, current: isCutOff && one.task.run === run ? one.task.current : undefined }))
    .filter(({ attempts, current }) => attempts.length > 0 || current !== undefined);
  if (own.length === 0) return undefined;
  const attempts = own.flatMap((one) => one.attempts);
  const agents = own.flatMap((one) => [
    ...one.attempts.map(({ provider }) => provider),
    ...(one.current === undefined ? [] : [one.current.agent]),
  ]);
  const times = [...attempts.map(({ timestamp }) => timestamp), ...own.map(({ current }) => current?.startedAt ?? '')];
  const last = Math.max(startedAt, ...times.map((time) => Date.parse(time) || 0));
  const edits = new Map<string, number>();
  for (const { files_created, files_updated } of attempts)
    for (const path of [...files_created, ...files_updated]) edits.set(path, (edits.get(path) ?? 0) + 1);
  const files = [...edits].map(([path, count]) => ({ path: oneLine(path, MOST.text), edits: count }));
  const commits = own.flatMap(({ task }) =>
    task.commit === undefined ? [] : [oneLine(`${task.commit.slice(0, 9)} ${task.intent}`, MOST.text)],
  );
  return {
    id: `wrk_run_${run}`,
    kind: 'run',
    agent: [...new Set(agents)].join(', '),
    ...(tree === 'main' ? {} : { tree }),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt ?? last).toISOString(),
    ...(isCutOff ? { isCutOff: true as const } : {}),
    facts: {
      prompts: [],
      promptCount: 0,
      files: files.sort((one, other) => other.edits - one.edits).slice(0, MOST.files),
      fileCount: files.length,
      commands: [],
      open: [],
      openCount: 0,
      commits: commits.slice(0, MOST.commits),
      uncommitted: [],
      uncommittedCount: 0,
      tasks: own
        .slice(0, MOST.tasks)
        .map(
          ({ task, current }) => `${oneLine(task.task_id, 60)} (${current === undefined ? task.status : 'cut off'})`,
        ),
      missing: [`its work is on branch foreword/${run}, not here, until foreword merge`],
    },
  };
}
