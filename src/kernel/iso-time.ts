// ISO times ⇄ milliseconds since 1970, for records that keep times as text. Pure arithmetic on the calendar, so that
// core needs no `Date`, which would also hand it the clock.

const DAY_MS = 86_400_000;
/** Years 0000 to 9999: what four digits can say. */
const FIRST_MS = -62_167_219_200_000;
const LAST_MS = 253_402_300_799_999;

/** `2026-01-01T12:00:00.000Z`. What does not fit into four digits of year becomes the nearest that does; what is no
 *  number at all becomes 1970. */
export function isoTime(ms: number): string {
  const time = Number.isNaN(ms) ? 0 : Math.floor(Math.min(Math.max(ms, FIRST_MS), LAST_MS));
  const days = Math.floor(time / DAY_MS);
  const rest = time - days * DAY_MS;
  const clock = [
    digits(Math.floor(rest / 3_600_000), 2),
    digits(Math.floor(rest / 60_000) % 60, 2),
    `${digits(Math.floor(rest / 1000) % 60, 2)}.${digits(rest % 1000, 3)}`,
  ];
  return `${isoDay(days)}T${clock.join(':')}Z`;
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z$/;

/** `undefined` for anything that is not a UTC time as `isoTime` writes it; fractions finer than a millisecond are cut. */
export function parseIsoTime(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const days = dayNumber(year, month, day);
  // A day that does not exist (February 30) comes out as another one.
  if (isoDay(days) !== text.slice(0, 10) || hour > 23 || minute > 59 || second > 59) return undefined;
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  return days * DAY_MS + hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction;
}

/** The Monday of that week, as `2026-01-05`. */
export function isoWeekStart(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  // 1970-01-01 was a Thursday, three days after a Monday.
  return isoDay(days - ((((days + 3) % 7) + 7) % 7));
}

/** Days since 1970 of a day in the Gregorian calendar. Years begin in March here, which puts the odd day at the end;
 *  146,097 is the number of days in 400 years, 719,468 that from March of year 0 to 1970. */
function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse of `dayNumber`. */
function isoDay(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
