// Tasks, each with its attempts as a timeline: which agent tried, how it ended, where another agent took over, what a person did.

import { type AttemptRecord, usageOfAttempts, usesOf } from '../kernel/attempt.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import { oneLine } from '../kernel/safe-text.ts';
import type { TaskRecord, TaskStatus } from '../kernel/task.ts';
import { usageText } from '../kernel/usage.ts';
import { mergedAt, type SeenTask, shortCommit, taskCommands, taskDetail, taskReason } from '../reports/task-view.ts';
import type { DashboardRecords } from './records.ts';
import type { Listed, ShownState, TaskMark, TaskRow, Tone } from './shown.ts';

const MOST = 40;
const MOST_ATTEMPTS = 12;
const MAX_TEXT = 200;
const MAX_NAME = 60;
const MAX_COMMAND = 400;

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
const GONE: ShownState = { word: 'supervisor gone', tone: 'bad' };

export function tasksOf(records: DashboardRecords): Listed<TaskRow> {
  const { tasks, events } = records;
  const shown = newestOf(tasks);
  const known: Known = { loops: new Set(), acts: new Map() };
  for (const event of events) note(known, event);
  return {
    rows: shown.map((task) => taskRow(seenTask(records, task), known)),
    hidden: tasks.length - shown.length,
  };
}

/** The task as `foreword status` sees it. */
export function seenTask({ attempts, runs, supervisors }: DashboardRecords, task: TaskRecord): SeenTask {
  return {
    task,
    attempts: attempts.get(task.task_id) ?? [],
    run: runs.find(({ id }) => id === task.run),
    supervisor: supervisors.get(task.task_id),
  };
}

/** What the journal says about tasks. */
interface Known {
  /** `attempt task` of those that failed in the same way again. */
  readonly loops: Set<string>;
  /** By the task's id, oldest first. */
  readonly acts: Map<string, PersonMark[]>;
}

type PersonMark = Extract<TaskMark, { kind: 'person' }>;

function note({ loops, acts }: Known, event: ForewordEvent): void {
  if (event.kind === 'loop-detected') loops.add(`${event.attempt} ${event.task}`);
  const act = actOf(event);
  if (act === undefined) return;
  const { task, mark } = act;
  acts.set(task, [...(acts.get(task) ?? []), mark].slice(-MOST_ATTEMPTS));
}

