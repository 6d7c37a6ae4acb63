// The difference of two means with a confidence sequence: an interval that holds at every look together, so that whoever looks every
// day, and stops at the first clear difference, is misled in 5 % of all cases at most. It holds for values of any distribution within a
// known range and for groups of any size, in any order of the values, since it is made by betting (Waudby-Smith and Ramdas,
// "Estimating means of bounded random variables by betting", 2023): bets on values above a mean, or below it, gain nothing on average
// if that is their mean, so that 1 becomes 40 or more at any look in one of 40 cases at most. What bets gained so much against is
// excluded. Pure.

import { type Interval, momentsOf, type Values } from './statistics.ts';

export interface Difference extends Interval {
  readonly value: number;
}

/** One in twenty, half of it for each direction. */
const ALPHA = 0.05;
const ENOUGH = Math.log(2 / ALPHA);
/** What part of all that it has a bet stakes on each value; each begins with a sixth of the 1. Small stakes find differences that are
 *  small beside the spread, large ones large differences, and 0 loses nothing where the other group decides. These needed about the
 *  fewest cases for shares, attempts and actions with a tenth and a half in the control group; a difference of a hundredth of the
 *  range is out of their reach. */
const STAKES = [0, 0.02, 0.05, 0.15, 0.4, 0.9];
/** Parts of the range: where the search among means gives up, and how exact the ends of a sequence are. Both err on the safe side. */
const FINEST = 1e-6;
const FINE = 1e-4;

/** The values of both have the same range. */
export function sequenceOf(one: Values, other: Values): Difference | undefined {
  const [first, second] = [momentsOf(one), momentsOf(other)];
  if (first.total === 0 || second.total === 0) return undefined;
  const width = one.range.high - one.range.low;
  const value = first.mean - second.mean;
  const end = (bound: number): number => endOf(value, bound, (difference) => excludes(one, other, difference));
  return { value, low: end(-width), high: end(width) };
}

/** The same for pairs: the values are the differences within them. */
export function sequenceOfPairs(pairs: Values): Difference | undefined {
  const { total, mean: value } = momentsOf(pairs);
  if (total === 0) return undefined;
  const end = (bound: number): number => endOf(value, bound, (mean) => excludesMean(pairs, mean));
  return { value, low: end(pairs.range.low), high: end(pairs.range.high) };
}

/** Whether this difference of the means, one minus other, is not in the sequence. */
export function excludes(one: Values, other: Values, difference: number): boolean {
  const [first, second] = [unitOf(one), unitOf(other)];
  const part = difference / (one.range.high - one.range.low);
  return Math.abs(part) < 1 && (isLess(first, second, part) || isLess(second, first, -part));
}

/** Whether this mean is not in the sequence. */
export function excludesMean(values: Values, mean: number): boolean {
  const unit = unitOf(values);
  const part = (mean - values.range.low) / (values.range.high - values.range.low);
  if (part <= 0 || part >= 1) return false;
  return gainAbove(unit, part) >= ENOUGH || gainAbove(mirrorOf(unit), 1 - part) >= ENOUGH;
}

/** Where the sequence ends between a place within it and `bound`. */
function endOf(value: number, bound: number, isOut: (place: number) => boolean): number {
  let [within, out] = [value, bound];
  while (Math.abs(out - within) > FINE * Math.abs(bound - value)) {
    const middle = (within + out) / 2;
    if (isOut(middle)) out = middle;
    else within = middle;
  }
  return out;
}

/** Values as parts of their range, and how often each came. */
type Unit = readonly (readonly [value: number, times: number])[];

function unitOf({ range: { low, high }, times }: Values): Unit {
  return [...times].map(([value, count]) => [(value - low) / (high - low), count]);
}

/** Whether the mean of one minus that of the other is less than `part`: for every mean that one may have, a bet on less gained enough
 *  together with a bet on more than a mean of the other that is lower by `part`. The first gains more the higher the mean is, the
 *  second the lower, so that the ends of a stretch of means bound what is gained within it. */
function isLess(one: Unit, other: Unit, part: number): boolean {
  const mirrored = mirrorOf(one);
  const below = (mean: number): Place => ({ mean, gain: gainAbove(mirrored, 1 - mean) });
  const above = (mean: number): Place => ({ mean, gain: gainAbove(other, mean - part) });
  const isOut = (low: Place, high: Place, mean: number): boolean => {
    if (low.gain + high.gain >= ENOUGH) return true;
    const [less, more] = [below(mean), above(mean)];
    if (less.gain + more.gain < ENOUGH || high.mean - low.mean < FINEST) return false;
    return isOut(low, more, (low.mean + mean) / 2) && isOut(less, high, (mean + high.mean) / 2);
  };
  const [low, high] = [Math.max(0, part), Math.min(1, 1 + part)];
  const near = meanOf([...one, ...other.map(([value, times]) => [value + part, times] as const)]);
  // Most often the first mean that is tried is not excluded.
  const isWithin = low < near && near < high;
  return isOut(below(low), above(high), isWithin ? near : (low + high) / 2);
}

interface Place {
  readonly mean: number;
  readonly gain: number;
}

function meanOf(values: Unit): number {
  const [sum, total] = values.reduce(([sum, all], [value, times]) => [sum + value * times, all + times], [0, 0]);
  return sum / total;
}

function mirrorOf(values: Unit): Unit {
  return values.map(([value, times]) => [1 - value, times]);
}

/** The logarithm of what is made of 1 by bets that values lie above a mean, which is not 0. */
function gainAbove(values: Unit, mean: number): number {
  const gains = STAKES.map((stake) =>
    values.reduce((sum, [value, times]) => sum + times * Math.log1p(stake * (value / mean - 1)), 0),
  );
  const most = Math.max(...gains);
  return most + Math.log(gains.reduce((sum, gain) => sum + Math.exp(gain - most), 0) / STAKES.length);
}
