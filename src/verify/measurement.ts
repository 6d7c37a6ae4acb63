// Measurement: the results of `foreword verify` for one version of an agent, by channel, and the order in which
// `foreword start` then tries the channels.

import type { Channel } from '../kernel/receipt.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import type { Arrival, ArrivalKind } from './arrival.ts';
import type { RequestPlace } from './kept-prefix.ts';

/** Each moment and each channel that is tried, in the order of the matrix. `hook-…` are the hooks that `foreword init`
 *  installs; `start-…` the channels of `foreword start`; `file` is a managed block in an instruction file at the start. */
export const TRIED = [
  'hook-session-start',
  'hook-prompt',
  'hook-first-tool',
  'hook-compaction',
  'hook-subagent',
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
  'hook-compaction': 'after compaction (hook)',
  'hook-subagent': 'sub-agent (hook)',
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
  /** In the session in which it was tried: how much of each request stood unchanged at the beginning of the next one, so that a
   *  service finds it in its cache. Absent in results of older versions, and where one session is not one conversation. */
  readonly cache?: Readonly<Partial<Record<Tried, CacheReceipt>>>;
}

export interface CacheKept {
  /** Requests that followed another one, and how many of them kept that one whole. */
  readonly steps: number;
  readonly whole: number;
  /** Characters of the requests that were followed by another one, and how many of them stood at the beginning of that one. Absent in
   *  results of older versions. */
  readonly kept?: number;
  readonly of?: number;
  /** The first request that did not keep the one before it whole, and where in that one the first difference is. */
  readonly broken?: FirstBreak;
}

export interface FirstBreak {
  /** The first request of a conversation is 1. */
  readonly request: number;
  readonly place: RequestPlace;
  readonly part: number;
  readonly character: number;
}

export interface CacheReceipt extends CacheKept {
  /** The same turns without foreword, where they were played. */
  readonly without?: CacheKept;
}

/** What a way in costs, as words; `undefined` where nothing is known. Tokens are an estimate. */
export function costWords({ arrivals, cache }: Measurement, tried: Tried): string | undefined {
  const arrival = arrivals[tried];
  const characters = arrival !== undefined && 'characters' in arrival ? arrival.characters : undefined;
  const kept = cache?.[tried];
  const words = [
    ...(characters === undefined
      ? []
      : [`${exact(characters)} characters, about ${exact(estimateTokens('x'.repeat(characters)))} tokens`]),
    ...(kept === undefined ? [] : [receiptWords(kept)]),
  ];
  return words.length === 0 ? undefined : words.join('; ');
}

function receiptWords({ without, ...kept }: CacheReceipt): string {
  if (kept.steps === 0) return 'one request';
  return `cache kept in ${keptWords(kept)}${without === undefined ? '' : `; without foreword in ${keptWords(without)}`}`;
}

function exact(value: number): string {
  return value.toLocaleString('en');
}

/** `100 %` is all of it and nothing less. */
function keptWords({ steps, whole, kept = 0, of = 0, broken }: CacheKept): string {
  const inAll = of === 0 ? '' : ` (${Math.floor((100 * kept) / of)} % of ${exact(of)} characters)`;
  const at = broken === undefined ? '' : `, request ${broken.request} differs in ${PLACES[broken.place]}`;
  return `${whole} of ${steps} requests${inAll}${at}`;
}

const PLACES: Readonly<Record<RequestPlace, string>> = {
  model: 'the model',
  tools: 'the tools',
  instructions: 'the instructions',
  conversation: 'the conversation',
};

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

/** How the reason of an agent begins that ended before anything could be tried. */
export const CANNOT_START = 'cannot start: ';

/** For the installed version of each agent: why it cannot be started, as far as that is known. */
export function startFaultOf(
  measurements: readonly (Measurement & { readonly isInstalled: boolean | undefined })[],
): (agent: string) => string | undefined {
  const reasonIn = (arrival: Arrival) => (arrival.kind === 'not measured' ? arrival.reason : '');
  return (agent) => {
    const own = measurements.find((one) => one.agent === agent && one.isInstalled === true);
    const reasons = Object.values(own?.arrivals ?? {}).map(reasonIn);
    return reasons.find((reason) => reason.startsWith(CANNOT_START));
  };
}

/** The version in a program's output of --version: `codex-cli 0.166.0`, `2.1.325 (Claude Code)`. */
export function versionIn(answer: string): string | undefined {
  return /\d+(?:\.\d+)+(?:[-+.][0-9A-Za-z.-]+)?/.exec(answer)?.[0];
}
