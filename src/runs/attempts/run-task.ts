// One task, from its claim to its end: attempts until the task machine says that it is enough. Everything it needs to
// go on is in the store, so that it may be taken over at any point.

import type { Agent } from '../../kernel/agent.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { Claim, Task, TaskRecord } from '../../kernel/task.ts';
import { readBreakers, tellBreaker } from '../breakers.ts';
import { chooseAgent } from '../lineup.ts';
import { withLease } from '../loop/lease.ts';
import type { Hands, RunSettings } from '../ports.ts';
import { type NextStep, nextStep } from '../task-machine.ts';
import type { WorkplaceEnd } from '../workplaces/workplace.ts';
import { type Bench, finishAttempt, makeAttempt, recordInterrupted, write } from './attempt.ts';

/** Resolves when the task's record is stored with its outcome, or given back as `queued` when the signal was aborted.
 *  Throws `stale-owner` when somebody else owns the task by now. */
export async function runTask(
  hands: Hands,
  settings: RunSettings,
  held: { readonly task: Task; readonly claim: Claim; readonly signal: AbortSignal },
): Promise<void> {
  const { task, claim } = held;
  const record = await hands.stores.tasks.get(task.task_id);
  if (record === undefined) return;
  let bench: Bench | undefined;
  const alsoRenew = async () => bench?.trial !== undefined && beginTrial(bench, bench.trial);
  await withLease(hands, settings, { ...held, alsoRenew }, async (signal) => {
    const workplace = await hands.openWorkplace(task, record.origin);
    let end: WorkplaceEnd = 'stopped';
    try {
      bench = { hands, settings, task, claim, workplace, signal, record: { ...record, task } };
      await settle(bench);
      const isDone = await work(bench);
      if (isDone) end = bench.record.status === 'completed' ? 'done' : 'given-up';
      // Stopped: given back as it is, with its attempts, for whoever goes on.
      const { current: _, ...rest } = bench.record;
      if (!isDone && held.signal.aborted)
        await hands.stores.tasks.update(claim, { ...rest, status: 'queued', updated_at: iso(hands) });
    } finally {
      await workplace.close(end);
    }
  });
}

/** Brings an attempt to its record that was under way when its supervisor died. */
async function settle(bench: Bench): Promise<void> {
  const { hands, task, workplace } = bench;
  const { current, origin } = bench.record;
  const attempts = await hands.stores.attempts.list(task.task_id);
  const isOpen = current !== undefined && attempts.length < current.attempt;
  if (workplace.isFresh && origin !== undefined) {
    // The place where it was worked on is lost, and with it what was done: it begins again, also when it had passed.
    if (isOpen) {
      const { ended: _, ...cutOff } = current;
      await recordInterrupted(bench, cutOff);
    }
    const { origin: _, baseline: __, current: ___, ...rest } = bench.record;
    bench.record = rest;
    await write(bench, { countedFrom: attempts.length + (isOpen ? 1 : 0) });
  } else if (isOpen) {
    await (current.ended === undefined ? recordInterrupted(bench, current) : finishAttempt(bench, current));
  }
}

/** Whether the task came to an end. */
async function work(bench: Bench): Promise<boolean> {
  const { hands, settings, task } = bench;
  const limits = { maxRetries: task.retry_policy.max_retries, maxAgentFailures: settings.maxAgentFailures };
  while (!bench.signal.aborted) {
    const attempts = await hands.stores.attempts.open(task.task_id);
    const step = nextStep(attempts, limits, bench.record.countedFrom);
    if (step.kind === 'finish') {
      await finish(bench, step, attempts);
      return true;
    }
    if (step.isLoop) {
      await hands.emit({ kind: 'loop-detected', task: task.task_id, attempt: attempts.at(-1)?.attemptNumber ?? 0 });
    }
    const found = await findAgent(bench, step.avoid);
    if (found === undefined) return false;
    if (found.kind === 'none') {
      await finish(bench, { kind: 'finish', status: 'blocked', reason: found.reason }, attempts);
      return true;
    }
    await tellSwitch(bench, { attempts, to: found.agent.name, isLoop: step.isLoop });
    const all = await hands.stores.attempts.list(task.task_id);
    await makeAttempt(bench, { agent: found.agent, attempts, attempt: all.length + 1 });
    bench.trial = undefined;
  }
  return false;
}

type Found = { readonly kind: 'use'; readonly agent: Agent } | { readonly kind: 'none'; readonly reason: string };

