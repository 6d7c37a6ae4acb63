// One task, from its claim to its end: attempts until the task machine ends it. Everything it needs to continue is in the
// store, so that another supervisor can take over at any point.

import type { AttemptRecord } from '../../kernel/attempt.ts';
import { isForewordError } from '../../kernel/errors.ts';
import { reachedText } from '../budget/reached-text.ts';
import { withLease } from '../loop/lease.ts';
import type { RunPorts, RunSettings } from '../ports.ts';
import { crashedAgents, hungAgents, type NextStep, nextStep } from '../task-machine.ts';
import type { WorkplaceEnd } from '../workplaces/workplace.ts';
import { type AttemptStep, finishAttempt, makeAttempt, recordInterrupted } from './attempt.ts';
import { beginTrial, findAgent } from './find-agent.ts';
import { finishTask } from './finish-task.ts';
import { isoNow, type TaskRun, updateRecord } from './task-run.ts';

type HeldTask = Pick<TaskRun, 'task' | 'claim' | 'signal' | 'budget'> &
  Partial<Pick<TaskRun, 'mayStepAside' | 'mayLeave'>>;

/** Resolves when the task's record is stored with its outcome, or as `queued` when the signal was aborted, a cap is reached, or
 *  another task comes first. Throws `stale-owner` when another supervisor owns the task now. */
export async function runTask(ports: RunPorts, settings: RunSettings, held: HeldTask): Promise<void> {
  const { task, claim } = held;
  const record = await ports.stores.tasks.get(task.task_id);
  if (record === undefined) return;
  let run: TaskRun | undefined;
  const alsoRenew = async () => run?.trial !== undefined && beginTrial(run, run.trial);
  await withLease(ports, settings, { ...held, alsoRenew }, async (signal) => {
    const last = record.current?.ended?.after ?? (await ports.stores.attempts.list(task.task_id)).at(-1)?.commit;
    const workplace = await ports.workplaces.open(task.task_id, { run: record.run, start: record.start, last });
    let end: WorkplaceEnd = 'stopped';
    try {
      const { mayStepAside = async () => false, mayLeave, budget } = held;
      const { reason: _, ...begun } = record;
      const how = { signal, budget, mayStepAside, mayLeave };
      run = { ports, settings, task, claim, workplace, ...how, record: { ...begun, task } };
      const worked = (await settle(run)) ?? (await finishLanded(run)) ?? (await work(run));
      if (worked === 'over') end = 'over';
      const reached = held.signal.aborted ? undefined : budget?.reached();
      const why = worked === 'stopped' && reached !== undefined ? reachedText(reached) : run.leftBecause;
      if (worked === 'aside' || (worked === 'stopped' && (held.signal.aborted || reached !== undefined)))
        await giveBack(run, why);
    } finally {
      await workplace.close(end);
    }
  }).catch(async (error: unknown) => {
    if (!isForewordError(error) || !BEFORE_AGENTS.includes(error.code)) throw error;
    // No agent was started: the task waits for the next run as it was.
    await ports.stores.tasks.update(claim, { ...(run?.record ?? record), status: 'queued', updated_at: isoNow(ports) });
    if (!held.signal.aborted) throw error;
  });
}

/** Stopped: the task goes back to the queue with its attempts, for the next supervisor. Work that was being checked or reviewed is
 *  not recorded yet: it goes on with that. */
async function giveBack({ ports, claim, task, record }: TaskRun, reason?: string): Promise<void> {
  const { current, ...rest } = record;
  const isOpen = current !== undefined && (await ports.stores.attempts.list(task.task_id)).length < current.attempt;
  const open = isOpen ? { current } : {};
  const why = reason === undefined ? {} : { reason };
  await ports.stores.tasks.update(claim, { ...rest, ...open, ...why, status: 'queued', updated_at: isoNow(ports) });
}

/** What stops a run before an agent is paid: a checkout that cannot be prepared, a check that cannot start. */
const BEFORE_AGENTS: readonly string[] = ['not-prepared', 'missing-program'];

