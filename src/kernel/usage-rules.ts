// Where an agent names the tokens it used, their cost, and how much of its allowance is used up: data in its folder, tried on every
// JSON value of its output or of its transcript. Numbers of another program: whatever is no sensible count is unknown.

import { type Conditions, holds, valuesAt } from './record-path.ts';
import type { Usage } from './usage.ts';

export interface UsageRule {
  readonly when: Conditions;
  /** `part`: of one message, parts add up. `total`: of this run of the agent so far, the last one counts. `session`: the same, and
   *  of the runs before that had the same session. A total counts more than parts. */
  readonly is: 'part' | 'total' | 'session';
  /** Path of a part's id: of parts with the same id the last one counts. */
  readonly id?: string;
  /** Paths (kernel/record-path.ts) whose numbers add up to all tokens read, cached ones included; with a minus before it, a path's
   *  numbers are taken off. Those that are missing count as nothing, if one is there. */
  readonly input: readonly string[];
  readonly cached?: readonly string[];
  /** Thoughts included. */
  readonly output: readonly string[];
  /** Only where it is in US dollars. */
  readonly costUsd?: readonly string[];
}

/** How much of an allowance is used up: a limit of five hours, of a week. */
export interface LimitRule {
  readonly when: Conditions;
  /** Path of the windows, each with a limit of its own. */
  readonly windows: string;
  /** Paths inside a window: the used part, and when it resets, in seconds since 1970. */
  readonly used: string;
  readonly resetsAt?: string;
  /** What `used` is when everything is used up. */
  readonly full: 1 | 100;
}

export interface UsageSpec {
  readonly usage?: readonly UsageRule[];
  readonly limits?: readonly LimitRule[];
}

/** The fullest allowance of an agent. */
export interface Announced {
  readonly percent: number;
  /** Milliseconds since 1970; absent when it named no time. */
  readonly resetAt?: number;
}

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  /** That of `input` when absent. */
  readonly cached?: number;
  readonly output: number;
}

/** More than any model reads in a year. */
const MOST_TOKENS = 1e12;
const MOST_USD = 1e6;

/** `undefined` when the value has nothing that can be used. */
export function usageIn(rule: UsageRule, value: unknown): Usage | undefined {
  const input = sumAt(value, rule.input, isCount);
  const output = sumAt(value, rule.output, isCount);
  const cached = sumAt(value, rule.cached ?? [], isCount);
  const costUsd = sumAt(value, rule.costUsd ?? [], isCost);
  // More from the cache than in all: one of them is wrong, and nobody knows which.
  const isWrong = cached !== undefined && input !== undefined && cached > input;
  const usage: Usage = {
    ...(input === undefined ? {} : { input }),
    ...(cached === undefined || isWrong ? {} : { cached }),
    ...(output === undefined ? {} : { output }),
    // Agents write 0 for models whose price they do not know.
    ...(costUsd === undefined || costUsd === 0 ? {} : { costUsd, costBy: 'agent' }),
  };
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** Of several windows the fullest; of equally full ones the one that resets last. */
export function announcedIn(rule: LimitRule, value: unknown): Announced | undefined {
  if (!holds(rule.when, value)) return undefined;
  const windows = valuesAt(value, rule.windows).flatMap((window): Announced[] => {
    const used = valuesAt(window, rule.used)[0];
    if (typeof used !== 'number' || !(used >= 0) || used > 10 * rule.full) return [];
    const at = rule.resetsAt === undefined ? undefined : valuesAt(window, rule.resetsAt)[0];
    const isTime = typeof at === 'number' && at > 1e9 && at < 1e11;
    return [{ percent: (used / rule.full) * 100, ...(isTime ? { resetAt: Math.round(at * 1000) } : {}) }];
  });
  return windows.reduce<Announced | undefined>((most, each) => (isFuller(each, most) ? each : most), undefined);
}

function isFuller(one: Announced, other: Announced | undefined): boolean {
  if (other === undefined || one.percent !== other.percent) return one.percent > (other?.percent ?? -1);
  return (one.resetAt ?? 0) > (other.resetAt ?? 0);
}

/** With the cost by a price, where the agent named none and all counts are known. */
export function withPrice(usage: Usage | undefined, price: Price | undefined): Usage | undefined {
  if (usage === undefined || price === undefined || usage.costUsd !== undefined) return usage;
  const { input, cached = 0, output } = usage;
  if (input === undefined || output === undefined) return usage;
  const read = (input - cached) * price.input + cached * (price.cached ?? price.input);
  return { ...usage, costUsd: (read + output * price.output) / 1e6, costBy: 'price' };
}

function sumAt(value: unknown, paths: readonly string[], isRight: (one: unknown) => one is number): number | undefined {
  let sum: number | undefined;
  for (const path of paths) {
    const sign = path.startsWith('-') ? -1 : 1;
    for (const one of valuesAt(value, sign === 1 ? path : path.slice(1))) {
      if (!isRight(one)) return undefined;
      sum = (sum ?? 0) + sign * one;
    }
  }
  return isRight(sum) ? sum : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MOST_TOKENS;
}

function isCost(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST_USD;
}
