// Which box agents of a run would get on this machine, for doctor: one line for all, and one for each installed agent. Pure.

import type { Agent } from '../kernel/agent.ts';

export interface BoxFinding {
  /** The level, or why there is none. */
  readonly level: string;
  /** By the agent's name; empty where no agent is boxed. */
  readonly agents: Readonly<Record<string, string>>;
}

/** What is known of an agent in its box. `untriable`: its program or its data are the person's own. */
export type KnownTrial =
  | { readonly kind: 'untriable' }
  | { readonly kind: 'untried' }
  | { readonly kind: 'tried'; readonly version: string; readonly at: string; readonly why?: string | undefined };

export function boxFindingOf(asked: {
  readonly confine: 'auto' | 'required' | 'off';
  readonly found:
    | { readonly kind: 'ready'; readonly level: string }
    | { readonly kind: 'missing'; readonly why: string };
  readonly agents: readonly Agent[];
  readonly installed: ReadonlySet<string>;
  trialOf(agent: Agent): KnownTrial;
}): BoxFinding {
  const { confine, found, trialOf } = asked;
  if (confine === 'off') return { level: 'none: run.confine is off', agents: {} };
  const isRequired = confine === 'required';
  if (found.kind === 'missing') {
    const then = isRequired
      ? 'and one is required (run.confine): no agent gets work'
      : 'agents of runs work without one';
    return { level: `none: ${found.why}; ${then}`, agents: {} };
  }
  const without = isRequired ? 'gets no work' : 'runs without a box';
  const agents = asked.agents.filter(({ name }) => asked.installed.has(name));
  const lines = agents.map((agent) => [agent.name, lineOf(agent, trialOf(agent), without)] as const);
  return { level: `${found.level}${isRequired ? ', required' : ''}`, agents: Object.fromEntries(lines) };
}

function lineOf(agent: Agent, trial: KnownTrial, without: string): string {
  const { name, box } = agent;
  if (box === undefined) return `${without}: it is not known what ${name} needs of the home`;
  if (trial.kind === 'untriable') return 'boxed by its data, which cannot be tried here';
  if (trial.kind !== 'tried') return `not tried yet: the next run does it, or foreword verify ${name} --boxed`;
  const when = `${trial.version}, tried on ${trial.at.slice(0, 10)}`;
  return trial.why === undefined ? `boxed; ${when}` : `${without}: ${name} ${trial.why}; ${when}`;
}
