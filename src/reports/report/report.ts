// The report on a run: what a person wants to know in the morning, as a value, from the records and the journal. It needs no
// supervisor. sections.ts writes it in Markdown; `foreword report --json` prints it as it is.

import { type AttemptRecord, type BoxUse, usesOf } from '../../kernel/attempt.ts';
import type { BreakerRecord } from '../../kernel/breaker.ts';
import type { ForewordEvent } from '../../kernel/events.ts';
import type { RunRecord } from '../../kernel/run.ts';
import type { TaskStatus } from '../../kernel/task.ts';
import { addUsage, type UsageSum } from '../../kernel/usage.ts';
import { approvedBy, type ReviewTalk } from '../../kernel/verdict.ts';
import { isConflict, isRejected } from '../../runs/task-machine.ts';
import { type RunView, runLine, runViews } from '../run-view.ts';
import { hasNoChange, mergedAt, runCommand, type SeenTask, taskReason } from '../task-view.ts';
import { needsOf, type PersonNeed } from './needs.ts';
import { type Hour, timeLine } from './time-line.ts';
import { type Wait, waitsOf } from './waits.ts';
import { unionMs, type WorkTime, workTimes } from './work-times.ts';

export interface ReportFacts {
  readonly run: RunRecord;
  /** All runs, tasks and events of the store, oldest first. */
  readonly runs: readonly RunRecord[];
  readonly tasks: readonly SeenTask[];
  readonly events: readonly ForewordEvent[];
  readonly breakers: readonly BreakerRecord[];
  readonly now: number;
  /** The hour of the person's clock in which a time is: `2026-11-16 23:00`. */
  hourOf(iso: string): string;
}

export interface ReportOnRun {
  readonly run: Pick<RunRecord, 'id' | 'taskFile' | 'state' | 'startedAt' | 'merged'> & {
    readonly branch: string;
    /** One sentence: where it began, and how many commits it has. */
    readonly line: string;
    readonly commits: number;
  };
  readonly statuses: Readonly<Partial<Record<TaskStatus, number>>>;
  readonly work: readonly WorkTime[];
  readonly workedMs: number;
  readonly needs: readonly PersonNeed[];
  /** Agents that get no work before a person did something. */
  readonly agentsAway: readonly { readonly agent: string; readonly reason: string }[];
  readonly done: readonly DoneTask[];
  readonly failed: readonly FailedTask[];
  readonly running: readonly RunningTask[];
  /** Tasks with more than one attempt. */
  readonly retried: readonly RetriedTask[];
  readonly switches: readonly Switch[];
  /** Agents that got no work for a time, also those that only reviewed or verified. */
  readonly limits: readonly Limit[];
  readonly waits: readonly Wait[];
  readonly reviews: readonly ReviewOf[];
  readonly usage: UsageSum;
  readonly usageByAgent: readonly { readonly agent: string; readonly usage: UsageSum }[];
  readonly boxes: readonly BoxedAttempts[];
  readonly refused: readonly { readonly task: string; readonly attempt: number; readonly what: string }[];
  readonly hours: readonly Hour[];
  /** What to do next with the run as a whole. */
  readonly commands: readonly string[];
}

interface DoneTask {
  readonly task: string;
  readonly intent: string;
  readonly commit?: string;
  readonly merged?: string;
  readonly attempts: number;
  /** Who did it. */
  readonly agent?: string;
  readonly reviewer?: string;
  readonly by?: 'checks' | 'person';
  /** It passed, and no attempt changed a file. */
  readonly isUnchanged?: true;
}

interface FailedTask {
  readonly task: string;
  readonly intent: string;
  readonly attempts: number;
  readonly agents: readonly string[];
  readonly error: string;
  /** The last line of the last attempt's error output. */
  readonly stderr?: string;
  readonly log?: string;
}

interface RunningTask {
  readonly task: string;
  readonly agent?: string;
  readonly attempt?: number;
  /** ISO time. */
  readonly since: string;
  readonly isGone: boolean;
}

interface RetriedTask {
  readonly task: string;
  readonly attempts: readonly { readonly attempt: number; readonly agent: string; readonly outcome: string }[];
}

