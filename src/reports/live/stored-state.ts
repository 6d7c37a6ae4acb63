// The state of the live view from the records of a store: for who watches a run from another terminal.

import { type AttemptRecord, usesOf } from '../../kernel/attempt.ts';
import type { BreakerRecord } from '../../kernel/breaker.ts';
import type { RunRecord } from '../../kernel/run.ts';
import type { CurrentAttempt, TaskRecord, TaskStatus } from '../../kernel/task.ts';
import type { Supervisor } from '../task-view.ts';
import type { LiveState, LiveTask, LiveWork } from './live-state.ts';

export interface StoredFacts {
  readonly title: string;
  readonly tasks: readonly TaskRecord[];
  readonly runs: readonly RunRecord[];
  readonly breakers: readonly BreakerRecord[];
  /** Of running tasks. */
  readonly supervisors: ReadonlyMap<string, Supervisor>;
  /** What running tasks wait for; times in the past do not count. */
  readonly waiting: ReadonlyMap<string, { readonly reason: string; readonly until: number; readonly since: number }>;
  /** The last lines of agents that work now. */
  readonly lines: ReadonlyMap<string, string>;
  /** All attempts at the tasks. */
  readonly attempts?: ReadonlyMap<string, readonly AttemptRecord[]>;
}

/** The tasks of the runs that somebody works on; without any, those of the newest run. */
export function storedLive(facts: StoredFacts, now: number): LiveState {
  const shown = shownRuns(facts);
  const tasks = facts.tasks.filter(({ run, status }) =>
    // A task that nobody has begun names no run.
    run === undefined ? UNBEGUN.includes(status) : status === 'running' || shown.has(run),
  );
  const newest = facts.runs.filter(({ id }) => shown.has(id)).at(-1);
  const attempts = tasks
    .flatMap(({ task_id }) => facts.attempts?.get(task_id) ?? [])
    .filter(({ run }) => run !== undefined && shown.has(run));
  return {
    title: facts.title,
    ...(attempts.length === 0 ? {} : { uses: attempts.flatMap(usesOf).map(({ usage }) => usage) }),
    startedAt: newest === undefined ? now : Date.parse(newest.startedAt),
    ...(newest === undefined ? {} : { branch: `foreword/${newest.id}` }),
    tasks: new Map(tasks.map((task) => [task.task_id, liveTask(task, facts, now)])),
    resets: new Map(
      facts.breakers.flatMap((breaker) => {
        if (breaker.state !== 'open') return [];
        const until = Date.parse(breaker.until);
        return until > now ? [[breaker.agent, { until, reason: breaker.reason }] as const] : [];
      }),
    ),
  };
}

const UNBEGUN: readonly TaskStatus[] = ['queued', 'running', 'blocked'];

function shownRuns({ tasks, runs }: StoredFacts): ReadonlySet<string> {
  const busy = tasks.flatMap(({ status, run }) => (status === 'running' && run !== undefined ? [run] : []));
  const newest = runs.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt)).at(-1);
  return new Set(busy.length > 0 || newest === undefined ? busy : [newest.id]);
}

function liveTask(task: TaskRecord, facts: StoredFacts, now: number): LiveTask {
  const { task_id, status, updated_at, current } = task;
  if (status !== 'running') return { status, since: Date.parse(updated_at) };
  const supervisor = facts.supervisors.get(task_id);
  const waits = facts.waiting.get(task_id);
  const isWaiting = current === undefined && waits !== undefined && waits.until > now;
  const since = isWaiting ? waits.since : Date.parse(current?.startedAt ?? updated_at);
  const line = facts.lines.get(task_id);
  const work: LiveWork = isWaiting
    ? { phase: 'waiting', waitsFor: waits.reason, until: waits.until }
    : current === undefined
      ? { phase: 'preparing' }
      : { ...phaseOf(current, line), agent: current.agent, attempt: current.attempt };
  return { status, since, now: work, ...(supervisor?.state === 'gone' ? { goneSupervisor: supervisor.pid } : {}) };
}

/** Which check runs, and who reviews, is not stored. */
function phaseOf({ ended, verdict }: CurrentAttempt, line: string | undefined): LiveWork {
  if (ended === undefined) return { phase: 'working', ...(line === undefined ? {} : { line }) };
  const passed = verdict?.outcome === 'passed' ? { line: 'checks passed' } : {};
  return { phase: 'checking', phaseSince: Date.parse(ended.at), ...passed };
}