/** Waits for an agent to come back where that helps; `undefined` when the signal was aborted meanwhile. */
async function findAgent(bench: Bench, avoid: string | undefined): Promise<Found | undefined> {
  const { hands, settings, task, signal } = bench;
  const giveUpAt = hands.clock.now() + settings.maxWaitMs;
  for (;;) {
    const choice = chooseAgent({
      lineup: settings.lineup,
      taskAgents: task.agents,
      breakers: await readBreakers(hands),
      installed: await hands.installed(),
      avoid,
      now: hands.clock.now(),
    });
    if (choice.kind === 'none') return choice;
    if (choice.kind === 'wait') {
      if (choice.until > giveUpAt)
        return { kind: 'none', reason: `no agent is available: ${choice.agent} (${choice.reason}) is back first` };
      const until = new Date(choice.until).toISOString();
      await hands.emit({ kind: 'run-waiting', reason: `${choice.agent}: ${choice.reason}`, until, task: task.task_id });
      await hands.clock.wait(choice.until - hands.clock.now(), signal);
      if (signal.aborted) return undefined;
      continue;
    }
    const agent = hands.agents.get(choice.agent);
    if (agent === undefined) return { kind: 'none', reason: `${choice.agent} is not described anywhere` };
    if (!choice.isTrial || (await beginTrial(bench, choice.agent))) return { kind: 'use', agent };
  }
}

/** Of several supervisors that want to make the one trial call, the store lets one. Its lease is short and renewed with
 *  the claim: when this supervisor dies, another may try soon. */
async function beginTrial(bench: Bench, agent: string): Promise<boolean> {
  const { hands, settings, task, claim } = bench;
  const owner = `${claim.owner} ${task.task_id} ${claim.token}`;
  const leaseUntil = hands.clock.now() + 2 * settings.leaseMs;
  const after = await tellBreaker(hands, settings, { agent, event: { kind: 'trial-begun', owner, leaseUntil } });
  const isMine = after.state === 'trial' && after.owner === owner;
  if (isMine) bench.trial = agent;
  return isMine || after.state === 'closed';
}

async function tellSwitch(
  bench: Bench,
  how: { readonly attempts: readonly AttemptRecord[]; readonly to: string; readonly isLoop: boolean },
): Promise<void> {
  const last = how.attempts.at(-1);
  if (last === undefined || last.provider === how.to) return;
  const reason = how.isLoop ? 'loop' : (last.exitClass ?? last.exitReason ?? 'other');
  await bench.hands.emit({ kind: 'agent-switched', task: bench.task.task_id, from: last.provider, to: how.to, reason });
}

type Finish = Extract<NextStep, { kind: 'finish' }>;

/** A task is completed when its work is in the project, not before. Killed after that and before it is recorded, the
 *  next supervisor takes it over once more, which changes nothing. */
async function takeOver(bench: Bench, decided: Finish): Promise<Finish> {
  const { hands, settings, workplace } = bench;
  let step = decided;
  if (decided.status === 'completed') {
    // Whoever lost the task to another supervisor ends here, before it writes to the project.
    await hands.stores.tasks.renew(bench.claim, { now: hands.clock.now(), leaseMs: settings.leaseMs });
    const last = bench.record.current?.ended?.after ?? (await workplace.observer.snapshot());
    const { conflict } = await workplace.takeOver(last);
    if (conflict === undefined) return decided;
    step = { kind: 'finish', status: 'needs-review', reason: conflict };
  }
  const kept = await workplace.kept();
  return kept === undefined ? step : { ...step, reason: `${step.reason}; the work is kept in ${kept}` };
}

async function finish(bench: Bench, decided: Finish, attempts: readonly AttemptRecord[]): Promise<void> {
  const { hands, task } = bench;
  const step = await takeOver(bench, decided);
  const { current: _, reason: __, ...record } = bench.record;
  const at = iso(hands);
  const ended: TaskRecord = {
    ...record,
    status: step.status,
    updated_at: at,
    result: resultOf(step, attempts),
    ...(step.status === 'blocked' ? {} : { completed_at: at }),
    ...(step.reason === undefined ? {} : { reason: step.reason }),
  };
  await hands.stores.tasks.update(bench.claim, ended);
  bench.record = ended;
  if (step.status === 'completed') await hands.stores.attempts.clear(task.task_id);
  await hands.emit({
    kind: 'task-finished',
    task: task.task_id,
    status: step.status,
    attempts: (await hands.stores.attempts.list(task.task_id)).length,
    ...(step.reason === undefined ? {} : { reason: step.reason }),
  });
}

/** One sentence for the history that later prompts show; from facts, not from what the agent says of itself. */
function resultOf(step: Finish, attempts: readonly AttemptRecord[]): string {
  if (step.reason !== undefined) return step.reason;
  const last = attempts.at(-1);
  const files = attempts.flatMap((attempt) => [...attempt.files_created, ...attempt.files_updated]);
  const unique = [...new Set(files)];
  const shown = unique.slice(0, 3).join(', ') + (unique.length > 3 ? ` and ${unique.length - 3} more` : '');
  const checks = last?.verdict?.results.filter((result) => result.outcome === 'passed').length ?? 0;
  return `done by ${last?.provider ?? 'nobody'}: ${shown === '' ? 'no files changed' : shown}; ${checks} criteria hold`;
}

function iso(hands: Hands): string {
  return new Date(hands.clock.now()).toISOString();
}
