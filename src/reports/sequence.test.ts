import { describe, expect, test } from 'vitest';
import { IS_LONG, scaled } from '../../test/scale.ts';
import { casesFor, sequenceOf } from './sequence.ts';
import { type Figure, meanOf, shareOf } from './statistics.ts';

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

const logOfOneMore = (actions: number): number => Math.log1p(actions);
const normalOf = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

interface Values {
  readonly of: (random: () => number) => number;
  /** A difference worth knowing. */
  readonly scale: number;
}

const either = (usual: number, share: number, rare: number): Values['of'] => {
  return (random) => (random() < share ? usual : rare);
};
const until = (share: number): Values['of'] => {
  return (random) => 2 + Math.floor(Math.log(1 - random()) / Math.log(1 - share));
};
const MEANS: Readonly<Record<string, Values>> = {
  'attempts: 2, or 10 in 3 %': { of: either(2, 0.97, 10), scale: 1 },
  'attempts: 2, or 6 in 5 %': { of: either(2, 0.95, 6), scale: 1 },
  'attempts: until one passes': { of: until(0.4), scale: 1 },
  'actions: 0, or 100 in 5 %': { of: either(logOfOneMore(0), 0.95, logOfOneMore(100)), scale: Math.log(1.5) },
  lognormal: { of: (random) => Math.exp(normalOf(random)), scale: 1 },
};

/** At how many cases each of so many studies of means first says that there is a difference; infinite where none of 100 looks does. */
function meansFound(studies: number, [given, without]: readonly [Values, Values], holdout: number): readonly number[] {
  const random = randomOf(11);
  return Array.from({ length: studies }, () => {
    const [one, other] = [new Sums(), new Sums()];
    for (let cases = PER_LOOK; cases <= LOOKS * PER_LOOK; cases += PER_LOOK) {
      for (let turn = 0; turn < PER_LOOK; turn += 1)
        if (random() < holdout) other.add(without.of(random));
        else one.add(given.of(random));
      if (one.total < FEWEST || other.total < FEWEST) continue;
      const { low, high } = sequenceOf(one.figure(), other.figure(), given.scale) ?? expect.fail();
      if (low > 0 || high < 0) return cases;
    }
    return Infinity;
  });
}

class Sums {
  total = 0;
  #sum = 0;
  #squares = 0;

  add(value: number): void {
    this.total += 1;
    this.#sum += value;
    this.#squares += value ** 2;
  }

  figure(): Figure {
    const value = this.#sum / this.total;
    const variance = Math.max(0, (this.#squares - this.total * value ** 2) / (this.total - 1));
    return { total: this.total, value, variance };
  }
}

describe('means without a difference: false alarms over 100 looks are 5 % at most', () => {
  test.each(Object.entries(MEANS).flatMap(([name, values]) => [0.1, 0.5].map((held) => ({ name, values, held }))))(
    '$name, holdout $held',
    ({ values, held }) => {
      const studies = scaled(10_000);
      const found = meansFound(studies, [values, values], held).filter(Number.isFinite);
      expect(found.length / studies).toBeLessThanOrEqual(0.05);
    },
  );

  test('with equal means, where one group varies far more than the other', () => {
    const [even, uneven] = [either(4, 1, 4), either(2, 0.75, 10)].map((of): Values => ({ of, scale: 1 }));
    const studies = scaled(10_000);
    const rate = (pair: readonly [Values, Values]): number =>
      meansFound(studies, pair, 0.1).filter(Number.isFinite).length / studies;
    const [narrow, wide] = [even ?? expect.fail(), uneven ?? expect.fail()];
    // What chance adds to 5 % in so many studies, once in a thousand.
    expect(rate([narrow, wide])).toBeLessThanOrEqual(0.05 + 3.1 * Math.sqrt((0.05 * 0.95) / studies));
    expect(rate([wide, narrow])).toBeLessThanOrEqual(0.05);
  });
});

test('means that differ by 30 % are found: by most studies within 200 cases where half are in the control group, and 600 where a tenth is', () => {
  const [fewer, more] = [until(1 / 1.8), until(1 / 3)].map((of): Values => ({ of, scale: 1 }));
  const of = (held: number): number =>
    meansFound(200, [fewer ?? expect.fail(), more ?? expect.fail()], held).toSorted((one, other) => one - other)[160] ??
    Infinity;
  expect(of(0.5)).toBeLessThanOrEqual(200);
  expect(of(0.1)).toBeLessThanOrEqual(640);
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
