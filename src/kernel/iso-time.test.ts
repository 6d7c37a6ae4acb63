import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime, isoWeekStart, parseIsoTime } from './iso-time.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 50_000 : 3000 };
const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const moment = fc.integer({ min: FIRST, max: LAST });

test('times are written and read as the platform does it', () => {
  fc.assert(
    fc.property(moment, (ms) => {
      const text = new Date(ms).toISOString();
      expect(isoTime(ms)).toBe(text);
      expect(parseIsoTime(text)).toBe(ms);
    }),
    { ...RUNS, examples: [[0], [-1], [FIRST], [LAST], [Date.UTC(2024, 1, 29)], [Date.UTC(2000, 1, 29)]] },
  );
});

test('a time without fractions or with finer ones is read', () => {
  expect(parseIsoTime('2026-01-01T12:00:00Z')).toBe(Date.UTC(2026, 0, 1, 12));
  expect(parseIsoTime('2026-01-01T12:00:00.5Z')).toBe(Date.UTC(2026, 0, 1, 12, 0, 0, 500));
  expect(parseIsoTime('2026-01-01T12:00:00.123456789Z')).toBe(Date.UTC(2026, 0, 1, 12, 0, 0, 123));
});

test.each([
  '',
  'soon',
  '2026-01-01',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '[redacted]',
])('what is no time (%j) is not read', (text) => {
  expect(parseIsoTime(text)).toBeUndefined();
});

test('a number that no date can show becomes the nearest that can be written', () => {
  expect([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN].map(isoTime)).toEqual([
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
  ]);
});

test('a week starts on its Monday', () => {
  const week = (text: string) => isoWeekStart(Date.parse(text));
  expect(week('2026-01-04T23:59:59.999Z')).toBe('2025-12-29');
  expect(week('2026-01-05T00:00:00.000Z')).toBe('2026-01-05');
  expect(week('1969-12-31T00:00:00.000Z')).toBe('1969-12-29');
});
