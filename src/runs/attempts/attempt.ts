// One attempt: an agent is given the prompt, what it did is observed and checked, and the record stored. What must not be
// lost is written before the next thing is done: the attempt before the agent starts, its end before it is looked at.

import type { Agent } from '../../kernel/agent.ts';
import type { AttemptRecord, ExitReason } from '../../kernel/attempt.ts';
import type { Claim, CurrentAttempt, EndedRun, Task, TaskRecord } from '../../kernel/task.ts';
import { type Verdict, validationErrors } from '../../kernel/verdict.ts';
import { tellBreaker } from '../breakers.ts';
import { type Changes, NO_CHANGES, type Snapshot } from '../changes.ts';
import type { Hands, RunPrompt, RunSettings } from '../ports.ts';
import type { Workplace } from '../workplaces/workplace.ts';

/** Everything one task's work needs, and the record as it stands in the store. */
export interface Bench {
  readonly hands: Hands;
  readonly settings: RunSettings;
  readonly task: Task;
  readonly claim: Claim;
  readonly workplace: Workplace;
  readonly signal: AbortSignal;
  record: TaskRecord;
  /** The agent whose one trial call this task makes now. */
  trial?: string | undefined;
}

/** Answers after the attempt's record is stored. */
export async function makeAttempt(
  bench: Bench,
  by: { readonly agent: Agent; readonly attempts: readonly AttemptRecord[]; readonly attempt: number },
): Promise<void> {
  const { hands, settings, task, workplace, signal } = bench;
  const { agent, attempts, attempt } = by;
  const before = await startingPoint(bench);
  const prompt = await hands.composePrompt({ task, agent: agent.name, attempts, attempt, cwd: workplace.cwd });
  const isHeldOut = prompt.handover.type !== 'none' && hands.random() < settings.holdout;
  const handover = isHeldOut ? '' : prompt.handover.text;
  const text = handover + prompt.original;
  const current: CurrentAttempt = {
    attempt,
    agent: agent.name,
    startedAt: iso(hands),
    before,
    promptHash: prompt.hash(text),
    ...(handover === '' ? {} : { preContext: handover }),
  };
  await write(bench, { current });
  await hands.emit({ kind: 'prompt-composed', task: task.task_id, attempt, original: prompt.original, handover });
  await announce(bench, { agent: agent.name, attempts, attempt, prompt, isHeldOut });
  const end = await hands.runAgent(
    agent,
    { prompt: text, cwd: workplace.cwd, timeoutMs: task.timeout_s * 1000, task: task.task_id, attempt },
    signal,
  );
  const ended: EndedRun = {
    at: iso(hands),
    durationMs: end.durationMs,
    after: await workplace.observer.snapshot(),
    result: bounded(hands.classify(agent, end)),
    ...(end.endedBy === undefined ? {} : { endedBy: end.endedBy }),
  };
  await write(bench, { current: { ...current, ended } });
  await finishAttempt(bench, { ...current, ended });
}

/** The work tree as the agent finds it. Looking at it is what costs most, so it is looked at once where nothing can
 *  have changed: after the last attempt, or before a baseline that starts no program. */
async function startingPoint(bench: Bench): Promise<Snapshot> {
  const { hands, task, workplace, signal, record } = bench;
  if (record.baseline !== undefined && record.origin !== undefined) {
    return record.current?.ended?.after ?? workplace.observer.snapshot();
  }
  const origin = await workplace.observer.snapshot();
  await write(bench, { origin, baseline: await hands.takeBaseline(task, workplace, signal) });
  const startsPrograms = task.acceptance_criteria.some(({ check }) => check !== undefined && 'command' in check);
  return startsPrograms ? workplace.observer.snapshot() : origin;
}

/** From the stored end of the run to the stored record: also what a supervisor does that takes over here. */
export async function finishAttempt(bench: Bench, current: CurrentAttempt): Promise<void> {
  const { hands, settings, task, workplace, signal } = bench;
  const { ended } = current;
  if (ended === undefined || ended.endedBy === 'caller') return recordInterrupted(bench, current);
  const changes = await workplace.observer.changes(current.before, ended.after);
  const { origin = current.before } = bench.record;
  const allChanges = origin === current.before ? changes : await workplace.observer.changes(origin, ended.after);
  const attempts = await hands.stores.attempts.open(task.task_id);
  if (ended.result.kind === 'failed') {
    const { class: exitClass } = ended.result;
    // The task took too long: that says nothing about whether the agent works.
    if (ended.endedBy !== 'timeout') await tellFailure(bench, current.agent, ended.result);
    const exitReason: ExitReason =
      ended.endedBy === 'timeout' ? 'timeout' : isRefusal(exitClass) ? 'circuit_breaker' : 'execution_error';
    return store(bench, current, { changes, exitReason, exitClass });
  }
  await tellBreaker(hands, settings, { agent: current.agent, event: { kind: 'succeeded' } });
  const verdict = await hands.judge(
    {
      task,
      attempt: current.attempt,
      agent: current.agent,
      attempts,
      answer: ended.result.answer,
      changes,
      allChanges,
      baseline: bench.record.baseline ?? [],
      workplace,
    },
    signal,
  );
  // Checks that were cut off decide nothing; whoever goes on checks again.
  if (signal.aborted) return;
  const count = (outcome: string) => verdict.results.filter((result) => result.outcome === outcome).length;
  await hands.emit({
    kind: 'validation-finished',
    task: task.task_id,
    attempt: current.attempt,
    outcome: verdict.outcome,
    failed: count('failed'),
    notRun: count('not-run'),
  });
  await store(bench, current, {
    changes,
    verdict,
    ...(verdict.outcome === 'failed' ? { exitReason: 'validation_failure' } : {}),
  });
}

