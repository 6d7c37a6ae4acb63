import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { everydayRows } from '../../test/long.ts';
import { type Draw, found, LOOKS, type Study, shareFound, show } from '../../test/reports/studies.ts';
import { IS_LONG, scaled } from '../../test/scale.ts';
import { randomFrom } from '../../test/stores/random.ts';
import { excludes, excludesMean, sequenceOf, sequenceOfPairs } from './sequence.ts';
import { shareOf, type Values, valuesOf } from './statistics.ts';

const STUDIES = scaled(4000);
const SHARES = { low: 0, high: 1 };
const ATTEMPTS = { low: 1, high: 8 };
const LOGS = { low: 0, high: Math.log1p(100) };

const share = (chance: number): Draw => {
  return (random) => (random() < chance ? 1 : 0);
};
const either = (usual: number, chance: number, other: number): Draw => {
  return (random) => (random() < chance ? other : usual);
};
const always = (value: number): Draw => {
  return () => value;
};
const until = (chance: number): Draw => {
  return (random) => 2 + Math.floor(Math.log(1 - random()) / Math.log(1 - chance));
};
const heavy = (steepness: number): Draw => {
  return (random) => Math.floor((1 - random()) ** (-1 / steepness));
};
/** The logarithm of as many actions and one. */
const actions = (draw: Draw): Draw => {
  return (random, at) => Math.log1p(draw(random, at));
};
/** By tens from ten on: the fewer values there are, the sooner a study is over. */
const lognormal: Draw = (random) => {
  const count = Math.exp(2 + Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  return count < 10 ? Math.round(count) : 10 * Math.round(count / 10);
};

/** Always the mean that the values of this draw have in this range. */
function meanOf(draw: Draw, { low, high }: Range): Draw {
  const random = randomFrom(1);
  const values = Array.from({ length: 400_000 }, () => Math.min(high, Math.max(low, draw(random, 0))));
  return always(values.reduce((sum, each) => sum + each, 0) / values.length);
}

type Range = Study['range'];
type Groups = Pick<Study, 'given' | 'without' | 'range'>;
const groupsOf: Readonly<Record<'in control' | 'given' | 'in both', (draw: Draw, range: Range) => Groups>> = {
  'in control': (draw, range) => ({ given: meanOf(draw, range), without: draw, range }),
  given: (draw, range) => ({ given: draw, without: meanOf(draw, range), range }),
  'in both': (draw, range) => ({ given: draw, without: draw, range }),
};

/** The group without such values always has their mean. The everyday run has the first five. */
const ROWS: readonly (readonly [name: string, where: keyof typeof groupsOf, draw: Draw, range: Range])[] = [
  ['attempts: 1, in 5 % 20', 'in control', either(1, 0.05, 20), ATTEMPTS],
  ['attempts: 1, in 5 % 20', 'given', either(1, 0.05, 20), ATTEMPTS],
  ['attempts: a heavy tail', 'in control', heavy(1.5), ATTEMPTS],
  ['actions: 0, in 5 % 100', 'in control', actions(either(0, 0.05, 100)), LOGS],
  ['share of 15 %', 'in both', share(0.15), SHARES],
  ['attempts: 1, in 5 % 20', 'in both', either(1, 0.05, 20), ATTEMPTS],
  ['attempts: a heavy tail', 'given', heavy(1.5), ATTEMPTS],
  ['attempts: until one passes', 'in control', until(0.4), ATTEMPTS],
  ['attempts: until one passes', 'given', until(0.4), ATTEMPTS],
  ['attempts: until one passes', 'in both', until(0.4), ATTEMPTS],
  ['attempts: 1, in 30 % 8', 'in control', either(1, 0.3, 8), ATTEMPTS],
  ['attempts: 1, in 30 % 8', 'given', either(1, 0.3, 8), ATTEMPTS],
  ['attempts: 8, in 5 % 1', 'in control', either(8, 0.05, 1), ATTEMPTS],
  ['attempts: 8, in 5 % 1', 'given', either(8, 0.05, 1), ATTEMPTS],
  ['actions: 0, in 5 % 100', 'given', actions(either(0, 0.05, 100)), LOGS],
  ['actions: lognormal', 'in control', actions(lognormal), LOGS],
  ['actions: lognormal', 'given', actions(lognormal), LOGS],
  ['actions: lognormal', 'in both', actions(lognormal), LOGS],
  ['helpers: all or nothing', 'in control', share(0.5), SHARES],
  ['helpers: all or nothing', 'given', share(0.5), SHARES],
  ['share of 2 %', 'in both', share(0.02), SHARES],
  ['share of 5 %', 'in both', share(0.05), SHARES],
  ['share of 30 %', 'in both', share(0.3), SHARES],
  ['share of 50 %', 'in both', share(0.5), SHARES],
  ['share of 90 %', 'in both', share(0.9), SHARES],
];
const HELD = [0.1, 0.02, 0.5, 0.9];

describe('without a difference of the means, false alarms over 100 looks are 5 % at most', () => {
  test.each(everydayRows(ROWS, 0, 1, 2, 3, 4))('%s, %s', (name, where, draw, range) => {
    const groups = groupsOf[where](draw, range);
    for (const held of everydayRows(HELD, 0)) {
      // A control group of a fiftieth has its 20 cases only with more cases in each look.
      const rate = shareFound(STUDIES, { ...groups, held, perLook: held < 0.1 ? 40 : 8 });
      show(`${name}, ${where}, control group of ${held}`, rate);
      expect(rate).toBeLessThanOrEqual(0.05);
    }
    if (!IS_LONG) return;
    const rate = shareFound(STUDIES / 5, { ...groups, held: 0.1, perLook: 80 });
    show(`${name}, ${where}, control group of 0.1, 80 in each look`, rate);
    expect(rate).toBeLessThanOrEqual(0.05);
  });

  const chances: Readonly<Record<string, (at: number) => number>> = {
    'more and more pass': (at) => 0.2 + (0.6 * at) / (8 * LOOKS),
    'of a hundred most pass, of the next hundred few': (at) => (at % 200 < 100 ? 0.95 : 0.05),
    'tasks with three attempts are easy or hard': (at) => (Math.floor(at / 3) % 2 === 0 ? 0.9 : 0.05),
  };
  test.each(Object.entries(chances))('while the chance changes in both groups alike: %s', (name, chance) => {
    const draw: Draw = (random, at) => (random() < chance(at) ? 1 : 0);
    for (const held of everydayRows(HELD, 0)) {
      const rate = shareFound(STUDIES, { ...groupsOf['in both'](draw, SHARES), held });
      show(`${name}, control group of ${held}`, rate);
      expect(rate).toBeLessThanOrEqual(0.05);
    }
  });

  test.each(everydayRows([3, 16, 17, 23], 0))('where each look sees the last 30 only (row %i)', (row) => {
    const [name, where, draw, range] = ROWS[row] ?? expect.fail();
    for (const held of everydayRows([0.1, 0.5], 0)) {
      const rate = shareFound(STUDIES, { ...groupsOf[where](draw, range), held, window: 30 });
      show(`${name}, ${where}, control group of ${held}, the last 30 looks`, rate);
      expect(rate).toBeLessThanOrEqual(0.05);
    }
  });
});

test('a difference of the sequence is what it excludes: it holds the seen one, and is the same from the other side', () => {
  const counts = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 200 })), { minLength: 1 });
  fc.assert(
    fc.property(counts, counts, (given, without) => {
      const [one, other] = [valuesOf(given, ATTEMPTS), valuesOf(without, ATTEMPTS)];
      const { value, low, high } = sequenceOf(one, other) ?? expect.fail();
      expect(low).toBeLessThan(value + 1e-9);
      expect(high).toBeGreaterThan(value - 1e-9);
      const turned = sequenceOf(other, one) ?? expect.fail();
      expect([turned.low, turned.high]).toEqual([expect.closeTo(-high, 2), expect.closeTo(-low, 2)]);
      for (const difference of [-2, -0.5, 0, 0.5, 2]) {
        if (Math.min(Math.abs(difference - low), Math.abs(difference - high)) < 0.01) continue;
        expect(excludes(one, other, difference)).toBe(difference < low || difference > high);
      }
    }),
    { numRuns: scaled(1000) },
  );
});

