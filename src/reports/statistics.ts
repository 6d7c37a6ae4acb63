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
  /** Of one value; absent when there is too little data for it. */
  readonly variance?: number;
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
  // One match and one other more, so that a share of 0 or 1 does not look certain (Agresti and Caffo).
  const even = (count + 1) / (total + 2);
  return { total, count, value, interval: { low, high }, variance: even * (1 - even) };
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
  return { total, value, interval: { low: value - half, high: value + half }, variance };
}
