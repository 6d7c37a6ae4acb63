// A figure with its 95 % confidence interval for one look, and the values that it is made of.

export interface Figure {
  /** How many were counted. */
  readonly total: number;
  /** Of a share: how many of them match. */
  readonly count?: number;
  /** A share from 0 to 1, or a mean; absent without data. */
  readonly value?: number;
  /** Absent when there is too little data for one. */
  readonly interval?: Interval;
  /** Of one value; absent when there is too little data for it. */
  readonly variance?: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Values within a known range, and how often each came. */
export interface Values {
  readonly range: Interval;
  readonly times: ReadonlyMap<number, number>;
}

/** Of the normal distribution: 95 % lie within this many standard deviations. */
const Z = 1.959964;

/** Of values and how often they came. A value outside of the range counts as the end of it. */
export function valuesOf(counted: Iterable<readonly [value: number, times: number]>, range: Interval): Values {
  const times = new Map<number, number>();
  for (const [value, count] of counted) {
    const near = Math.min(range.high, Math.max(range.low, value));
    times.set(near, (times.get(near) ?? 0) + count);
  }
  return { range, times };
}

/** All these, and one of each of `more`. */
export function together(all: readonly [Values, ...Values[]], more: readonly number[]): Values {
  const times = new Map<number, number>();
  const each = [...all.flatMap((values) => [...values.times]), ...more.map((value) => [value, 1] as const)];
  for (const [value, count] of each) times.set(value, (times.get(value) ?? 0) + count);
  return { range: all[0].range, times };
}

/** The mean is 0 without data, and the variance that of one value. */
export function momentsOf({ times }: Values): {
  readonly total: number;
  readonly mean: number;
  readonly variance: number;
} {
  let [total, sum] = [0, 0];
  for (const [value, count] of times) {
    total += count;
    sum += value * count;
  }
  const mean = total === 0 ? 0 : sum / total;
  let squares = 0;
  for (const [value, count] of times) squares += count * (value - mean) ** 2;
  return { total, mean, variance: total > 1 ? squares / (total - 1) : 0 };
}

/** A share, with Wilson's score interval, which stays within 0 and 1 and holds for few and for extreme counts.
 *  A count above the total is taken as the total. */
export function shareOf(counted: number, total: number): Figure {
  if (!(total > 0)) return { total: 0, count: 0 };
  const count = Math.min(Math.max(counted, 0), total);
  const value = count / total;
  const scale = 1 + Z ** 2 / total;
  const middle = (value + Z ** 2 / (2 * total)) / scale;
  const half = (Z / scale) * Math.sqrt((value * (1 - value)) / total + Z ** 2 / (4 * total ** 2));
  // The ends are exact at 0 and 1, where rounding would leave a trace.
  const low = count === 0 ? 0 : Math.max(0, middle - half);
  const high = count === total ? 1 : Math.min(1, middle + half);
  // One match and one other more, so that a share of 0 or 1 does not look certain (Agresti and Caffo).
  const even = (count + 1) / (total + 2);
  return { total, count, value, interval: { low, high }, variance: even * (1 - even) };
}

/** The mean of values that are shares themselves. Of all values from 0 to 1 with such a mean, those of a share vary most, so that its
 *  interval holds for them too. */
export function meanShareOf(values: Values): Figure {
  const { total, mean } = momentsOf(values);
  const { count: _, ...figure } = shareOf(mean * total, total);
  return figure;
}

/** A mean, with Student's t. */
export function meanOf(values: Values): Figure {
  const { total, mean: value, variance } = momentsOf(values);
  if (total === 0) return { total };
  if (total === 1) return { total, value };
  // The first term of the expansion of t around the normal; within 1 % from 10 values on.
  const t = Z + (Z ** 3 + Z) / (4 * (total - 1));
  const half = t * Math.sqrt(variance / total);
  return { total, value, interval: { low: value - half, high: value + half }, variance };
}
