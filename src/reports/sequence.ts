// The difference of two figures with a confidence sequence: an interval that holds at every look together, so that whoever looks
// every day, and stops at the first clear difference, is misled in 5 % of all cases at most. It is that of Robbins' mixture of
// normal distributions, with an estimated variance (Waudby-Smith and others, "Time-uniform central limit theory", 2021). Wider than an interval for one look. Pure.

import type { Figure, Interval } from './statistics.ts';

export interface Difference extends Interval {
  readonly value: number;
}

/** One in twenty. */
const ALPHA = 0.05;
/** Of the normal distribution: eight of ten lie below. */
const POWER_Z = 0.841621;
const MOST_CASES = 1e7;

/** `scale` is a difference that would be worth knowing, in the unit of the figures: the sequence is narrowest for such. */
export function sequenceOf(one: Figure, other: Figure, scale: number): Difference | undefined {
  if (one.value === undefined || other.value === undefined) return undefined;
  if (one.variance === undefined || other.variance === undefined) return undefined;
  const together = togetherOf(one, other);
  const spread = errorOf(one, together, scale) + errorOf(other, together, scale);
  const value = one.value - other.value;
  const half = halfWidth(spread, scale);
  return { value, low: value - half, high: value + half };
}

/** The same for pairs: the figure is the mean of the differences within them. */
export function sequenceOfPairs({ total, value, variance }: Figure, scale: number): Difference | undefined {
  if (value === undefined || variance === undefined) return undefined;
  const half = halfWidth(variance / total, scale);
  return { value, low: value - half, high: value + half };
}

/** How many pairs show a difference of this size in eight of ten studies. */
export function pairsFor(difference: number, variance: number): number {
  return fewestFor(difference, (pairs) => variance / pairs);
}

/** How many cases in all show a difference of this size in eight of ten studies, if a share `held` of them is in the control
 *  group. */
export function casesFor(
  difference: number,
  { variance, held }: { readonly variance: number; readonly held: number },
): number {
  return fewestFor(difference, (cases) => variance / (cases * (1 - held)) + variance / (cases * held));
}

function fewestFor(difference: number, spreadOf: (cases: number) => number): number {
  const isEnough = (cases: number): boolean => {
    const spread = spreadOf(cases);
    return halfWidth(spread, difference) + POWER_Z * Math.sqrt(spread) <= difference;
  };
  let [low, high] = [1, MOST_CASES];
  if (!isEnough(high)) return MOST_CASES;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The squared error of a figure. A few values that are all the same do not make a mean certain: a small control group often lacks
 *  the rare values that a large one has. So its variance is that of both groups together at least (`together`), and its own where
 *  that is larger, since one group may really vary more. A share has such care in its variance. */
function errorOf({ total, variance = 0, count }: Figure, together: number, scale: number): number {
  const even = count === undefined ? Math.max(variance, together) + scale ** 2 / total : variance;
  return even / total;
}

/** The variance within the groups. */
function togetherOf(one: Figure, other: Figure): number {
  const [first, second] = [one.total - 1, other.total - 1];
  return (first * (one.variance ?? 0) + second * (other.variance ?? 0)) / (first + second);
}

function halfWidth(spread: number, scale: number): number {
  const ratio = scale ** 2 / spread;
  return Math.sqrt(spread * (2 * (1 + 1 / ratio)) * (Math.log(1 / ALPHA) + Math.log1p(ratio) / 2));
}