function actOf(event: ForewordEvent): { readonly task: string; readonly mark: PersonMark } | undefined {
  const mark = (word: string, tone: Tone, detail?: string): PersonMark => {
    const more = detail === undefined ? {} : { detail: oneLine(detail, MAX_TEXT) };
    return { kind: 'person', state: { word, tone }, at: event.at, ...more };
  };
  switch (event.kind) {
    case 'task-accepted':
      return { task: event.task, mark: mark('accepted', 'good', `attempt ${event.attempt} by ${event.agent}`) };
    case 'task-rejected':
      return { task: event.task, mark: mark('rejected', 'waiting', event.because) };
    case 'task-undone':
      return { task: event.task, mark: mark('undone', 'waiting') };
    default:
      return undefined;
  }
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

function taskRow(seen: SeenTask, known: Known): TaskRow {
  const { task, attempts, supervisor } = seen;
  const shown = attempts.slice(-MOST_ATTEMPTS);
  const merged = mergedAt(seen);
  const reason = reasonOf(seen);
  return {
    id: oneLine(task.task_id, MAX_NAME),
    state: stateOf(seen),
    intent: oneLine(task.intent, MAX_TEXT),
    ...(reason === undefined ? {} : { reason: oneLine(reason, MAX_TEXT) }),
    ...(task.commit === undefined ? {} : { commit: shortCommit(oneLine(task.commit, MAX_NAME)) }),
    ...(task.by === undefined ? {} : { by: task.by }),
    ...(merged === undefined ? {} : { merged }),
    ...(supervisor === undefined ? {} : { supervisor: { ...supervisor, host: oneLine(supervisor.host, MAX_NAME) } }),
    commands: taskCommands(seen).map((command) => oneLine(command, MAX_COMMAND)),
    changedAt: task.updated_at,
    marks: marksOf(seen, shown, known),
    hidden: attempts.length - shown.length,
  };
}

function stateOf({ task, supervisor }: SeenTask): ShownState {
  return supervisor?.state === 'gone' ? GONE : (STATES[task.status] ?? { word: 'unknown', tone: 'unknown' });
}

/** Its intent is shown beside it. */
function reasonOf(seen: SeenTask): string | undefined {
  const { task } = seen;
  if (task.status === 'running') return seen.supervisor?.state === 'gone' ? taskDetail(seen) : undefined;
  return task.status === 'completed' ? task.result : (taskReason(task) ?? task.result);
}

/** Attempts, with what a person did between them: an act belongs before the first attempt that ended after it. */
function marksOf(seen: SeenTask, shown: readonly AttemptRecord[], { loops, acts }: Known): readonly TaskMark[] {
  const { task, attempts } = seen;
  const oldest = attempts.length > shown.length ? (shown[0]?.timestamp ?? '') : '';
  let left = (acts.get(task.task_id) ?? []).filter(({ at }) => at >= oldest);
  const marks = shown.flatMap((attempt, index) => {
    const before = left.filter(({ at }) => at < attempt.timestamp);
    left = left.filter((act) => !before.includes(act));
    const isLoop = loops.has(`${attempt.attemptNumber} ${task.task_id}`);
    return [...before, ...switchTo(attempt.provider, shown[index - 1]), attemptMark(attempt, isLoop)];
  });
  return [...marks, ...left, ...underway(seen)];
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
  const { review } = attempt.verdict ?? {};
  const details = [
    ...(isLoop ? ['the same failure again'] : []),
    ...(review?.verdict === undefined ? [] : [`${REVIEWED[review.verdict]} by ${oneLine(review.agent, MAX_NAME)}`]),
    ...(error === undefined ? [] : [error]),
  ];
  return {
    kind: 'attempt',
    number,
    agent: oneLine(provider, MAX_NAME),
    state: attemptState(attempt),
    durationMs,
    files: attempt.files_created.length + attempt.files_updated.length + attempt.files_deleted.length,
    ...usedShown(attempt),
    ...boxShown(attempt),
    ...(details.length === 0 ? {} : { detail: oneLine(details.join('; '), MAX_TEXT) }),
    hasHandover: preContext !== undefined && preContext !== '',
  };
}

function usedShown(attempt: AttemptRecord): { readonly used?: string } {
  const isKnown = usesOf(attempt).some(({ usage }) => usage !== undefined);
  return isKnown ? { used: usageText(usageOfAttempts([attempt])) } : {};
}

function boxShown({ box }: AttemptRecord): { readonly box?: ShownState } {
  if (box === undefined) return {};
  const why = box.why === undefined ? '' : `: ${oneLine(box.why, MAX_TEXT)}`;
  const refused = box.refused === undefined || box.refused.length === 0 ? '' : `, ${box.refused.length} refused`;
  if (box.level === 'none') return { box: { word: `no box${why}`, tone: 'waiting' } };
  return { box: { word: `in a box (${box.level})${why}${refused}`, tone: 'good' } };
}

const REVIEWED = { approve: 'approved', reject: 'rejected' } as const;

function attemptState({ status, verdict, exitReason, exitClass }: AttemptRecord): ShownState {
  if (status === 'completed' && exitReason === undefined) {
    return verdict?.outcome === 'needs-review'
      ? { word: 'needs review', tone: 'waiting' }
      : { word: verdict?.outcome ?? 'completed', tone: 'good' };
  }
  return { word: oneLine(exitClass ?? exitReason ?? verdict?.outcome ?? 'failed', MAX_NAME), tone: 'bad' };
}

/** The attempt that runs now, or whose supervisor died: its record is written when it is over. */
function underway({ task, attempts, supervisor }: SeenTask): readonly TaskMark[] {
  const { current, status } = task;
  const last = attempts.at(-1);
  if (current === undefined || status !== 'running' || current.attempt <= (last?.attemptNumber ?? 0)) return [];
  const { attempt: number, agent, startedAt } = current;
  const state = supervisor?.state === 'gone' ? GONE : STATES.running;
  return [...switchTo(agent, last), { kind: 'underway', number, agent: oneLine(agent, MAX_NAME), startedAt, state }];
}
