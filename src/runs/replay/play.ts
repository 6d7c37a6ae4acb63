// One stored attempt, played again: the same prompt to the same agent at the same state of the work, with its hand-over or without,
// judged as in a run. It always begins a new session, and its work is thrown away.

import type { NewEvent } from '../../kernel/events.ts';
import type { Task, TaskRecord } from '../../kernel/task.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { type Verdict, validationErrors } from '../../kernel/verdict.ts';
import { type FindingRun, findAgent } from '../attempts/find-agent.ts';
import { roomFor } from '../attempts/room.ts';
import { type EndedAgent, runAgent } from '../attempts/run-agent.ts';
import { watchAgent } from '../attempts/watch-output.ts';
import { reportToBreaker } from '../breakers.ts';
import { withBudget } from '../budget/budget.ts';
import { judge } from '../judging/judge.ts';
import { makeTaskFolder } from '../task-folder.ts';
import { inDirectory, type ReplayCase } from './cases.ts';
import type { ReplayPlace } from './places.ts';

export interface Play {
  readonly one: ReplayCase;
  readonly place: ReplayPlace;
  /** Of the task, for what its checks found before its first attempt. */
  readonly record: TaskRecord;
  readonly hadHandover: boolean;
  /** The same for both of a pair. */
  readonly pair: string;
  /** Counts all that are played in this call. */
  readonly number: number;
}

export type Replayed = Extract<NewEvent, { kind: 'attempt-replayed' }>;

/** Nothing can be played now; `why` is a sentence without its end. */
export interface NotPlayed {
  readonly kind: 'stopped';
  readonly why?: string;
}

type PlayingRun = Omit<FindingRun, 'task' | 'claim'>;

export async function play(run: PlayingRun, given: Play): Promise<Replayed | NotPlayed> {
  const { one, place, record, number } = given;
  const { workplace } = place;
  const { ports, settings, signal, budget } = run;
  const task = playedTask(record.task as Task);
  const claim = { taskId: task.task_id, owner: settings.owner, token: number };
  const playing = { ...run, task, claim, workplace };
  const found = await findAgent(playing, { among: [one.agent] });
  if (found.kind === 'none') return { kind: 'stopped', why: `${one.agent} is not available: ${found.reason}` };
  if (found.kind !== 'use') return { kind: 'stopped' };
  await place.reset();
  const before = await workplace.observer.snapshot();
  const room = await roomFor(ports, found.agent, workplace);
  const prompt = (given.hadHandover ? one.handover : '') + inDirectory(one.original, room.cwd);
  const arm = given.hadHandover ? 'with' : 'without';
  budget?.begin(task.task_id, number);
  const ran = await runAgent(
    ports,
    {
      agent: found.agent,
      prompt,
      cwd: workplace.cwd,
      room,
      timeoutMs: task.timeout_s * 1000,
      hangMs: settings.hangMs,
      root: settings.root,
      folder: makeTaskFolder(settings.places, task.task_id),
      name: `attempt-${one.attempt}-${number}-${arm}`,
      attempt: `${task.task_id}#${number}`,
      watch: watchAgent(ports, { task: one.task, phase: 'working', agent: found.agent, isBoxed: room.isBoxed }),
      metering: {
        onUsage: (usage) => budget?.stream(task.task_id, number, { by: 'agent', usage }) === true,
      },
    },
    withBudget(signal, budget),
  );
  const after = await workplace.observer.snapshot();
  await report(run, one.agent, ran);
  const judged = await judgeWork();
  const verdict = judged !== undefined && 'outcome' in judged ? judged : undefined;
  const { usage } = ran;
  const spent = judged === undefined ? undefined : 'cutOff' in judged ? judged.cutOff : judged.spent;
  budget?.end(task.task_id, endedRecord(one.agent, { number, usage, spent }));
  if (signal.aborted) return { kind: 'stopped' };
  const tokens = given.hadHandover ? estimateTokens(one.handover) : 0;
  return {
    kind: 'attempt-replayed',
    task: one.task,
    attempt: one.attempt,
    agent: one.agent,
    occasion: one.occasion,
    pair: given.pair,
    hadHandover: given.hadHandover,
    ...outcomeOf(ran, verdict),
    handoverTokens: tokens,
    durationMs: ran.end.durationMs,
    ...(usage === undefined ? {} : { usage }),
    ...(spent === undefined || spent.length === 0 ? {} : { spent }),
  };

  async function judgeWork() {
    const { result } = ran;
    if (result.kind === 'failed' || ran.end.endedBy !== undefined || signal.aborted) return undefined;
    const { observer } = workplace;
    return judge(playing, {
      attempt: number,
      agent: one.agent,
      attempts: one.earlier,
      answer: result.answer,
      after,
      changes: await observer.changes(before, after),
      allChanges: await observer.changes(place.origin, after),
      baseline: record.baseline ?? [],
    });
  }
}

/** Logs, keys and helpers of it are never those of the task. */
function playedTask(task: Task): Task {
  return { ...task, task_id: `${task.task_id} replay` };
}

/** What follows about the work is what follows from an attempt of a run (reports/ended-attempts.ts). */
function outcomeOf({ end, result }: EndedAgent, verdict: Verdict | undefined): Pick<Replayed, 'outcome' | 'reason'> {
  if (end.endedBy === 'cap' || end.endedBy === 'caller') return { outcome: 'undecided', reason: 'ended by a cap' };
  if (result.kind === 'failed') {
    const outcome = REFUSALS.includes(result.class) ? 'undecided' : 'failed';
    return { outcome, reason: result.message };
  }
  if (verdict === undefined) return { outcome: 'undecided', reason: 'nobody judged it' };
  if (verdict.outcome === 'passed') return { outcome: 'succeeded' };
  const [reason = 'no check decided it'] = validationErrors(verdict);
  return { outcome: verdict.outcome === 'failed' ? 'failed' : 'undecided', reason };
}

/** The agent itself did not work: nothing follows about the hand-over. */
const REFUSALS: readonly string[] = ['quota', 'rate_limit', 'overload', 'auth', 'setup'];

async function report({ ports, settings }: PlayingRun, agent: string, { end, result }: EndedAgent): Promise<void> {
  if (end.endedBy !== undefined && end.endedBy !== 'hang') return;
  const event =
    result.kind === 'answered'
      ? ({ kind: 'succeeded' } as const)
      : ({
          kind: 'failed',
          class: result.class,
          ...(result.resetAt === undefined ? {} : { resetAt: result.resetAt }),
        } as const);
  await reportToBreaker(ports, settings.breaker, { agent, event });
}

/** As the budget counts it; stored nowhere. */
function endedRecord(
  agent: string,
  {
    number,
    usage,
    spent,
  }: {
    readonly number: number;
    readonly usage: Replayed['usage'] | undefined;
    readonly spent: Replayed['spent'] | undefined;
  },
) {
  return {
    attemptNumber: number,
    provider: agent,
    timestamp: '',
    files_created: [],
    files_updated: [],
    files_deleted: [],
    status: 'failed' as const,
    validationErrors: [],
    durationMs: 0,
    ...(usage === undefined ? {} : { usage }),
    ...(spent === undefined ? {} : { verdict: { outcome: 'failed' as const, results: [], spent } }),
  };
}
