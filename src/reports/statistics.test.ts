import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meanOf, shareOf } from './statistics.ts';

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

describe('a mean', () => {
  test('has the interval of Student', () => {
    // t for 19 degrees of freedom is 2.0930; the standard deviation here is 1.0260.
    const values = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 1 : 3));
    const { value, interval } = meanOf(values);
    expect(value).toBe(2);
    expect(interval!.high - 2).toBeCloseTo(2.093 * (1.026 / Math.sqrt(20)), 2);
  });

  test('of one value has no interval, of none no value', () => {
    expect(meanOf([3])).toEqual({ total: 1, value: 3 });
    expect(meanOf([])).toEqual({ total: 0 });
  });
});
