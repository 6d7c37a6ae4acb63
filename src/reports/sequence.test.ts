import { describe, expect, test } from 'vitest';
import { casesFor, sequenceOf } from './sequence.ts';
import { type Figure, meanOf, shareOf } from './statistics.ts';

const IS_LONG = process.env.FOREWORD_TEST_LONG === '1';
const STUDIES = IS_LONG ? 10_000 : 400;
const LOOKS = 100;
const PER_LOOK = 8;
const FEWEST = 20;

/** The same numbers every time. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Truth {
  readonly with: number;
  readonly without: number;
  readonly holdout: number;
}

/** How many of so many studies say at any of 100 looks that there is a difference. */
function alarms(studies: number, { with: given, without, holdout }: Truth): number {
  const random = randomOf(7);
  let found = 0;
  for (let study = 0; study < studies; study += 1) {
    const [one, other] = [
      { count: 0, total: 0 },
      { count: 0, total: 0 },
    ];
    for (let look = 0; look < LOOKS; look += 1) {
      for (let one_ = 0; one_ < PER_LOOK; one_ += 1) {
        const isHeld = random() < holdout;
        const group = isHeld ? other : one;
        group.total += 1;
        if (random() < (isHeld ? without : given)) group.count += 1;
      }
      if (one.total < FEWEST || other.total < FEWEST) continue;
      const { low, high } = sequenceOf(shareOf(one.count, one.total), shareOf(other.count, other.total), 0.15) ?? {
        low: 0,
        high: 0,
      };
      if (low > 0 || high < 0) {
        found += 1;
        break;
      }
    }
  }
  return found;
}

describe('without a difference, false alarms over 100 looks are 5 % at most', () => {
  test.each([
    [0.05, 0.5],
    [0.3, 0.1],
    [0.5, 0.5],
    [0.9, 0.1],
  ])('share %f, holdout %f', (share, holdout) => {
    const rate = alarms(STUDIES, { with: share, without: share, holdout }) / STUDIES;
    // What chance adds to 5 % in so many studies, once in a thousand.
    expect(rate).toBeLessThanOrEqual(0.05 + (IS_LONG ? 0 : 3.1 * Math.sqrt((0.05 * 0.95) / STUDIES)));
  });
});

test('a look with an interval for one look only would be misled far more often', () => {
  const random = randomOf(3);
  let misled = 0;
  for (let study = 0; study < 200; study += 1) {
    const sums = [0, 0];
    const totals = [0, 0];
    for (let look = 0; look < LOOKS; look += 1) {
      for (let group = 0; group < 2; group += 1)
        for (let turn = 0; turn < 4; turn += 1) {
          totals[group] = (totals[group] ?? 0) + 1;
          if (random() < 0.5) sums[group] = (sums[group] ?? 0) + 1;
        }
      const [one, other] = [0, 1].map((group) => shareOf(sums[group] ?? 0, totals[group] ?? 0)) as [Figure, Figure];
      const error = Math.sqrt((one.variance ?? 0) / one.total + (other.variance ?? 0) / other.total);
      if (Math.abs((one.value ?? 0) - (other.value ?? 0)) > 1.96 * error) {
        misled += 1;
        break;
      }
    }
  }
  expect(misled / 200).toBeGreaterThan(0.15);
});

test('a difference that is there is found, with about as many cases as were said to be needed', () => {
  const needed = casesFor(0.3, { variance: 0.45 * 0.55, held: 0.5 });
  expect(needed).toBeGreaterThan(80);
  expect(needed).toBeLessThan(LOOKS * PER_LOOK);
  const studies = IS_LONG ? 2000 : 200;
  expect(alarms(studies, { with: 0.6, without: 0.3, holdout: 0.5 }) / studies).toBeGreaterThan(0.95);
});

test('fewer cases are needed for a larger difference, and more with a small control group', () => {
  const of = (difference: number, held: number) => casesFor(difference, { variance: 0.25, held });
  expect(of(0.3, 0.5)).toBeLessThan(of(0.15, 0.5));
  expect(of(0.15, 0.1)).toBeGreaterThan(of(0.15, 0.5));
  expect(of(1e-9, 0.5)).toBe(1e7);
});

test('figures without data have no difference, and values that are all the same are not certain', () => {
  expect(sequenceOf(shareOf(1, 2), shareOf(0, 0), 0.15)).toBeUndefined();
  expect(sequenceOf(meanOf([1]), meanOf([2, 2]), 1)).toBeUndefined();
  const same = Array.from({ length: 20 }, () => 2);
  const { low, high } = sequenceOf(meanOf(same), meanOf(same), 1) ?? expect.fail();
  expect(low).toBeLessThan(0);
  expect(high).toBeGreaterThan(0);
});
