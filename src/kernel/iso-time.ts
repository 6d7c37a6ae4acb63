// ISO times ⇄ milliseconds since 1970, for records that keep times as text. `Date` reads and writes them; this says what
// counts as one.

const DAY_MS = 86_400_000;
/** Years 0000 to 9999: what four digits can say. */
const FIRST_MS = -62_167_219_200_000;
const LAST_MS = 253_402_300_799_999;

/** `2026-01-01T12:00:00.000Z`. What does not fit into four digits of year becomes the nearest that does; what is no
 *  number at all becomes 1970. */
export function isoTime(ms: number): string {
  const time = Number.isNaN(ms) ? 0 : Math.floor(Math.min(Math.max(ms, FIRST_MS), LAST_MS));
  return new Date(time).toISOString();
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

/** `undefined` for anything that is not a UTC time as `isoTime` writes it; fractions finer than a millisecond are cut. */
export function parseIsoTime(text: string): number | undefined {
  const ms = ISO.test(text) ? Date.parse(text) : Number.NaN;
  // `Date` takes February 30 and 24:00 for the day after.
  return !Number.isNaN(ms) && isoTime(ms).slice(0, 19) === text.slice(0, 19) ? ms : undefined;
}

/** The Monday of that week, as `2026-01-05`. */
export function isoWeekStart(ms: number): string {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return isoTime(ms - daysSinceMonday * DAY_MS).slice(0, 10);
}