interface Switch {
  readonly at: string;
  readonly task: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

/** `until`: when it was expected back. */
interface Limit {
  readonly at: string;
  readonly agent: string;
  readonly reason: string;
  readonly until: string;
}

interface ReviewOf extends Pick<ReviewTalk, 'agent' | 'verdict' | 'findings'> {
  readonly task: string;
  readonly attempt: number;
}

interface BoxedAttempts extends Pick<BoxUse, 'level' | 'why'> {
  readonly attempts: number;
  readonly agents: readonly string[];
}

export function reportOf(facts: ReportFacts): ReportOnRun {
  const { run, now } = facts;
  const tasks = tasksOf(facts);
  const attempts = tasks.flatMap(({ task, attempts: all }) => all.map((attempt) => ({ task: task.task_id, attempt })));
  const events = eventsOf(facts, tasks);
  const isAlive = tasks.some(({ task, supervisor }) => task.status === 'running' && supervisor?.state !== 'gone');
  const work = workTimes(events, { run: run.id, isAlive, now: new Date(now).toISOString() });
  const view = viewOf(facts);
  const uses = attempts.flatMap(({ attempt }) => usesOf(attempt));
  const agents = [...new Set(uses.map(({ agent }) => agent))];
  const records = attempts.map(({ attempt }) => attempt);
  return {
    run: {
      id: run.id,
      taskFile: run.taskFile,
      state: run.state,
      startedAt: run.startedAt,
      ...(run.merged === undefined ? {} : { merged: run.merged }),
      branch: view.branch,
      line: runLine(view),
      commits: view.commits,
    },
    statuses: count(tasks.map(({ task }) => task.status)),
    work,
    workedMs: unionMs(work),
    needs: needsOf(tasks),
    agentsAway: facts.breakers.flatMap((breaker) =>
      breaker.state !== 'closed' && NEEDS_PERSON.includes(breaker.reason)
        ? [{ agent: breaker.agent, reason: breaker.reason }]
        : [],
    ),
    done: tasks.filter(({ task }) => task.status === 'completed').map(doneTask),
    failed: tasks.filter(({ task }) => task.status === 'failed').map(failedTask),
    running: tasks.filter(({ task }) => task.status === 'running').map(runningTask),
    retried: tasks.filter((seen) => seen.attempts.length > 1).map(retriedTask),
    switches: events.flatMap((event) => {
      if (event.kind !== 'agent-switched') return [];
      const { at, task, from, to, reason } = event;
      return [{ at, task, from, to, reason }];
    }),
    limits: events.flatMap((event) => {
      if (event.kind !== 'breaker-opened') return [];
      const { at, agent, reason, until } = event;
      return [{ at, agent, reason, until }];
    }),
    waits: waitsOf(events, work),
    reviews: attempts.flatMap(({ task, attempt: { attemptNumber: attempt, verdict } }) => {
      if (verdict?.review === undefined) return [];
      const { agent, verdict: given, findings } = verdict.review;
      return [{ task, attempt, agent, ...(given === undefined ? {} : { verdict: given }), findings }];
    }),
    usage: addUsage(uses.map(({ usage }) => usage)),
    usageByAgent: agents.map((agent) => ({
      agent,
      usage: addUsage(uses.filter((use) => use.agent === agent).map(({ usage }) => usage)),
    })),
    boxes: boxesOf(records),
    refused: attempts.flatMap(({ task, attempt: { attemptNumber: attempt, box } }) =>
      (box?.refused ?? []).map((what) => ({ task, attempt, what })),
    ),
    hours: timeLine(events, facts.hourOf),
    commands: [...view.commands, ...(isAlive || !canGoOn(tasks) ? [] : [runCommand(seenRun(facts))])],
  };
}

/** A login or an installation is missing: no time makes that better. */
const NEEDS_PERSON = ['auth', 'setup'];

/** Tasks that nobody has begun name no run: those belong to the newest one. Attempts of earlier runs do not count. */
function tasksOf({ run, runs, tasks }: ReportFacts): readonly SeenTask[] {
  const isNewest = runs.every(({ startedAt }) => startedAt <= run.startedAt);
  return tasks
    .filter(({ task }) => task.run === run.id || (task.run === undefined && isNewest && UNBEGUN.includes(task.status)))
    .map((seen) => ({ ...seen, attempts: seen.attempts.filter((attempt) => isOf(attempt, run)) }));
}

/** Attempts of older versions name no run. */
function isOf({ run: of, timestamp }: AttemptRecord, { id, startedAt }: RunRecord): boolean {
  return of === undefined ? timestamp >= startedAt : of === id;
}

const UNBEGUN: readonly TaskStatus[] = ['queued', 'running', 'blocked'];

/** Those of its tasks since it began, and those of the calls that worked on it. */
function eventsOf({ run, events }: ReportFacts, tasks: readonly SeenTask[]): readonly ForewordEvent[] {
  const ids = new Set(tasks.map(({ task }) => task.task_id));
  let isOpen = false;
  return events.filter((event) => {
    if (event.at < run.startedAt) return false;
    if (event.kind === 'run-opened') isOpen = event.run === run.id;
    if ('task' in event && event.task !== undefined) return ids.has(event.task);
    const isShown = isOpen;
    if (event.kind === 'run-finished') isOpen = false;
    return isShown;
  });
}

function viewOf({ run, runs, tasks }: ReportFacts): RunView {
  const views = runViews(
    runs,
    tasks.map(({ task }) => task),
  );
  return views.find(({ id }) => id === run.id) as RunView;
}

/** With the path of its task file as the person would write it. */
function seenRun({ run, tasks }: ReportFacts): RunRecord {
  return tasks.find((seen) => seen.run?.id === run.id)?.run ?? run;
}

function canGoOn(tasks: readonly SeenTask[]): boolean {
  return tasks.some(({ task: { status } }) => status === 'queued' || status === 'running' || status === 'blocked');
}

function count(all: readonly TaskStatus[]): ReportOnRun['statuses'] {
  const counts: Partial<Record<TaskStatus, number>> = {};
  for (const status of all) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function doneTask(seen: SeenTask): DoneTask {
  const { task, attempts } = seen;
  const last = attempts.at(-1);
  const [reviewer, merged] = [approvedBy(last?.verdict), mergedAt(seen)];
  return {
    task: task.task_id,
    intent: task.intent,
    ...(task.commit === undefined ? {} : { commit: task.commit }),
    ...(merged === undefined ? {} : { merged }),
    attempts: attempts.length,
    ...(last === undefined ? {} : { agent: last.provider }),
    ...(reviewer === undefined ? {} : { reviewer }),
    ...(task.by === undefined ? {} : { by: task.by }),
    ...(hasNoChange(seen) ? { isUnchanged: true } : {}),
  };
}

function failedTask({ task, attempts }: SeenTask): FailedTask {
  const last = attempts.at(-1);
  // The end of a printed object says nothing.
  const stderr = last?.stderr?.split('\n').findLast((line) => /[\p{L}\p{N}]{2}/u.test(line));
  return {
    task: task.task_id,
    intent: task.intent,
    attempts: attempts.length,
    agents: [...new Set(attempts.map(({ provider }) => provider))],
    error: last?.validationErrors[0] ?? last?.exitMessage ?? taskReason(task) ?? 'no reason recorded',
    ...(stderr === undefined ? {} : { stderr: stderr.trim() }),
    ...(last?.log === undefined ? {} : { log: last.log }),
  };
}

function runningTask({ task, supervisor }: SeenTask): RunningTask {
  const { current } = task;
  return {
    task: task.task_id,
    ...(current === undefined ? {} : { agent: current.agent, attempt: current.attempt }),
    since: current?.startedAt ?? task.updated_at,
    isGone: supervisor?.state === 'gone',
  };
}

function retriedTask({ task, attempts }: SeenTask): RetriedTask {
  return {
    task: task.task_id,
    attempts: attempts.map((attempt) => ({
      attempt: attempt.attemptNumber,
      agent: attempt.provider,
      outcome: outcomeOf(attempt),
    })),
  };
}

/** Work whose checks passed and that was not taken all the same did not fail them. */
function outcomeOf(attempt: AttemptRecord): string {
  if (isConflict(attempt)) return 'conflict';
  if (isRejected(attempt)) return 'rejected';
  return attempt.exitClass ?? attempt.exitReason ?? attempt.verdict?.outcome ?? attempt.status;
}

/** By level and reason. Attempts of older versions have none. */
function boxesOf(attempts: readonly AttemptRecord[]): readonly BoxedAttempts[] {
  const groups = new Map<string, { readonly box: BoxUse; readonly agents: string[] }>();
  for (const { box, provider } of attempts) {
    if (box === undefined) continue;
    const key = `${box.level} ${box.why ?? ''}`;
    const group = groups.get(key) ?? { box, agents: [] };
    group.agents.push(provider);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ box: { level, why }, agents }) => ({
    level,
    ...(why === undefined ? {} : { why }),
    attempts: agents.length,
    agents: [...new Set(agents)],
  }));
}
