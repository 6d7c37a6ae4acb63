// Caps of a run: what it may use in money, tokens, attempts and time, and when that is reached. Pure; budget.ts feeds it.
//
// Two questions. `reached`: nothing more is begun once a cap is used up. `passed`: what runs now is ended once the finished attempts
// and those that run are together above a cap. So a run is never over by more than what was streaming at that moment. The number
// of attempts never ends one. What an agent does not name counts as nothing here, so agents that name no cost are refused before
// a run with a cap on it (name-cost.ts), and one that turns out to name none ends it.

import { tokensOf, type Usage } from '../../kernel/usage.ts';

export type CapName = 'cost' | 'tokens' | 'attempts' | 'time';

/** Absent: no cap. */
export interface Caps {
  readonly costUsd?: number;
  readonly tokens?: number;
  /** Of the whole run, those before a restart included. */
  readonly attempts?: number;
  /** Of this call of `foreword run`. */
  readonly timeMs?: number;
}

export interface Amount {
  readonly costUsd: number;
  readonly tokens: number;
}

export interface BudgetState {
  /** Of attempts that ended, in this call and before it. */
  readonly spent: Amount;
  /** Those that ended and those that run. */
  readonly attempts: number;
  /** By attempt, and in it by whoever works for it: the agent, then the helper, then the reviewer. */
  readonly streaming: Readonly<Record<string, Readonly<Record<string, Amount>>>>;
  /** Those of `streaming` that are not counted yet. */
  readonly leftOpen?: readonly string[];
  /** An agent that worked, named its tokens and no cost. */
  readonly unpriced?: string;
}

export type BudgetEvent =
  /** Attempts that ended elsewhere: before this call, or in another one. */
  | { readonly kind: 'found'; readonly usages: readonly (Usage | undefined)[]; readonly attempts: number }
  | { readonly kind: 'begun'; readonly attempt: string }
  /** Its agent has ended elsewhere, and its work is still to be judged: whoever does that need not be allowed another attempt, so
   *  it is counted when it ends. */
  | { readonly kind: 'left-open'; readonly attempt: string }
  /** What one that works for it used so far. */
  | { readonly kind: 'streamed'; readonly attempt: string; readonly by: string; readonly usage: Usage }
  /** Its record is stored. Every agent that worked for it: the agent itself, the helper, the reviewer. */
  | { readonly kind: 'ended'; readonly attempt: string; readonly by: readonly AgentUse[] };

export interface AgentUse {
  readonly agent: string;
  readonly usage?: Usage | undefined;
}

export interface Reached {
  readonly cap: CapName;
  /** In the unit of the cap: US dollars, tokens, attempts, milliseconds. */
  readonly limit: number;
  readonly used: number;
  /** The cost of this agent's work is unknown, so that the cap cannot hold. */
  readonly unpriced?: string;
}

export const NOTHING_SPENT: BudgetState = { spent: { costUsd: 0, tokens: 0 }, attempts: 0, streaming: {} };

export function advance(state: BudgetState, event: BudgetEvent): BudgetState {
  switch (event.kind) {
    case 'found':
      return {
        ...state,
        spent: event.usages.map(amountOf).reduce(plus, state.spent),
        attempts: state.attempts + event.attempts,
      };
    case 'begun':
      return {
        ...state,
        attempts: state.attempts + 1,
        streaming: { ...state.streaming, [event.attempt]: {} },
      };
    case 'left-open':
      return {
        ...state,
        streaming: { ...state.streaming, [event.attempt]: {} },
        leftOpen: [...(state.leftOpen ?? []), event.attempt],
      };
    case 'streamed': {
      if (!Object.hasOwn(state.streaming, event.attempt)) return state;
      const all = { ...state.streaming[event.attempt], [event.by]: amountOf(event.usage) };
      return { ...state, streaming: { ...state.streaming, [event.attempt]: all } };
    }
    case 'ended': {
      const { [event.attempt]: known, ...streaming } = state.streaming;
      const spent = event.by.map(({ usage }) => amountOf(usage)).reduce(plus, state.spent);
      const isOpen = state.leftOpen?.includes(event.attempt) === true;
      const unpriced = event.by.find(({ usage }) => usage?.costUsd === undefined && (tokensOf(usage) ?? 0) > 0)?.agent;
      return {
        ...state,
        spent,
        streaming,
        // Its beginning was not ours to see: an attempt of a supervisor that died.
        attempts: state.attempts + (known === undefined || isOpen ? 1 : 0),
        ...(isOpen ? { leftOpen: state.leftOpen?.filter((attempt) => attempt !== event.attempt) ?? [] } : {}),
        ...(unpriced === undefined ? {} : { unpriced }),
      };
    }
  }
}

/** Why nothing more may begin; `undefined` while it may. `elapsedMs` is since this call began. */
export function reached(state: BudgetState, caps: Caps, elapsedMs: number): Reached | undefined {
  const used = usedBy(state, elapsedMs);
  const found = CAPS.find(([name]) => used[name] >= (limitOf(caps, name) ?? Number.POSITIVE_INFINITY));
  if (found !== undefined) return { cap: found[0], limit: limitOf(caps, found[0]) ?? 0, used: used[found[0]] };
  if (caps.costUsd === undefined || state.unpriced === undefined) return undefined;
  return { cap: 'cost', limit: caps.costUsd, used: used.cost, unpriced: state.unpriced };
}

/** Why what runs now must end. */
export function passed(state: BudgetState, caps: Caps, elapsedMs: number): Reached | undefined {
  const used = usedBy(state, elapsedMs);
  const found = CAPS.find(([name, ends]) => ends && used[name] > (limitOf(caps, name) ?? Number.POSITIVE_INFINITY));
  return found && { cap: found[0], limit: limitOf(caps, found[0]) ?? 0, used: used[found[0]] };
}

/** In the order in which they are named to a person, and whether they end what runs. */
const CAPS: readonly (readonly [CapName, boolean])[] = [
  ['cost', true],
  ['tokens', true],
  ['time', true],
  ['attempts', false],
];

function limitOf(caps: Caps, name: CapName): number | undefined {
  return { cost: caps.costUsd, tokens: caps.tokens, attempts: caps.attempts, time: caps.timeMs }[name];
}

function usedBy({ spent, streaming, attempts }: BudgetState, elapsedMs: number): Readonly<Record<CapName, number>> {
  const all = Object.values(streaming)
    .flatMap(Object.values<Amount>)
    .reduce(plus, spent);
  return { cost: all.costUsd, tokens: all.tokens, attempts, time: elapsedMs };
}

function plus(one: Amount, other: Amount): Amount {
  return { costUsd: one.costUsd + other.costUsd, tokens: one.tokens + other.tokens };
}

function amountOf(usage: Usage | undefined): Amount {
  return { costUsd: usage?.costUsd ?? 0, tokens: tokensOf(usage) ?? 0 };
}
