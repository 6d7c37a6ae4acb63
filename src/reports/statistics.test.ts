import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meanOf, meanShareOf, shareOf, valuesOf } from './statistics.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 20_000 : 1000 };

describe('a share', () => {
  // Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i has the published interval', (count, total, low, high) => {
    const { value, interval } = shareOf(count, total);
    expect(value).toBe(count / total);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  test('of nothing has no value', () => {
    expect(shareOf(0, 0)).toEqual({ total: 0, count: 0 });
  });

  test('lies in its interval, which lies within 0 and 1 and gets no wider with more of the same', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5000 }), fc.integer({ min: 1, max: 5000 }), (one, total) => {
        const { value, interval } = shareOf(one, total);
        expect(interval!.low).toBeGreaterThanOrEqual(0);
        expect(interval!.low).toBeLessThanOrEqual(value!);
        expect(interval!.high).toBeGreaterThanOrEqual(value!);
        expect(interval!.high).toBeLessThanOrEqual(1);
        const more = shareOf(one * 4, total * 4).interval!;
        expect(more.high - more.low).toBeLessThanOrEqual(interval!.high - interval!.low);
      }),
      RUNS,
    );
  });
});

const TEN = { low: 0, high: 10 };

describe('a mean', () => {
  test('has the interval of Student', () => {
    // t for 19 degrees of freedom is 2.0930; the standard deviation here is 1.0260.
    const figure = meanOf(
      valuesOf(
        [
          [1, 10],
          [3, 10],
        ],
        TEN,
      ),
    );
    expect(figure.value).toBe(2);
    expect(figure.interval!.high - 2).toBeCloseTo(2.093 * (1.026 / Math.sqrt(20)), 2);
  });

  test('of one value has no interval, of none no value', () => {
    expect(meanOf(valuesOf([[3, 1]], TEN))).toEqual({ total: 1, value: 3 });
    expect(meanOf(valuesOf([], TEN))).toEqual({ total: 0 });
  });

  test('of shares has the interval of a share, and no count', () => {
    const shares = valuesOf(
      [0.5, 1, 0, 0.5].map((value) => [value, 1]),
      { low: 0, high: 1 },
    );
    const { count: _, ...figure } = shareOf(2, 4);
    expect(meanShareOf(shares)).toEqual(figure);
  });
});

test('what lies outside of the range counts as the end of it', () => {
  const { times } = valuesOf(
    [4, 20, -1, 12].map((value) => [value, 2]),
    TEN,
  );
  expect([...times]).toEqual([
    [4, 2],
    [10, 4],
    [0, 2],
  ]);
});