test('is narrower with more of the same', () => {
  const of = (times: number): number => {
    const each = (values: readonly number[]): Values =>
      valuesOf(
        values.map((value) => [value, times]),
        ATTEMPTS,
      );
    const { low, high } = sequenceOf(each([2, 2, 3, 5]), each([2, 3, 4])) ?? expect.fail();
    return high - low;
  };
  const widths = [1, 4, 16, 64, 256].map(of);
  expect(widths).toEqual(widths.toSorted((one, other) => other - one));
  expect(widths.at(-1)).toBeLessThan(0.6);
});

test('means that differ by 30 % are found: by most studies within 200 cases where half are in the control group, and 600 where a tenth is', () => {
  const of = (held: number): number =>
    found(200, { given: until(1 / 1.8), without: until(1 / 3), range: ATTEMPTS, held })[160] ?? Infinity;
  expect(of(0.5)).toBeLessThanOrEqual(200);
  expect(of(0.1)).toBeLessThanOrEqual(600);
});

test('a look with an interval for one look only would be misled far more often', () => {
  const random = randomFrom(3);
  let misled = 0;
  for (let study = 0; study < 200; study += 1) {
    const counts: [number, number][] = [
      [0, 0],
      [0, 0],
    ];
    const isMisled = Array.from({ length: LOOKS }).some(() => {
      for (const count of counts) for (let turn = 0; turn < 4; turn += 1) count[random() < 0.5 ? 1 : 0] += 1;
      const [one, other] = counts.map(([none, all]) => shareOf(all, none + all));
      const spread = (one?.variance ?? 0) / (one?.total ?? 1) + (other?.variance ?? 0) / (other?.total ?? 1);
      return Math.abs((one?.value ?? 0) - (other?.value ?? 0)) > 1.96 * Math.sqrt(spread);
    });
    if (isMisled) misled += 1;
  }
  expect(misled / 200).toBeGreaterThan(0.15);
});

test('groups without data have no difference, and values that are all the same are not certain', () => {
  expect(sequenceOf(valuesOf([[1, 2]], SHARES), valuesOf([], SHARES))).toBeUndefined();
  expect(sequenceOfPairs(valuesOf([], { low: -1, high: 1 }))).toBeUndefined();
  const same20 = valuesOf([[2, 20]], ATTEMPTS);
  const { value, low, high } = sequenceOf(same20, same20) ?? expect.fail();
  expect([value, low < -0.5, high > 0.5]).toEqual([0, true, true]);
  // No number of cases excludes the ends of what is possible.
  expect([excludes(same20, same20, 7), excludesMean(same20, 1), excludesMean(same20, 8)]).toEqual([
    false,
    false,
    false,
  ]);
});
