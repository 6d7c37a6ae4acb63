// One attempt: an agent gets the prompt, its work is observed and checked, and the record is stored. Each step is stored
// before the next one begins: the attempt before the agent starts, its end before it is evaluated.

import { createHash } from 'node:crypto';
import type { Agent } from '../../kernel/agent.ts';
import type { AttemptRecord, ExitReason } from '../../kernel/attempt.ts';
import type { CurrentAttempt, EndedRun } from '../../kernel/task.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { type Verdict, validationErrors } from '../../kernel/verdict.ts';
import { reportToBreaker } from '../breakers.ts';
import { withBudget } from '../budget/budget.ts';
import { announcement } from '../budget/leave.ts';
import type { Metered } from '../budget/meter.ts';
import { usageOfLog } from '../budget/usage-of-log.ts';
import { plus } from '../budget/usage-reader.ts';
import { usedInSession } from '../budget/used-in-session.ts';
import { type Changes, NO_CHANGES, type Snapshot } from '../changes.ts';
import type { CutOffTalk } from '../judging/ask-on-copy.ts';
import { takeStartedBaseline } from '../judging/checks/cannot-start.ts';
import { judge } from '../judging/judge.ts';
import { makeTaskFolder } from '../task-folder.ts';
import { isConflict, isUnmerged } from '../task-machine.ts';
import { keepingLost } from './keep-lost.ts';
import { landAttempt } from './land-attempt.ts';
import { reviewAttempt } from './review-attempt.ts';
import { envOf, roomFor } from './room.ts';
import { runAgent } from './run-agent.ts';
import { keepNotes } from './saved-notes.ts';
import { chooseSession, failedResume, keptSession, type SessionStart } from './session.ts';
import type { RunPrompt } from './task-prompt.ts';
import { isoNow, type TaskRun, updateRecord } from './task-run.ts';
import { validationFinished } from './validation-finished.ts';
import { watchAgent } from './watch-output.ts';

/** `aside`: its work is to be looked at later, and another task comes first. */
export type AttemptStep = 'aside' | undefined;

/** Resolves when the attempt's record is stored. */
export async function makeAttempt(
  run: TaskRun,
  by: { readonly agent: Agent; readonly attempts: readonly AttemptRecord[]; readonly attempt: number },
): Promise<AttemptStep> {
  const { ports, settings, task, workplace, signal } = run;
  const { agent, attempts, attempt } = by;
  const before = await startingPoint(run, attempts.at(-1));
  const room = await roomFor(ports, agent, workplace);
  const prompt = await ports.composePrompt({
    task,
    agent: agent.name,
    cwd: room.cwd,
    repository: workplace.repository(before),
    env: envOf(room),
  });
  // What a person wrote when they sent the work back is never left out.
  const mayHoldOut = prompt.handover.type !== 'none' && run.record.rejected === undefined;
  const isHeldOut = mayHoldOut && ports.random() < settings.holdout;
  const handover = isHeldOut ? '' : prompt.handover.text;
  const next = { ...by, prompt, handover, cwd: room.cwd };
  let start = chooseSession(run, next);
  let current = await noteStart(run, { ...next, start, before });
  await announce(run, {
    agent: agent.name,
    attempts,
    attempt,
    prompt,
    isHeldOut,
    isResumed: start.resume !== undefined,
  });
  run.budget?.begin(task.task_id, attempt);
  const runOnce = () =>
    runAgent(
      ports,
      {
        agent,
        prompt: handover + start.original,
        resume: start.resume,
        cwd: workplace.cwd,
        room,
        timeoutMs: task.timeout_s * 1000,
        hangMs: settings.hangMs,
        root: settings.root,
        folder: makeTaskFolder(settings.places, task.task_id),
        name: `attempt-${attempt}`,
        attempt: `${task.task_id}#${attempt}`,
        watch: watchAgent(ports, { task: task.task_id, phase: 'working', agent, isBoxed: room.isBoxed }),
        metering: {
          usedBefore: (id) => usedInSession(attempts, id),
          onUsage: (usage) => run.budget?.stream(task.task_id, attempt, { by: 'agent', usage }) === true,
        },
      },
      withBudget(signal, run.budget),
    );
  let ran = await runOnce();
  if (start.resume !== undefined && (await failedResume(run, next, ran))) {
    start = { place: start.place, original: prompt.original };
    current = await noteStart(run, { ...next, start, before });
    const { usage: wasted } = ran;
    ran = await runOnce();
    const both = plus(wasted, ran.usage);
    if (both !== undefined) ran = { ...ran, usage: both };
  }
  await keepNotes(run, ran.saved);
  ports.show?.({ task: task.task_id, phase: 'checking' });
  const { end, result, stderr, box, usage, session, announced } = ran;
  const endedBy = end.endedBy === 'caller' && !signal.aborted ? 'cap' : end.endedBy;
  const ended: EndedRun = {
    at: isoNow(ports),
    durationMs: end.durationMs,
    after: await workplace.observer.snapshot(),
    result: bounded(result),
    ...(endedBy === undefined ? {} : { endedBy }),
    ...(stderr === '' ? {} : { stderr }),
    ...(box === undefined ? {} : { box }),
    ...(usage === undefined ? {} : { usage }),
    ...(session === undefined ? {} : { session }),
    ...(start.resume === undefined ? {} : { isResumed: true }),
    ...(announced === undefined || announced.percent < settings.leaveAt ? {} : { announced }),
  };
  return keepingLost(run, { ...current, ended }, async () => {
    await updateRecord(run, { current: { ...current, ended }, ...keptSession(next, start, ran) });
    return finishAttempt(run, { ...current, ended });
  });
}

