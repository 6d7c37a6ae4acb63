import { describe, expect, test } from 'vitest';
import { everydayRows } from '../../test/long.ts';
import { type Draw, found, LOOKS, show } from '../../test/reports/studies.ts';
import { scaled } from '../../test/scale.ts';
import { randomFrom } from '../../test/stores/random.ts';
import { casesFor, pairsFor } from './needed-cases.ts';
import { excludesMean } from './sequence.ts';
import { type Interval, momentsOf, together, type Values, valuesOf } from './statistics.ts';

const SHARES = { low: 0, high: 1 };
const ATTEMPTS = { low: 1, high: 8 };
const LOGS = { low: 0, high: Math.log1p(100) };

const share = (chance: number): Draw => {
  return (random) => (random() < chance ? 1 : 0);
};
const until = (chance: number): Draw => {
  return (random) => 2 + Math.floor(Math.log(1 - random()) / Math.log(1 - chance));
};
/** The logarithm of as many actions and one. */
const actions = (middle: number): Draw => {
  return (random) => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.log1p(Math.round(middle * Math.exp(0.8 * normal)));
  };
};

function many(draw: Draw, range: Interval, count: number): Values {
  const random = randomFrom(2);
  return valuesOf(
    Array.from({ length: count }, () => [draw(random, 0), 1]),
    range,
  );
}

const ROWS: readonly (readonly [name: string, given: Draw, without: Draw, range: Interval])[] = [
  ['shares of 60 and 30 %', share(0.6), share(0.3), SHARES],
  ['attempts until one passes', until(1 / 1.8), until(1 / 3), ATTEMPTS],
  ['actions, 9 and 14', actions(9), actions(14), LOGS],
  ['shares of 60 and 45 %', share(0.6), share(0.45), SHARES],
  ['shares of 90 and 75 %', share(0.9), share(0.75), SHARES],
  ['shares of 20 and 35 %', share(0.2), share(0.35), SHARES],
];

describe('with as many cases as are said to be needed, about eight of ten studies show the difference', () => {
  test.each(everydayRows(ROWS, 0, 1, 2))('%s', (name, given, without, range) => {
    for (const held of [0.1, 0.5]) {
      const groups = [many(given, range, 40_000 * (1 - held)), many(without, range, 40_000 * held)] as const;
      const difference = momentsOf(groups[0]).mean - momentsOf(groups[1]).mean;
      const needed = casesFor(difference, { like: together(groups, []), held });
      const perLook = Math.ceil(needed / LOOKS);
      const cases = found(scaled(1000), { given, without, range, held, perLook });
      const power = cases.filter((each) => each <= needed).length / cases.length;
      show(`power with the ${needed} cases that ${name} need, control group of ${held}`, power);
      expect(power).toBeGreaterThan(0.6);
      expect(power).toBeLessThan(0.97);
    }
  });

  test.each(everydayRows([[0.35, 0.05] as const, [0.25, 0.1] as const, [0.1, 0.25] as const], 1))(
    'pairs that end for the hand-over with a chance of %f, and against it with %f',
    (onlyWith, onlyWithout) => {
      const chances = [
        [1, onlyWith],
        [0, 1 - onlyWith - onlyWithout],
        [-1, onlyWithout],
      ] as const;
      const range = { low: -1, high: 1 };
      const of = (count: number): Values =>
        valuesOf(
          chances.map(([end, chance]) => [end, chance * count]),
          range,
        );
      const needed = pairsFor(onlyWith - onlyWithout, of(1000));
      const draw: Draw = (random) => {
        const drawn = random();
        return drawn < onlyWith ? 1 : drawn < onlyWith + onlyWithout ? -1 : 0;
      };
      const random = randomFrom(5);
      const studies = Array.from({ length: scaled(1000) }, () => {
        const drawn = Array.from({ length: needed }, () => [draw(random, 0), 1] as const);
        return excludesMean(valuesOf(drawn, range), 0);
      });
      const power = studies.filter(Boolean).length / studies.length;
      show(`power with the ${needed} pairs that chances of ${onlyWith} and ${onlyWithout} need, one look`, power);
      expect(power).toBeGreaterThan(0.6);
      expect(power).toBeLessThan(0.95);
    },
  );
});

test('fewer cases are needed for a larger difference, and more with a small control group', () => {
  const like = valuesOf(
    [
      [0, 50],
      [1, 50],
    ],
    SHARES,
  );
  const of = (difference: number, held: number) => casesFor(difference, { like, held });
  expect(of(0.3, 0.5)).toBeLessThan(of(0.15, 0.5));
  expect(of(0.15, 0.1)).toBeGreaterThan(of(0.15, 0.5));
  expect(of(1e-9, 0.5)).toBe(1e7);
});

test('a difference that reaches the ends of what values are like, or goes beyond, has a finite number', () => {
  const like = valuesOf(
    [
      [1, 97],
      [0, 3],
    ] as const,
    SHARES,
  );
  for (const difference of [0.5, 1, -0.5, -1]) {
    const needed = casesFor(difference, { like, held: 0.5 });
    expect(needed).toBeGreaterThan(5);
    expect(needed).toBeLessThan(300);
  }
  expect(
    pairsFor(
      1,
      valuesOf(
        [
          [1, 1],
          [-1, 1],
        ] as const,
        { low: -1, high: 1 },
      ),
    ),
  ).toBeLessThan(40);
});
