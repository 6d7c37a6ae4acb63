// Lineup: the agents a task may use, in order. A task stays with the agent that works on it; other choices start from the first
// again, so that work goes back to it as soon as its breaker closes.

import type { BreakerRecord } from '../kernel/breaker.ts';
import { type Availability, availability } from './breaker.ts';

export interface LineupQuestion {
  readonly lineup: readonly string[];
  /** The task's own agents, in their order; they replace the lineup. */
  readonly taskAgents?: readonly string[] | undefined;
  readonly breakers: ReadonlyMap<string, BreakerRecord>;
  readonly installed: ReadonlySet<string>;
  /** The agent to stay with, if it can work now. */
  readonly prefer?: string | undefined;
  /** Agents to get away from, after a loop or a failure; those to avoid most are last. They get the work only when no other can
   *  have it now. */
  readonly avoid?: readonly string[] | undefined;
  readonly now: number;
}

type AgentChoice =
  /** A trial must first be stored (`advance` in breaker.ts); when that is refused, choose again. */
  | { readonly kind: 'use'; readonly agent: string; readonly isTrial: boolean }
  /** The agent that is back first; `until` in milliseconds since 1970 is when to choose again. */
  | { readonly kind: 'wait'; readonly until: number; readonly agent: string; readonly reason: string }
  /** Waiting does not help. The reason is a sentence for a person. */
  | { readonly kind: 'none'; readonly reason: string };

export function chooseAgent(question: LineupQuestion): AgentChoice {
  const { taskAgents, breakers, installed, prefer, avoid = [], now } = question;
  const wanted = taskAgents === undefined || taskAgents.length === 0 ? question.lineup : taskAgents;
  const agents = [...new Set(wanted)].filter((agent) => installed.has(agent));
  if (agents.length === 0) return { kind: 'none', reason: whyNone(wanted) };
  const rank = (agent: string) => (agent === prefer ? -2 : avoid.lastIndexOf(agent));
  // Stable: equal ones keep their order.
  const ordered = [...agents].sort((one, other) => rank(one) - rank(other));
  const asked = ordered.map((agent) => ({ agent, is: availability(breakers.get(agent), now) }));
  const free = asked.find(({ is }) => is.kind !== 'no');
  if (free !== undefined) return { kind: 'use', agent: free.agent, isTrial: free.is.kind === 'trial' };
  return firstBack(asked);
}

/** Of two that are available at the same time, the one that is first in the lineup. */
function firstBack(asked: readonly { readonly agent: string; readonly is: Availability }[]): AgentChoice {
  const waits = asked.flatMap(({ agent, is }) => (is.kind === 'no' ? [{ agent, ...is }] : []));
  const [first, ...others] = waits;
  if (first === undefined) return { kind: 'none', reason: 'The lineup is empty.' };
  const { agent, until, reason } = others.reduce((best, each) => (each.until < best.until ? each : best), first);
  return { kind: 'wait', until, agent, reason };
}

function whyNone(wanted: readonly string[]): string {
  if (wanted.length === 0) return 'The lineup is empty.';
  if (wanted.length === 1) return `The agent ${wanted[0]} is not installed.`;
  return `None of the agents ${wanted.join(', ')} is installed.`;
}
