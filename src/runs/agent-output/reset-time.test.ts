import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from '../../kernel/iso-time.ts';
import { readResetTime } from './reset-time.ts';

const NOW = Date.parse('2026-11-15T21:00:00Z');
const HOUR_MS = 3_600_000;
const read = (said: string | number, offset = 0) => {
  const at = readResetTime(said, NOW, offset);
  return at === undefined ? undefined : isoTime(at);
};

test.each<[string | number, string | undefined]>([
  // times of day: the next one
  ["You've hit your session limit · resets 1:10am (UTC)", '2026-11-16T01:10:00.000Z'],
  ['resets 9:30pm (UTC)', '2026-11-15T21:30:00.000Z'],
  ['resets 9pm (UTC)', '2026-11-16T21:00:00.000Z'],
  ['resets 12am', '2026-11-16T00:00:00.000Z'],
  ['resets 12:15pm', '2026-11-16T12:15:00.000Z'],
  ['Try again at 23:05.', '2026-11-15T23:05:00.000Z'],
  ['1:10am (UTC)', '2026-11-16T01:10:00.000Z'],
  // dates
  ['Try again at Nov 17th, 2026 3:05 PM.', '2026-11-17T15:05:00.000Z'],
  ['resets Nov 20, 3pm (UTC)', '2026-11-20T15:00:00.000Z'],
  ['resets January 2 at 1:30am', '2027-01-02T01:30:00.000Z'],
  ['available again 2026-11-16T02:00:00Z', '2026-11-16T02:00:00.000Z'],
  ['retry after 2026-11-16 02:00:00+02:00', '2026-11-16T00:00:00.000Z'],
  ['2026-11-16T02:00:00.250Z', '2026-11-16T02:00:00.250Z'],
  // durations
  ['Please retry in 12.3s.', '2026-11-15T21:00:12.300Z'],
  ['retry in 250ms', '2026-11-15T21:00:00.250Z'],
  ['Suggested retry after 60s.', '2026-11-15T21:01:00.000Z'],
  ['It will reset in 3 hours.', '2026-11-16T00:00:00.000Z'],
  ['Your quota will reset after 5h32m10s.', '2026-11-16T02:32:10.000Z'],
  ['Try again in 1 day, 2 hours and 5 minutes.', '2026-11-16T23:05:00.000Z'],
  ['Try again in ~42 min.', '2026-11-15T21:42:00.000Z'],
  // numbers
  [1_794_790_800, '2026-11-16T01:00:00.000Z'],
  [1_794_790_800_000, '2026-11-16T01:00:00.000Z'],
  ['1794790800', '2026-11-16T01:00:00.000Z'],
  // no time
  [42, undefined],
  [Number.NaN, undefined],
  ['Try again later or check your quotas.', undefined],
  ['resets 13:99', undefined],
  ['resets 25pm', undefined],
  ['Try again at Feb 30th, 2027 3:05 PM.', undefined],
  ['retry in 5 attempts', undefined],
  ['Request 12:30 of a long message about something else altogether failed', undefined],
  ['', undefined],
])('%j', (said, expected) => {
  expect(read(said)).toBe(expected);
});

test('a time without a zone, or in one we cannot know, is in the machine’s; UTC is UTC', () => {
  expect(read('resets 1:10am', 2 * HOUR_MS)).toBe('2026-11-15T23:10:00.000Z');
  expect(read('resets 1:10am (Europe/Berlin)', HOUR_MS)).toBe('2026-11-16T00:10:00.000Z');
  expect(read('resets 11:30pm', -5 * HOUR_MS)).toBe('2026-11-16T04:30:00.000Z');
  expect(read('resets 1:10am (UTC)', 2 * HOUR_MS)).toBe('2026-11-16T01:10:00.000Z');
  expect(read('Try again at Nov 17th, 2026 3:05 PM.', HOUR_MS)).toBe('2026-11-17T14:05:00.000Z');
});

test('for any text the result is a number or undefined', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.double(),
        fc.string().map((text) => `resets ${text}`),
      ),
      (said) => {
        const at = readResetTime(said, NOW);
        expect(at === undefined || Number.isFinite(at)).toBe(true);
      },
    ),
  );
});
