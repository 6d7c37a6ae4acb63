// Measurement: what `foreword verify` found out about one version of an agent, way by way, and what follows from it for
// the order in which `foreword start` tries the ways in.

import type { Channel } from '../kernel/receipt.ts';
import type { Arrival, ArrivalKind } from './arrival.ts';

/** Each moment and each way in that is tried, in the order of the matrix. `hook-…` are the hooks that `foreword init` puts
 *  in; `start-…` the ways of `foreword start`; `file` is a managed block that stands in an instruction file at the start. */
export const TRIED = [
  'hook-session-start',
  'hook-prompt',
  'hook-first-tool',
  'start-hook',
  'start-flag',
  'start-typed',
  'file',
] as const;
export type Tried = (typeof TRIED)[number];

/** For people; the matrix has them as headings. */
export const TRIED_TITLES: Readonly<Record<Tried, string>> = {
  'hook-session-start': 'session start (hook)',
  'hook-prompt': 'prompt (hook)',
  'hook-first-tool': 'first tool (hook)',
  'start-hook': 'start by hook',
  'start-flag': 'start by flag',
  'start-typed': 'start by typing',
  file: 'instruction file',
};

export interface Measurement {
  readonly agent: string;
  /** As the agent says it; `unknown` when it does not. */
  readonly version: string;
  /** ISO time. */
  readonly at: string;
  readonly arrivals: Readonly<Partial<Record<Tried, Arrival>>>;
}

/** What decides about a rung of the ladder. The hooks of init are no rung: they work beside it. */
const RUNGS: Readonly<Partial<Record<Channel, Tried>>> = {
  hook: 'start-hook',
  flag: 'start-flag',
  typed: 'start-typed',
  file: 'file',
};

const BROKEN: readonly ArrivalKind[] = ['dropped', 'truncated'];

/** The ladder with the ways that were seen to fail behind those that were seen to work; each kind keeps its order, and
 *  what was not measured keeps its place before or after them. Nothing is ever left out: the next version may be mended,
 *  and a way that failed is better than none. */
export function orderLadder(ladder: readonly Channel[], measured: Measurement | undefined): readonly Channel[] {
  const kindOf = (channel: Channel): ArrivalKind | undefined => {
    const tried = RUNGS[channel];
    return tried === undefined ? undefined : measured?.arrivals[tried]?.kind;
  };
  const isBroken = (channel: Channel): boolean => BROKEN.includes(kindOf(channel) ?? 'not offered');
  const lastServed = ladder.findLastIndex((channel) => kindOf(channel) === 'served');
  const before = ladder.slice(0, lastServed + 1);
  return [
    ...before.filter((channel) => !isBroken(channel)),
    ...before.filter(isBroken),
    ...ladder.slice(lastServed + 1),
  ];
}

/** The version in what a program answers to --version: `codex-cli 0.166.0`, `2.1.325 (Claude Code)`. */
export function versionIn(answer: string): string | undefined {
  return /\d+(?:\.\d+)+(?:[-+.][0-9A-Za-z.-]+)?/.exec(answer)?.[0];
}