/** Records an attempt that was running when its supervisor died. */
async function settle(run: TaskRun): Promise<AttemptStep> {
  const { ports, task, workplace } = run;
  const { current, origin } = run.record;
  const attempts = await ports.stores.attempts.list(task.task_id);
  const isOpen = current !== undefined && attempts.length < current.attempt;
  if (workplace.isFresh && origin !== undefined) {
    // Its workplace is lost, and with it the work: the task begins again, also when it had passed.
    if (isOpen) {
      const { ended, ...cutOff } = current;
      await recordInterrupted(run, cutOff, ended?.usage === undefined ? {} : { metered: { usage: ended.usage } });
    }
    const { origin: _, baseline: __, current: ___, start: ____, lastSession: _____, ...rest } = run.record;
    run.record = rest;
    await updateRecord(run, { countedFrom: attempts.length + (isOpen ? 1 : 0) });
  } else if (isOpen) {
    run.budget?.takeOver(task.task_id, current);
    return current.ended === undefined ? recordInterrupted(run, current) : finishAttempt(run, current);
  }
  return undefined;
}

/** Another machine put its commit on the branch and did not live to record it. */
async function finishLanded(run: TaskRun): Promise<'over' | undefined> {
  const { ports, task, workplace } = run;
  if ((await workplace.onLedger()) === undefined) return undefined;
  await finishTask(run, { status: 'completed' }, await ports.stores.attempts.open(task.task_id));
  return 'over';
}

async function work(run: TaskRun): Promise<'over' | 'aside' | 'stopped'> {
  const { ports, settings, task } = run;
  const limits = {
    maxRetries: task.retry_policy.max_retries,
    maxAgentFailures: settings.maxAgentFailures,
    reviewRounds: settings.judging.review.rounds,
  };
  while (!run.signal.aborted) {
    const attempts = await ports.stores.attempts.open(task.task_id);
    const step = nextStep(attempts, limits, run.record.countedFrom);
    if (step.kind === 'finish') {
      await finishTask(run, step.outcome, attempts);
      return 'over';
    }
    if (run.budget?.reached() !== undefined) return 'stopped';
    const isLoop = step.kind === 'switch' && step.because === 'loop';
    if (isLoop) {
      await ports.emit({ kind: 'loop-detected', task: task.task_id, attempt: attempts.at(-1)?.attemptNumber ?? 0 });
    }
    const crashed = crashedAgents(attempts, run.record.countedFrom);
    const never = hungAgents(attempts, run.record.countedFrom);
    const found = await findAgent(
      run,
      step.kind === 'switch'
        ? { avoid: [...crashed, step.from], never }
        : { prefer: step.stayWith, avoid: crashed, never },
    );
    if (found.kind === 'stopped' || found.kind === 'aside') return found.kind;
    if (found.kind === 'none') {
      const hung = never.length === 0 ? '' : `${never.join(', ')} hung twice; `;
      await finishTask(run, { status: 'blocked', reason: `${hung}${found.reason}` }, attempts);
      return 'over';
    }
    await announceSwitch(run, { last: attempts.at(-1), to: found.agent.name, step });
    const all = await ports.stores.attempts.list(task.task_id);
    const after = await makeAttempt(run, { agent: found.agent, attempts, attempt: all.length + 1 });
    run.trial = undefined;
    if (after !== undefined) return after;
  }
  return 'stopped';
}

async function announceSwitch(
  run: TaskRun,
  how: { readonly last: AttemptRecord | undefined; readonly to: string; readonly step: NextStep },
): Promise<void> {
  const { last, to, step } = how;
  if (last === undefined || last.provider === to) return;
  const isLoop = step.kind === 'switch' && step.because === 'loop';
  const reason = isLoop ? 'loop' : (last.exitClass ?? last.exitReason ?? 'other');
  await run.ports.emit({ kind: 'agent-switched', task: run.task.task_id, from: last.provider, to, reason });
}
