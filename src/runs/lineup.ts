// Lineup: the agents a task may use, in order. A task stays with the agent that works on it; other choices start from the first
// again, so that work goes back to it as soon as its breaker closes.

import type { BreakerRecord } from '../kernel/breaker.ts';
import { type Availability, availability, isSetup } from './breaker.ts';

export interface LineupQuestion {
  readonly lineup: readonly string[];
  /** The task's own agents, in their order; they replace the lineup. */
  readonly taskAgents?: readonly string[] | undefined;
  readonly breakers: ReadonlyMap<string, BreakerRecord>;
  readonly installed: ReadonlySet<string>;
  /** Those that get no work for want of a box, with why. */
  readonly unboxed?: ReadonlyMap<string, string> | undefined;
  /** The agent to stay with, if it can work now. */
  readonly prefer?: string | undefined;
  /** Agents to get away from, after a loop or a failure; those to avoid most are last. They get the work only when no other can
   *  have it now. */
  readonly avoid?: readonly string[] | undefined;
  /** Agents that must not get it at all. */
  readonly never?: readonly string[] | undefined;
  readonly now: number;
}

export type AgentChoice =
  /** A trial must first be stored (`advance` in breaker.ts); when that is refused, choose again. */
  | { readonly kind: 'use'; readonly agent: string; readonly isTrial: boolean }
  /** The agent that is back first; `until` in milliseconds since 1970 is when to choose again, at the latest when somebody
   *  tries it now. */
  | {
      readonly kind: 'wait';
      readonly until: number;
      readonly agent: string;
      readonly reason: string;
      readonly isTried: boolean;
    }
  /** Waiting does not help. The reason is a sentence for a person. `isSetup`: somebody has to sign in, or set an agent up. */
  | { readonly kind: 'none'; readonly reason: string; readonly isSetup?: true };

export function chooseAgent(question: LineupQuestion): AgentChoice {
  const { taskAgents, breakers, installed, prefer, avoid = [], never = [], now } = question;
  const wanted = taskAgents === undefined || taskAgents.length === 0 ? question.lineup : taskAgents;
  const there = [...new Set(wanted)].filter((agent) => installed.has(agent));
  if (there.length === 0) return { kind: 'none', reason: whyNone(wanted, question.unboxed) };
  const agents = there.filter((agent) => !never.includes(agent));
  if (agents.length === 0) return { kind: 'none', reason: 'no other agent is left' };
  const rank = (agent: string) => (agent === prefer ? -2 : avoid.lastIndexOf(agent));
  // Stable: equal ones keep their order.
  const ordered = [...agents].sort((one, other) => rank(one) - rank(other));
  const asked = ordered.map((agent) => ({ agent, is: availability(breakers.get(agent), now) }));
  const free = asked.find(({ is }) => is.kind !== 'no');
  if (free !== undefined) return { kind: 'use', agent: free.agent, isTrial: free.is.kind === 'trial' };
  return firstBack(asked);
}

/** The agents that may look at the work of another, in order: the one that is named, else those of the lineup that did not do the
 *  work. Alone, the worker looks at it itself, in a new session. */
export function lookersFor(
  worker: string,
  from: {
    readonly named: string | undefined;
    readonly lineup: readonly string[];
    readonly installed: ReadonlySet<string>;
  },
): readonly string[] {
  if (from.named !== undefined) return [from.named];
  const others = from.lineup.filter((name) => name !== worker);
  return others.some((name) => from.installed.has(name)) ? others : [worker];
}

/** Of two that are available at the same time, the one that is first in the lineup. An agent that is not signed in or not set up does
 *  not come back by itself: nobody waits for it, unless somebody tries it now. */
function firstBack(asked: readonly { readonly agent: string; readonly is: Availability }[]): AgentChoice {
  const waits = asked.flatMap(({ agent, is }) => (is.kind === 'no' ? [{ agent, ...is }] : []));
  const [first, ...others] = waits.filter(({ reason, isTried }) => isTried || !isSetup(reason));
  if (first === undefined) {
    const isSetup = waits.length > 0 ? ({ isSetup: true } as const) : {};
    return { kind: 'none', reason: whoNeedsYou(waits), ...isSetup };
  }
  const { agent, until, reason, isTried } = others.reduce(
    (best, each) => (each.until < best.until ? each : best),
    first,
  );
  return { kind: 'wait', until, agent, reason, isTried };
}

function whoNeedsYou(waits: readonly { readonly agent: string; readonly reason: string }[]): string {
  if (waits.length === 0) return 'The lineup is empty.';
  const named = waits.map(({ agent, reason }) => `${agent} (${reason})`).join(', ');
  return `no agent is available: ${named}; sign in or set it up, then run the file again`;
}

function whyNone(wanted: readonly string[], unboxed: LineupQuestion['unboxed']): string {
  if (wanted.length === 0) return 'The lineup is empty.';
  const refused = wanted.flatMap((agent) => unboxed?.get(agent) ?? []);
  if (refused.length > 0) return `No agent can run in a box (run.confine: required): ${refused.join('; ')}.`;
  if (wanted.length === 1) return `The agent ${wanted[0]} is not installed.`;
  return `None of the agents ${wanted.join(', ')} is installed.`;
}
