// What somebody who watches a run sees, as a value: each task with what goes on in it, the agents that are not available, and the
// budget. `foreword run` advances it by events, `status --watch` fills it from the store. live-frame.ts draws it.

import type { Activity, ActivityPhase } from '../../kernel/activity.ts';
import type { BoxUse } from '../../kernel/attempt.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { TaskStatus } from '../../kernel/task.ts';
import type { Usage } from '../../kernel/usage.ts';
import type { Caps } from '../../runs/budget/caps.ts';

export interface LiveTask {
  readonly status: TaskStatus;
  /** Milliseconds since 1970: the start of the attempt, of the waiting, or of the last change. */
  readonly since: number;
  /** Set while it is running. */
  readonly now?: LiveWork;
  /** Its supervisor is known to be dead; the number of that process. */
  readonly goneSupervisor?: number;
}

export interface LiveWork {
  readonly phase: ActivityPhase | 'preparing' | 'waiting';
  /** Since when it is in this phase, when that is not since the attempt began. */
  readonly phaseSince?: number;
  /** Whose attempt it is. */
  readonly agent?: string;
  /** Another agent that checks or reviews it now. */
  readonly by?: string;
  readonly attempt?: number;
  readonly box?: BoxUse['level'];
  /** What it waits for, and until when. */
  readonly waitsFor?: string;
  readonly until?: number;
  /** The last line of the agent, or the criterion that is checked. */
  readonly line?: string;
}

export interface LiveState {
  readonly startedAt: number;
  /** `foreword run`, or what else is watched. */
  readonly title: string;
  readonly branch?: string;
  /** In the order of the file. */
  readonly tasks: ReadonlyMap<string, LiveTask>;
  /** Agents that get no work, by name. */
  readonly resets: ReadonlyMap<string, { readonly until: number; readonly reason: string }>;
  /** What agents named of their use, one for each time one worked, and how many attempts ended. */
  readonly uses?: readonly (Usage | undefined)[];
  readonly attempts?: number;
  readonly caps?: Caps;
  /** Somebody asked the run to stop. */
  readonly isStopping?: boolean;
}

export function firstState(tasks: readonly string[], at: { readonly now: number; readonly title: string }): LiveState {
  const queued: LiveTask = { status: 'queued', since: at.now };
  return {
    startedAt: at.now,
    title: at.title,
    tasks: new Map(tasks.map((id) => [id, queued])),
    resets: new Map(),
  };
}

/** Returns the same state for events that change nothing in it. Tasks of other task files are not in it. */
export function advanceLive(state: LiveState, event: NewEvent, now: number): LiveState {
  switch (event.kind) {
    case 'run-opened':
      return { ...state, branch: event.branch };
    case 'breaker-opened':
      return withReset(state, event.agent, { until: Date.parse(event.until), reason: event.reason });
    case 'breaker-closed':
      return withReset(state, event.agent, undefined);
    case 'task-claimed':
      return withTask(state, event.task, () => ({ status: 'running', since: now, now: { phase: 'preparing' } }));
    case 'attempt-started': {
      const { agent, attempt } = event;
      return withTask(state, event.task, () => ({
        status: 'running',
        since: now,
        now: { phase: 'working', agent, attempt },
      }));
    }
    case 'run-waiting': {
      const { reason, until } = event;
      return withTask(state, event.task ?? '', ({ now: { attempt } = { phase: 'waiting' } }) => ({
        status: 'running',
        since: now,
        now: {
          phase: 'waiting',
          waitsFor: reason,
          until: Date.parse(until),
          ...(attempt === undefined ? {} : { attempt }),
        },
      }));
    }
    case 'attempt-finished': {
      const { usage, spent = [] } = event;
      const uses = [...(state.uses ?? []), usage, ...spent.map((each) => each.usage)];
      return { ...state, uses, attempts: (state.attempts ?? 0) + 1 };
    }
    case 'task-finished':
      return withTask(state, event.task, () => ({ status: event.status, since: now }));
    default:
      return state;
  }
}

/** Somebody began to work, check or review; ignored for a task that is not running. */
export function withActivity(state: LiveState, activity: Omit<Activity, 'lastLine'>, now: number): LiveState {
  const { task: id, phase, agent, box } = activity;
  return withTask(state, id, (task) => {
    if (task.now === undefined) return task;
    const { line: _, by: __, phaseSince, ...work } = task.now;
    const isSame = work.phase === phase;
    const who = agent === undefined ? {} : phase === 'working' ? { agent } : { by: agent };
    const since = phase === 'working' ? {} : { phaseSince: isSame && phaseSince !== undefined ? phaseSince : now };
    return { ...task, now: { ...work, phase, ...since, ...who, ...(box === undefined ? {} : { box }) } };
  });
}

/** What goes on in an attempt now; ignored for a task that is not running. */
export function withWork(state: LiveState, id: string, work: Partial<LiveWork>): LiveState {
  return withTask(state, id, (task) => (task.now === undefined ? task : { ...task, now: { ...task.now, ...work } }));
}

/** Tasks that were finished before this run, as the store has them. What has begun meanwhile stays as it is. */
export function withFinished(state: LiveState, finished: ReadonlyMap<string, TaskStatus>): LiveState {
  const tasks = new Map(
    [...state.tasks].map(([id, task]) => {
      const status = finished.get(id);
      return [id, task.status === 'queued' && status !== undefined ? { ...task, status } : task];
    }),
  );
  return { ...state, tasks };
}

/** What earlier attempts of the same run used. */
export function withUsed(state: LiveState, uses: readonly (Usage | undefined)[], attempts: number): LiveState {
  return { ...state, uses: [...uses, ...(state.uses ?? [])], attempts: attempts + (state.attempts ?? 0) };
}

export interface LiveCounts {
  readonly done: number;
  readonly failed: number;
  readonly needsYou: number;
  readonly blocked: number;
  readonly queued: number;
  readonly waiting: number;
  readonly working: number;
}

export function countTasks({ tasks }: LiveState): LiveCounts {
  const counts = { done: 0, failed: 0, needsYou: 0, blocked: 0, queued: 0, waiting: 0, working: 0 };
  for (const task of tasks.values()) counts[countOf(task)] += 1;
  return counts;
}

function countOf({ status, now }: LiveTask): keyof LiveCounts {
  switch (status) {
    case 'completed':
      return 'done';
    case 'needs-review':
      return 'needsYou';
    case 'running':
      return now?.phase === 'waiting' ? 'waiting' : 'working';
    case 'failed':
    case 'blocked':
    case 'queued':
      return status;
  }
}

function withTask(state: LiveState, id: string, change: (task: LiveTask) => LiveTask): LiveState {
  const task = state.tasks.get(id);
  if (task === undefined) return state;
  return { ...state, tasks: new Map(state.tasks).set(id, change(task)) };
}

function withReset(
  state: LiveState,
  agent: string,
  reset: { readonly until: number; readonly reason: string } | undefined,
): LiveState {
  const resets = new Map(state.resets);
  if (reset === undefined) resets.delete(agent);
  else resets.set(agent, reset);
  return { ...state, resets };
}
