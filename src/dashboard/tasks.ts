// Tasks, each with its attempts as a timeline: which agent tried, how it ended, where another agent took over.

import type { AttemptRecord } from '../kernel/attempt.ts';
import { oneLine } from '../kernel/safe-text.ts';
import type { TaskRecord, TaskStatus } from '../kernel/task.ts';
import type { DashboardRecords } from './records.ts';
import type { Listed, ShownState, TaskMark, TaskRow } from './shown.ts';

const MOST = 40;
const MOST_ATTEMPTS = 12;
const MAX_TEXT = 200;
const MAX_NAME = 60;

/** In the order of interest: running, needs a person, queued, done. */
const STATES: Readonly<Record<TaskStatus, ShownState>> = {
  running: { word: 'running', tone: 'active' },
  'needs-review': { word: 'needs review', tone: 'waiting' },
  blocked: { word: 'blocked', tone: 'waiting' },
  failed: { word: 'failed', tone: 'bad' },
  queued: { word: 'queued', tone: 'plain' },
  completed: { word: 'completed', tone: 'good' },
};
const ORDER = Object.keys(STATES);

export function tasksOf({ tasks, attempts, events }: DashboardRecords): Listed<TaskRow> {
  const shown = newestOf(tasks);
  const loops = new Set(
    events.flatMap((event) => (event.kind === 'loop-detected' ? [`${event.attempt} ${event.task}`] : [])),
  );
  return {
    rows: shown.map((task) => taskRow(task, attempts.get(task.task_id) ?? [], loops)),
    hidden: tasks.length - shown.length,
  };
}

/** The tasks that are shown; only their attempts have to be read. */
export function newestOf(tasks: readonly TaskRecord[]): readonly TaskRecord[] {
  return tasks
    .toSorted((one, other) => {
      const rank = ORDER.indexOf(one.status) - ORDER.indexOf(other.status);
      return rank !== 0 ? rank : one.updated_at < other.updated_at ? 1 : -1;
    })
    .slice(0, MOST);
}

function taskRow(task: TaskRecord, attempts: readonly AttemptRecord[], loops: ReadonlySet<string>): TaskRow {
  const reason = task.reason ?? task.result;
  const shown = attempts.slice(-MOST_ATTEMPTS);
  return {
    id: oneLine(task.task_id, MAX_NAME),
    state: STATES[task.status] ?? { word: 'unknown', tone: 'unknown' },
    intent: oneLine(task.intent, MAX_TEXT),
    ...(reason === undefined ? {} : { reason: oneLine(reason, MAX_TEXT) }),
    changedAt: task.updated_at,
    marks: [
      ...shown.flatMap((attempt, index) => {
        const isLoop = loops.has(`${attempt.attemptNumber} ${task.task_id}`);
        return [...switchTo(attempt.provider, shown[index - 1]), attemptMark(attempt, isLoop)];
      }),
      ...underway(task, attempts.at(-1)),
    ],
    hidden: attempts.length - shown.length,
  };
}

function switchTo(agent: string, before: AttemptRecord | undefined): readonly TaskMark[] {
  if (before === undefined || before.provider === agent) return [];
  const reason = before.exitClass ?? before.exitReason ?? 'unknown';
  return [
    {
      kind: 'switch',
      from: oneLine(before.provider, MAX_NAME),
      to: oneLine(agent, MAX_NAME),
      reason: oneLine(reason, MAX_NAME),
    },
  ];
}

function attemptMark(attempt: AttemptRecord, isLoop: boolean): TaskMark {
  const { attemptNumber: number, provider, durationMs, preContext } = attempt;
  const error = attempt.validationErrors[0];
  const details = [...(isLoop ? ['the same failure again'] : []), ...(error === undefined ? [] : [error])];
  return {
    kind: 'attempt',
    number,
    agent: oneLine(provider, MAX_NAME),
    state: attemptState(attempt),
    durationMs,
    files: attempt.files_created.length + attempt.files_updated.length + attempt.files_deleted.length,
    ...(details.length === 0 ? {} : { detail: oneLine(details.join('; '), MAX_TEXT) }),
    hasHandover: preContext !== undefined && preContext !== '',
  };
}

function attemptState({ status, verdict, exitReason, exitClass }: AttemptRecord): ShownState {
  if (status === 'completed' && exitReason === undefined) {
    return verdict?.outcome === 'needs-review'
      ? { word: 'needs review', tone: 'waiting' }
      : { word: verdict?.outcome ?? 'completed', tone: 'good' };
  }
  return { word: oneLine(exitClass ?? exitReason ?? verdict?.outcome ?? 'failed', MAX_NAME), tone: 'bad' };
}

/** The attempt that runs now, or whose supervisor died: its record is written when it is over. */
function underway({ current, status }: TaskRecord, last: AttemptRecord | undefined): readonly TaskMark[] {
  if (current === undefined || status !== 'running' || current.attempt <= (last?.attemptNumber ?? 0)) return [];
  const { attempt: number, agent, startedAt } = current;
  return [...switchTo(agent, last), { kind: 'underway', number, agent: oneLine(agent, MAX_NAME), startedAt }];
}