/** An attempt whose supervisor died, or that was stopped: recorded with what it did to the files until then. */
export async function recordInterrupted(bench: Bench, current: CurrentAttempt): Promise<void> {
  const { observer } = bench.workplace;
  const after = current.ended?.after ?? (await observer.snapshot());
  const changes = await observer.changes(current.before, after).catch(() => NO_CHANGES);
  await store(bench, current, { changes, exitReason: 'interrupted' });
}

interface Outcome {
  readonly changes: Changes;
  readonly verdict?: Verdict;
  readonly exitReason?: ExitReason;
  readonly exitClass?: string;
}

async function store(bench: Bench, current: CurrentAttempt, outcome: Outcome): Promise<void> {
  const { hands, task, claim } = bench;
  const { changes, verdict, exitReason, exitClass } = outcome;
  const record: AttemptRecord = {
    attemptNumber: current.attempt,
    provider: current.agent,
    timestamp: current.ended?.at ?? iso(hands),
    files_created: changes.created,
    files_updated: changes.updated,
    files_deleted: changes.deleted,
    status: verdict !== undefined && verdict.outcome !== 'failed' ? 'completed' : 'failed',
    validationErrors: verdict === undefined ? [] : validationErrors(verdict),
    durationMs: current.ended?.durationMs ?? Math.max(0, hands.clock.now() - Date.parse(current.startedAt)),
    promptHash: current.promptHash,
    ...(exitReason === undefined ? {} : { exitReason }),
    ...(exitClass === undefined ? {} : { exitClass }),
    ...(current.preContext === undefined ? {} : { preContext: current.preContext }),
    ...(verdict === undefined ? {} : { verdict }),
  };
  await hands.stores.attempts.append(task.task_id, record, claim);
  await hands.emit({
    kind: 'attempt-finished',
    task: task.task_id,
    attempt: current.attempt,
    agent: current.agent,
    status: record.status,
    durationMs: record.durationMs,
    filesChanged: changes.created.length + changes.updated.length + changes.deleted.length,
    ...(exitReason === undefined ? {} : { exitReason }),
    ...(exitClass === undefined ? {} : { exitClass }),
  });
}

interface Announced {
  readonly agent: string;
  readonly attempts: readonly AttemptRecord[];
  readonly attempt: number;
  readonly prompt: RunPrompt;
  readonly isHeldOut: boolean;
}

async function announce(bench: Bench, told: Announced): Promise<void> {
  const { hands, task } = bench;
  const { agent, attempt, prompt, isHeldOut } = told;
  const last = told.attempts.at(-1);
  const type = isHeldOut ? 'none' : prompt.handover.type;
  const tokens = type === 'none' ? 0 : prompt.handoverTokens;
  const common = { task: task.task_id, attempt } as const;
  for (const { attempt: incomplete, missing } of prompt.handover.warnings) {
    await hands.emit({ kind: 'attempt-incomplete', task: task.task_id, attempt: incomplete, missing });
  }
  await hands.emit({
    kind: 'attempt-started',
    ...common,
    agent,
    occasion: last === undefined ? 'first' : last.provider === agent ? 'retry' : 'switch',
    handover: type,
    handoverTokens: tokens,
    buildMs: prompt.buildMs,
    isHeldOut,
  });
  if (type !== 'none') {
    await hands.emit({ kind: 'context-injected', type, task: task.task_id, tokens, buildMs: prompt.buildMs });
  }
}

async function tellFailure(bench: Bench, agent: string, result: EndedRun['result']): Promise<void> {
  if (result.kind !== 'failed') return;
  const event = {
    kind: 'failed',
    class: result.class,
    ...(result.resetAt === undefined ? {} : { resetAt: result.resetAt }),
  } as const;
  await tellBreaker(bench.hands, bench.settings, { agent, event });
}

/** The agent itself said that it may not work now. */
function isRefusal(errorClass: string): boolean {
  return ['quota', 'rate_limit', 'overload', 'auth', 'setup'].includes(errorClass);
}

/** The helper is shown the first 5,000 characters; more need not be kept. */
const MAX_ANSWER = 5000;

function bounded<T extends { readonly answer: string }>(result: T): T {
  return { ...result, answer: result.answer.slice(0, MAX_ANSWER).toWellFormed() };
}

export async function write(bench: Bench, change: Partial<TaskRecord>): Promise<void> {
  const record = { ...bench.record, ...change };
  await bench.hands.stores.tasks.update(bench.claim, record);
  bench.record = record;
}

function iso(hands: Hands): string {
  return new Date(hands.clock.now()).toISOString();
}