/** Stored before the agent starts, with what is sent to it. */
async function noteStart(
  run: TaskRun,
  by: {
    readonly agent: Agent;
    readonly attempt: number;
    readonly before: Snapshot;
    readonly handover: string;
    readonly start: SessionStart;
  },
): Promise<CurrentAttempt> {
  const { ports, task } = run;
  const { agent, attempt, before, handover, start } = by;
  const { original } = start;
  const current: CurrentAttempt = {
    attempt,
    agent: agent.name,
    startedAt: isoNow(ports),
    before,
    promptHash: createHash('sha256')
      .update(handover + original)
      .digest('hex'),
    ...(handover === '' ? {} : { preContext: handover }),
  };
  await updateRecord(run, { current });
  const isResumed = start.resume === undefined ? {} : ({ isResumed: true } as const);
  await ports.emit({ kind: 'prompt-composed', task: task.task_id, attempt, original, handover, ...isResumed });
  return current;
}

/** The work tree as the agent finds it. A snapshot is the most expensive step, so the last one is used when nothing can
 *  have changed: after the last attempt, or before a baseline that starts no program. */
async function startingPoint(run: TaskRun, last: AttemptRecord | undefined): Promise<Snapshot> {
  const { task, workplace } = run;
  if (last !== undefined && isUnmerged(last) && run.record.origin !== undefined) return startAgain(run);
  const { record } = run;
  if (record.baseline !== undefined && record.origin !== undefined) {
    return record.current?.ended?.after ?? workplace.observer.snapshot();
  }
  const origin = await workplace.observer.snapshot();
  const baseline = await takeStartedBaseline(run);
  await updateRecord(run, { origin, baseline, run: workplace.run, start: workplace.start() });
  const startsPrograms = task.acceptance_criteria.some(({ check }) => check !== undefined && 'command' in check);
  return startsPrograms ? workplace.observer.snapshot() : origin;
}

/** Work that is in conflict with the run's branch is done once more at the branch's end. */
async function startAgain(run: TaskRun): Promise<Snapshot> {
  const { workplace } = run;
  await workplace.restart();
  const origin = await workplace.observer.snapshot();
  const { current: _, ...rest } = run.record;
  run.record = rest;
  await updateRecord(run, { origin, start: workplace.start() });
  return origin;
}

