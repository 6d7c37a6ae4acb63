// A figure with its 95 % confidence interval.

export interface Figure {
  /** How many were counted. */
  readonly total: number;
  /** Of a share: how many of them match. */
  readonly count?: number;
  /** A share from 0 to 1, or a mean; absent without data. */
  readonly value?: number;
  /** Absent when there is too little data for one. */
  readonly interval?: Interval;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Of the normal distribution: 95 % lie within this many standard deviations. */
const Z = 1.959964;

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
  return { total, count, value, interval: { low, high } };
}

/** A mean, with Student's t. */
export function meanOf(values: readonly number[]): Figure {
  const total = values.length;
  if (total === 0) return { total };
  const value = values.reduce((sum, each) => sum + each, 0) / total;
  if (total === 1) return { total, value };
  const freedom = total - 1;
  const variance = values.reduce((sum, each) => sum + (each - value) ** 2, 0) / freedom;
  // The first term of the expansion of t around the normal; within 1 % from 10 values on.
  const t = Z + (Z ** 3 + Z) / (4 * freedom);
  const half = t * Math.sqrt(variance / total);
  return { total, value, interval: { low: value - half, high: value + half } };
}

/** One figure minus another, with Newcombe's interval, which combines those of the two. */
export function differenceOf(one: Figure, other: Figure): (Interval & { readonly value: number }) | undefined {
  if (one.value === undefined || other.value === undefined) return undefined;
  if (one.interval === undefined || other.interval === undefined) return undefined;
  const value = one.value - other.value;
  const down = Math.hypot(one.value - one.interval.low, other.interval.high - other.value);
  const up = Math.hypot(one.interval.high - one.value, other.value - other.interval.low);
  return { value, low: value - down, high: value + up };
}

export function overlaps(one: Interval, other: Interval): boolean {
  return one.low <= other.high && other.low <= one.high;
}
