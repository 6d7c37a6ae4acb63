// The agent for the next attempt: chosen by the lineup, waited for when that helps, and tried by only one supervisor when
// its breaker is due for a trial.

import type { Agent } from '../../kernel/agent.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import { readBreakers, reportToBreaker } from '../breakers.ts';
import { withBudget } from '../budget/budget.ts';
import { type AgentChoice, chooseAgent, type LineupQuestion } from '../lineup.ts';
import type { NoAgentNow, TaskRun } from './task-run.ts';

type AgentFinding =
  | { readonly kind: 'use'; readonly agent: Agent }
  /** No waiting helps, or it would take too long. */
  | { readonly kind: 'none'; readonly reason: string }
  /** Another task can be worked on while this one would wait. */
  | { readonly kind: 'aside' }
  | { readonly kind: 'stopped' };

/** A timer stands still while the machine sleeps, and a person may set the clock: the time is looked at again and again. */
const LOOK_MS = 30_000;
/** Somebody's trial call may end at any moment. */
const LOOK_AT_TRIAL_MS = 5_000;
/** A time that moves by less is the same one. */
const SAME_TIME_MS = 60_000;

type Waiting = Extract<AgentChoice, { kind: 'wait' }>;

export type FindingRun = Pick<
  TaskRun,
  'ports' | 'settings' | 'task' | 'claim' | 'signal' | 'budget' | 'mayStepAside' | 'mayLeave' | 'trial' | 'leftBecause'
>;

/** `among`: for one that only looks at the work, these and no others. */
export async function findAgent(
  run: FindingRun,
  { among, ...wanted }: Pick<LineupQuestion, 'prefer' | 'avoid' | 'never'> & { readonly among?: readonly string[] },
): Promise<AgentFinding> {
  const { ports, settings, task } = run;
  const signal = withBudget(run.signal, run.budget);
  const giveUpAt = ports.clock.now() + settings.maxWaitMs;
  let shown: Waiting | undefined;
  for (;;) {
    const choice = chooseAgent({
      lineup: among ?? settings.lineup,
      taskAgents: among === undefined ? task.agents : undefined,
      breakers: await readBreakers(ports),
      installed: settings.installed,
      unboxed: settings.unboxed,
      ...wanted,
      now: ports.clock.now(),
    });
    // Work that is done and waits for a look is on this machine only.
    if (choice.kind !== 'use' && among === undefined && (await run.mayLeave?.(choice, wanted.never ?? [])) === true) {
      run.leftBecause = whyLeft(choice, ports.machine);
      return { kind: 'aside' };
    }
    if (choice.kind === 'none') return { kind: 'none', reason: choice.reason };
    if (choice.kind === 'wait') {
      if (choice.until > giveUpAt) return { kind: 'none', reason: tooLong(choice, settings.maxWaitMs) };
      if (!isSame(choice, shown)) await announceWait(run, choice);
      shown = choice;
      if (await run.mayStepAside(among === undefined ? undefined : choice.until)) return { kind: 'aside' };
      const look = choice.isTried ? LOOK_AT_TRIAL_MS : LOOK_MS;
      await ports.clock.wait(Math.min(choice.until - ports.clock.now(), look), signal);
      if (signal.aborted) return { kind: 'stopped' };
      continue;
    }
    const agent = settings.agents.get(choice.agent);
    if (agent === undefined) return { kind: 'none', reason: `there is no agent called ${choice.agent}` };
    if (!choice.isTrial || (await beginTrial(run, choice.agent))) return { kind: 'use', agent };
  }
}

async function announceWait({ ports, task }: FindingRun, { agent, reason, until, isTried }: Waiting): Promise<void> {
  await ports.emit({
    kind: 'run-waiting',
    reason: `${agent}: ${reason}${isTried ? ', another task tries it' : ''}`,
    until: isoTime(until),
    task: task.task_id,
    agent,
  });
}

/** While somebody tries it, the time moves with every renewal. */
function isSame(one: Waiting, other: Waiting | undefined): boolean {
  if (one.agent !== other?.agent || one.reason !== other.reason || one.isTried !== other.isTried) return false;
  return one.isTried || Math.abs(one.until - other.until) < SAME_TIME_MS;
}

function whyLeft(choice: NoAgentNow, machine = 'this machine'): string {
  if (choice.kind === 'none') {
    if (choice.isSetup !== true) return choice.reason;
    return `${choice.reason.split(';')[0]} on ${machine}; sign in or set it up there`;
  }
  const { agent, reason, until } = choice;
  return `no agent is available: ${agent} (${reason}) is back at ${isoTime(until)}`;
}

function tooLong({ agent, reason, until }: Waiting, maxWaitMs: number): string {
  const limit = `run.maxWaitS is ${Math.round(maxWaitMs / 1000)}`;
  return `no agent is available: ${agent} (${reason}) is back first, at ${isoTime(until)}; ${limit}`;
}

/** When several supervisors want to make the one trial call, the store accepts one. Its lease is short and renewed with
 *  the claim: when this supervisor dies, another may try soon. */
export async function beginTrial(run: FindingRun, agent: string): Promise<boolean> {
  const { ports, settings, task, claim } = run;
  const owner = `${claim.owner} ${task.task_id} ${claim.token}`;
  const leaseUntil = ports.clock.now() + 2 * settings.leaseMs;
  const event = { kind: 'trial-begun', owner, leaseUntil } as const;
  const after = await reportToBreaker(ports, settings.breaker, { agent, event });
  const isMine = after.state === 'trial' && after.owner === owner;
  if (isMine) run.trial = agent;
  return isMine || after.state === 'closed';
}