/** From the stored end of the run to the stored record. A supervisor that takes over at this point does the same. */
export async function finishAttempt(run: TaskRun, current: CurrentAttempt): Promise<AttemptStep> {
  const { ports, settings, task, workplace, signal } = run;
  const { ended } = current;
  if (ended === undefined || ended.endedBy === 'caller') return recordInterrupted(run, current);
  if (ended.announced !== undefined)
    await reportToBreaker(ports, settings.breaker, { agent: current.agent, event: announcement(ended.announced) });
  if (ended.endedBy === 'cap') return recordInterrupted(run, current, CAPPED);
  const changes = await workplace.observer.changes(current.before, ended.after);
  const { origin = current.before } = run.record;
  const allChanges = origin === current.before ? changes : await workplace.observer.changes(origin, ended.after);
  if (ended.result.kind === 'failed') {
    const { class: exitClass, message: exitMessage } = ended.result;
    // The task took too long: that does not show whether the agent works.
    if (ended.endedBy !== 'timeout') await reportFailure(run, current.agent, ended.result);
    const exitReason: ExitReason =
      ended.endedBy === 'timeout' || ended.endedBy === 'hang'
        ? 'timeout'
        : isRefusal(exitClass)
          ? 'circuit_breaker'
          : 'execution_error';
    return store(run, current, { after: ended.after, changes, exitReason, exitClass, exitMessage });
  }
  await reportToBreaker(ports, settings.breaker, { agent: current.agent, event: { kind: 'succeeded' } });
  const judged =
    current.verdict ??
    (await judge(run, {
      attempt: current.attempt,
      agent: current.agent,
      attempts: await ports.stores.attempts.open(task.task_id),
      answer: ended.result.answer,
      after: ended.after,
      changes,
      allChanges,
      baseline: run.record.baseline ?? [],
    }));
  if ('cutOff' in judged) return noteCutOff(run, judged);
  // Interrupted checks decide nothing; the next supervisor checks again.
  if (signal.aborted) return;
  const reviewed = judged.outcome === 'passed' ? await reviewAttempt(run, judged, { ...current, ended }) : judged;
  if ('cutOff' in reviewed) return noteCutOff(run, reviewed);
  const verdict = reviewed.outcome === 'passed' ? await landAttempt(run, reviewed, { ...current, ended }) : reviewed;
  if (verdict === undefined) return;
  const isMerge = isConflict({ verdict });
  await ports.emit(validationFinished(verdict, { task: task.task_id, attempt: current.attempt }));
  await store(run, current, {
    // Another than before when the work was merged into the branch.
    after: run.record.current?.ended?.after ?? ended.after,
    changes,
    verdict,
    ...(verdict.outcome === 'failed' ? { exitReason: 'validation_failure' } : {}),
    ...(isMerge ? { exitClass: 'conflict' } : {}),
  });
}

/** The next supervisor asks again; what was used counts for the attempt. */
async function noteCutOff(run: TaskRun, { cutOff, isAside }: CutOffTalk): Promise<AttemptStep> {
  if (run.record.current !== undefined && cutOff.length > 0) {
    const { reviewing: _, ...current } = run.record.current;
    await updateRecord(run, { current: { ...current, spent: [...(current.spent ?? []), ...cutOff] } });
  }
  return isAside === true ? 'aside' : undefined;
}

/** Not the agent's failure: its work is kept, and the next attempt goes on with it. */
const CAPPED = { exitClass: 'cap', exitMessage: 'a cap of the run was reached while it worked' };

/** An attempt whose supervisor died, or that was stopped: recorded with what it did to the files until then, where that can be seen.
 *  Of one that was cut off with its machine nothing is here: what differs from its beginning is the work of others. */
export async function recordInterrupted(
  run: TaskRun,
  current: CurrentAttempt,
  why: Pick<Outcome, 'exitClass' | 'exitMessage' | 'metered'> = {},
): Promise<undefined> {
  const { observer, isElsewhere } = run.workplace;
  const isUnseen = isElsewhere && current.ended === undefined;
  const after = current.ended?.after ?? (await observer.snapshot());
  const changes = isUnseen ? NO_CHANGES : await observer.changes(current.before, after).catch(() => NO_CHANGES);
  const metered = why.metered ?? current.ended ?? (await usedUntilCutOff(run, current));
  await store(run, current, { after, changes, exitReason: 'interrupted', ...why, metered });
}

async function usedUntilCutOff(
  { ports, settings, task, workplace }: TaskRun,
  current: CurrentAttempt,
): Promise<Metered> {
  const attempts = await ports.stores.attempts.list(task.task_id);
  const log = settings.places.task(task.task_id).log(current.attempt);
  const { agent, startedAt } = current;
  return usageOfLog(ports, { agent: settings.agents.get(agent), startedAt, attempts, cwd: workplace.cwd, log });
}

interface Outcome {
  readonly after: Snapshot;
  readonly changes: Changes;
  readonly verdict?: Verdict;
  readonly exitReason?: ExitReason;
  readonly exitClass?: string;
  readonly exitMessage?: string;
  /** What it used and its session, where its end is not stored. */
  readonly metered?: Metered;
}

