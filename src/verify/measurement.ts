// Measurement: the results of `foreword verify` for one version of an agent, by channel, and the order in which
// `foreword start` then tries the channels.

import type { Channel } from '../kernel/receipt.ts';
import type { Arrival, ArrivalKind } from './arrival.ts';

/** Each moment and each channel that is tried, in the order of the matrix. `hook-…` are the hooks that `foreword init`
 *  installs; `start-…` the channels of `foreword start`; `file` is a managed block in an instruction file at the start. */
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

/** The heads of the matrix. */
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
  /** As the agent prints it; `unknown` when it prints none. */
  readonly version: string;
  /** ISO time. */
  readonly at: string;
  readonly arrivals: Readonly<Partial<Record<Tried, Arrival>>>;
}

/** The result that decides about each rung of the ladder. The hooks of init are not a rung: they work beside it. */
const RUNGS: Readonly<Partial<Record<Channel, Tried>>> = {
  hook: 'start-hook',
  flag: 'start-flag',
  typed: 'start-typed',
  file: 'file',
};

const BROKEN: readonly ArrivalKind[] = ['dropped', 'truncated'];

/** The ladder with the channels that failed after those that worked. Each kind keeps its order, and a channel that was not
 *  measured keeps its place before or after them. No channel is ever left out: the next version may be fixed, and a channel
 *  that failed is better than none. */
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

/** The version in a program's output of --version: `codex-cli 0.166.0`, `2.1.325 (Claude Code)`. */
export function versionIn(answer: string): string | undefined {
  return /\d+(?:\.\d+)+(?:[-+.][0-9A-Za-z.-]+)?/.exec(answer)?.[0];
}
