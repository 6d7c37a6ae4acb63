// The agent for the next attempt: chosen by the lineup, waited for when that helps, and tried by only one supervisor when
// its breaker is due for a trial.

import type { Agent } from '../../kernel/agent.ts';
import { readBreakers, reportToBreaker } from '../breakers.ts';
import { chooseAgent, type LineupQuestion } from '../lineup.ts';
import type { TaskRun } from './task-run.ts';

type AgentFinding =
  | { readonly kind: 'use'; readonly agent: Agent }
  /** No waiting helps, or it would take too long. */
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'stopped' };

export async function findAgent(run: TaskRun, wanted: Pick<LineupQuestion, 'prefer' | 'avoid'>): Promise<AgentFinding> {
  const { ports, settings, task, signal } = run;
  const giveUpAt = ports.clock.now() + settings.maxWaitMs;
  for (;;) {
    const choice = chooseAgent({
      lineup: settings.lineup,
      taskAgents: task.agents,
      breakers: await readBreakers(ports),
      installed: settings.installed,
      ...wanted,
      now: ports.clock.now(),
    });
    if (choice.kind === 'none') return choice;
    if (choice.kind === 'wait') {
      if (choice.until > giveUpAt)
        return { kind: 'none', reason: `no agent is available: ${choice.agent} (${choice.reason}) is back first` };
      const until = new Date(choice.until).toISOString();
      await ports.emit({ kind: 'run-waiting', reason: `${choice.agent}: ${choice.reason}`, until, task: task.task_id });
      await ports.clock.wait(choice.until - ports.clock.now(), signal);
      if (signal.aborted) return { kind: 'stopped' };
      continue;
    }
    const agent = settings.agents.get(choice.agent);
    if (agent === undefined) return { kind: 'none', reason: `there is no agent called ${choice.agent}` };
    if (!choice.isTrial || (await beginTrial(run, choice.agent))) return { kind: 'use', agent };
  }
}

/** When several supervisors want to make the one trial call, the store accepts one. Its lease is short and renewed with
 *  the claim: when this supervisor dies, another may try soon. */
export async function beginTrial(run: TaskRun, agent: string): Promise<boolean> {
  const { ports, settings, task, claim } = run;
  const owner = `${claim.owner} ${task.task_id} ${claim.token}`;
  const leaseUntil = ports.clock.now() + 2 * settings.leaseMs;
  const event = { kind: 'trial-begun', owner, leaseUntil } as const;
  const after = await reportToBreaker(ports, settings.breaker, { agent, event });
  const isMine = after.state === 'trial' && after.owner === owner;
  if (isMine) run.trial = agent;
  return isMine || after.state === 'closed';
}