async function store(run: TaskRun, current: CurrentAttempt, outcome: Outcome): Promise<undefined> {
  const { ports, settings, task, claim, workplace } = run;
  const { after, changes, exitReason, exitClass, exitMessage } = outcome;
  const verdict = withSpent(outcome.verdict, current.spent);
  const { usage, session } = outcome.metered ?? current.ended ?? {};
  const { attempt, agent, startedAt: at } = current;
  const commit = await workplace.keep({ attempt, agent, after, at });
  const record: AttemptRecord = {
    attemptNumber: current.attempt,
    provider: current.agent,
    timestamp: current.ended?.at ?? isoNow(ports),
    files_created: changes.created,
    files_updated: changes.updated,
    files_deleted: changes.deleted,
    status: verdict !== undefined && verdict.outcome !== 'failed' ? 'completed' : 'failed',
    validationErrors: verdict === undefined ? [] : validationErrors(verdict),
    durationMs: current.ended?.durationMs ?? Math.max(0, ports.clock.now() - Date.parse(current.startedAt)),
    promptHash: current.promptHash,
    ...(exitReason === undefined ? {} : { exitReason }),
    ...(exitClass === undefined ? {} : { exitClass }),
    ...(exitMessage === undefined ? {} : { exitMessage }),
    ...(current.preContext === undefined ? {} : { preContext: current.preContext }),
    ...(verdict === undefined ? {} : { verdict }),
    ...(changes.facts === undefined || changes.facts.length === 0 ? {} : { observed: changes.facts }),
    commit,
    log: settings.places.task(task.task_id).log(current.attempt),
    run: workplace.run,
    ...(current.ended?.stderr === undefined ? {} : { stderr: current.ended.stderr }),
    ...(usage === undefined ? {} : { usage }),
    ...(current.ended?.box === undefined ? {} : { box: current.ended.box }),
    ...(session === undefined ? {} : { session }),
    ...(current.ended?.isResumed === undefined ? {} : { isResumed: current.ended.isResumed }),
  };
  await ports.stores.attempts.append(task.task_id, record, claim);
  run.budget?.end(task.task_id, record);
  await ports.emit({
    kind: 'attempt-finished',
    task: task.task_id,
    attempt: current.attempt,
    agent: current.agent,
    status: record.status,
    durationMs: record.durationMs,
    filesChanged: changes.created.length + changes.updated.length + changes.deleted.length,
    ...(exitReason === undefined ? {} : { exitReason }),
    ...(exitClass === undefined ? {} : { exitClass }),
    ...(usage === undefined ? {} : { usage }),
    ...(verdict?.spent === undefined ? {} : { spent: verdict.spent }),
  });
}

function withSpent(verdict: Verdict | undefined, before: CurrentAttempt['spent']): Verdict | undefined {
  if (verdict === undefined || before === undefined) return verdict;
  return { ...verdict, spent: [...before, ...(verdict.spent ?? [])] };
}

interface StartedAttempt {
  readonly agent: string;
  readonly attempts: readonly AttemptRecord[];
  readonly attempt: number;
  readonly prompt: RunPrompt;
  readonly isHeldOut: boolean;
  readonly isResumed: boolean;
}

async function announce(run: TaskRun, started: StartedAttempt): Promise<void> {
  const { ports, task } = run;
  const { agent, attempt, prompt, isHeldOut } = started;
  const last = started.attempts.at(-1);
  const type = isHeldOut ? 'none' : prompt.handover.type;
  const tokens = type === 'none' ? 0 : estimateTokens(prompt.handover.text);
  const common = { task: task.task_id, attempt } as const;
  for (const { attempt: incomplete, missing } of prompt.handover.warnings) {
    await ports.emit({ kind: 'attempt-incomplete', task: task.task_id, attempt: incomplete, missing });
  }
  await ports.emit({
    kind: 'attempt-started',
    ...common,
    agent,
    occasion: last === undefined ? 'first' : last.provider === agent ? 'retry' : 'switch',
    handover: type,
    handoverTokens: tokens,
    buildMs: prompt.buildMs,
    isHeldOut,
    ...(started.isResumed ? { isResumed: true } : {}),
  });
  if (type !== 'none') {
    await ports.emit({ kind: 'context-injected', type, task: task.task_id, tokens, buildMs: prompt.buildMs });
  }
}

async function reportFailure(run: TaskRun, agent: string, result: EndedRun['result']): Promise<void> {
  if (result.kind !== 'failed') return;
  const { class: errorClass, resetAt } = result;
  const event = { kind: 'failed', class: errorClass, ...(resetAt === undefined ? {} : { resetAt }) } as const;
  await reportToBreaker(run.ports, run.settings.breaker, { agent, event });
}

/** The agent itself refused to work now. */
function isRefusal(errorClass: string): boolean {
  return ['quota', 'rate_limit', 'overload', 'auth', 'setup'].includes(errorClass);
}

/** The helper gets the first 5,000 characters; more need not be kept. */
const MAX_ANSWER = 5000;

function bounded<T extends { readonly answer: string }>(result: T): T {
  return { ...result, answer: result.answer.slice(0, MAX_ANSWER).toWellFormed() };
}
