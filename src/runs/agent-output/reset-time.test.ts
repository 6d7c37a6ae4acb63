import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from '../../kernel/iso-time.ts';
import { readResetTime } from './reset-time.ts';

const NOW = Date.parse('2026-11-15T21:00:00Z');
const read = (said: string | number, zone?: string, now = NOW) => {
  const at = readResetTime(said, now, zone);
  return at === undefined ? undefined : isoTime(at);
};

test.each<[string | number, string | undefined]>([
  // times of day: the next one
  ["You've hit your session limit · resets 1:10am (UTC)", '2026-11-16T01:10:00.000Z'],
  ['resets 9:30pm (UTC)', '2026-11-15T21:30:00.000Z'],
  // it just passed: it is not the one of tomorrow
  ['resets 9pm (UTC)', '2026-11-15T21:00:00.000Z'],
  ['resets 8:56pm (UTC)', '2026-11-15T20:56:00.000Z'],
  ['resets 8:55pm (UTC)', '2026-11-16T20:55:00.000Z'],
  ['resets tomorrow at 9am', '2026-11-16T09:00:00.000Z'],
  ['available again tomorrow 11:30pm', '2026-11-16T23:30:00.000Z'],
  // it is a Sunday
  ['weekly limit, resets Mon 9am', '2026-11-16T09:00:00.000Z'],
  ['weekly limit, resets Sunday 11pm', '2026-11-15T23:00:00.000Z'],
  ['weekly limit, resets Sunday 3pm', '2026-11-22T15:00:00.000Z'],
  ['resets Wednesday at 12:30', '2026-11-18T12:30:00.000Z'],
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

test.each<[string, string | undefined, string]>([
  // none is named, or none that is known: the machine's
  ['resets 1:10am', 'Europe/Kyiv', '2026-11-15T23:10:00.000Z'],
  ['resets 11:30pm', 'America/New_York', '2026-11-16T04:30:00.000Z'],
  ['Try again at Nov 17th, 2026 3:05 PM.', 'Europe/Berlin', '2026-11-17T14:05:00.000Z'],
  ['resets 11:30pm (Mars/Olympus_Mons)', 'Europe/Berlin', '2026-11-15T22:30:00.000Z'],
  ['resets 11:30pm', 'No/Such_Zone', '2026-11-15T23:30:00.000Z'],
  ['available again 2026-11-16 02:00:00', 'Asia/Tokyo', '2026-11-15T17:00:00.000Z'],
  // the one that is named
  ['resets 1:10am (UTC)', 'Europe/Kyiv', '2026-11-16T01:10:00.000Z'],
  ['resets 3pm (America/Los_Angeles)', 'Europe/Berlin', '2026-11-15T23:00:00.000Z'],
  ['resets 1:10am (Europe/Berlin)', undefined, '2026-11-16T00:10:00.000Z'],
  ['resets 6:45am (Asia/Kolkata)', undefined, '2026-11-16T01:15:00.000Z'],
  ['resets Nov 20, 3pm (America/Argentina/Buenos_Aires)', undefined, '2026-11-20T18:00:00.000Z'],
  ['resets 3pm PST', 'Europe/Berlin', '2026-11-15T23:00:00.000Z'],
  ['resets at 4pm ET', undefined, '2026-11-15T21:00:00.000Z'],
  ['resets 11pm UTC+2', 'Asia/Tokyo', '2026-11-15T21:00:00.000Z'],
  ['resets 3:30am (GMT+05:30)', undefined, '2026-11-15T22:00:00.000Z'],
])('%j on a machine in %s', (said, zone, expected) => {
  expect(read(said, zone)).toBe(expected);
});

test('where the clock is put forward or back, the day has 23 or 25 hours', () => {
  const before = Date.parse('2027-03-14T06:00:00Z'); // 10 pm of the day before in Los Angeles; the gap is from 2 to 3 am.
  expect(read('resets 4am', 'America/Los_Angeles', before)).toBe('2027-03-14T11:00:00.000Z');
  expect(read('resets 9pm', 'America/Los_Angeles', before)).toBe('2027-03-15T04:00:00.000Z');
  // A time that does not exist is as far behind the gap: never a moment too early.
  expect(read('resets 2:30am', 'America/Los_Angeles', before)).toBe('2027-03-14T10:30:00.000Z');
  const back = Date.parse('2026-10-25T00:10:00Z'); // 2:10 am in Berlin, for the first time; 3 am becomes 2 am.
  expect(read('resets 2:30am', 'Europe/Berlin', back)).toBe('2026-10-25T00:30:00.000Z');
  expect(read('resets 3:30am', 'Europe/Berlin', back)).toBe('2026-10-25T02:30:00.000Z');
  expect(read('resets tomorrow at 1am', 'Europe/Berlin', back)).toBe('2026-10-26T00:00:00.000Z');
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
