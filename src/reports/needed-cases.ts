// How many cases show a difference in eight of ten studies: the fewest from which the sequence excludes 0, if values are like those
// seen so far, the means differ so much, and chance takes as much of that away as it does in eight of ten. Pure.

import { excludes, excludesMean } from './sequence.ts';
import { momentsOf, type Values } from './statistics.ts';

/** Of the normal distribution: eight of ten lie below. */
const POWER_Z = 0.841621;
const MOST_CASES = 1e7;

/** In both groups together, if a share `held` of them is in the control group. Below 0 the mean of the control group is the larger one. */
export function casesFor(difference: number, { like, held }: { readonly like: Values; readonly held: number }): number {
  const [least, most] = [Math.min(...like.times.keys()), Math.max(...like.times.keys())];
  const wanted = momentsOf(like).mean + held * difference;
  const mean = Math.min(most, most + difference, Math.max(least, least + difference, wanted));
  const [one, other] = [tilted(like, mean), tilted(like, mean - difference)];
  const spread = momentsOf(one).variance / (1 - held) + momentsOf(other).variance / held;
  return fewestFor({ difference, spread }, (cases, chance) =>
    excludes(timesOf(one, cases * (1 - held)), timesOf(other, cases * held), chance),
  );
}

/** The values are the differences within pairs. */
export function pairsFor(difference: number, like: Values): number {
  const pairs = tilted(like, difference);
  const spread = momentsOf(pairs).variance;
  return fewestFor({ difference, spread }, (count, chance) => excludesMean(timesOf(pairs, count), chance));
}

/** Eight of ten studies see the difference less `chance`, or more. That what they see excludes 0 is found from the whole difference, which
 *  then excludes `chance`. */
function fewestFor(
  { difference, spread }: { readonly difference: number; readonly spread: number },
  isShown: (cases: number, chance: number) => boolean,
): number {
  const isEnough = (cases: number): boolean => {
    const chance = POWER_Z * Math.sqrt(spread / cases);
    return chance < Math.abs(difference) && isShown(cases, Math.sign(difference) * chance);
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

/** As steep as a tilt gets over the whole range. */
const STEEPEST = 50;

/** The same values with another mean: the larger a value, the more often, or the more seldom, it comes. */
function tilted(like: Values, mean: number): Values {
  const { range, times } = like;
  const { total } = momentsOf(like);
  const width = range.high - range.low;
  const by = (tilt: number): Values => {
    const weighed = [...times].map(
      ([value, count]) => [value, count * Math.exp((tilt * (value - mean)) / width)] as const,
    );
    return timesOf({ range, times: new Map(weighed) }, total);
  };
  let [low, high] = [-STEEPEST, STEEPEST];
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (momentsOf(by(middle)).mean < mean) low = middle;
    else high = middle;
  }
  return by(high);
}

/** As many values, in the same shares. */
function timesOf(values: Values, count: number): Values {
  const factor = count / momentsOf(values).total;
  return { range: values.range, times: new Map([...values.times].map(([value, times]) => [value, times * factor])) };
}
