// When an agent works again, read from its output: a number in a field, or words in a message. Agents write it in many
// ways; for text that is not clearly a time the result is `undefined`, and the breaker's own pause is used.

import { isoTime, parseIsoTime } from '../../kernel/iso-time.ts';
import { type Zone, zoneIn } from './zones.ts';

const DAY_MS = 86_400_000;
/** Seconds since 1970 have ten digits from 2001 to 2286; more digits are milliseconds. */
const FIRST_EPOCH_S = 1_000_000_000;
const FIRST_EPOCH_MS = 100_000_000_000;

/** A time of day that passed this short a while ago is meant, not the one of tomorrow. */
export const JUST_PASSED_MS = 5 * 60_000;

/** Milliseconds since 1970; may be in the past. A time of day is the next one, unless it just passed. Without a zone that is
 *  known it is in the machine's own, which `zone` names: Europe/Berlin. */
export function readResetTime(given: string | number, now: number, zone = 'UTC'): number | undefined {
  if (typeof given === 'number') return epoch(given);
  const text = given.slice(0, 2000);
  if (/^\s*\d{10,13}(\.\d+)?\s*$/.test(text)) return epoch(Number(text));
  const after = /\b(?:resets?|retry|again|available|until|after)\b(.*)/is.exec(text)?.[1];
  if (after === undefined && text.trim().length > 40) return undefined;
  const rest = after ?? text;
  const local = zoneIn(rest, zone);
  if (ISO.test(rest)) return isoIn(rest, local);
  const date = dateMatch(rest);
  if (date !== undefined) return dateOf(date, now, local);
  return durationIn(text, now) ?? timeOfDayIn(rest, now, local);
}

function epoch(value: number): number | undefined {
  if (!Number.isFinite(value) || value < FIRST_EPOCH_S) return undefined;
  return Math.round(value >= FIRST_EPOCH_MS ? value : value * 1000);
}

const ISO = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?\s?(Z|[+-]\d\d:?\d\d)?/;

function isoIn(text: string, local: Zone): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, day, time, seconds = ':00', fraction = '', zone] = match;
  const at = parseIsoTime(`${day}T${time}${seconds}${fraction}Z`);
  if (at === undefined) return undefined;
  return zone === undefined ? local.toUtc(at) : at - zoneMs(zone);
}

function zoneMs(zone: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -size : size;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DATE =
  /\b([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?:,| at|) (\d{1,2})(?::(\d\d))?\s?(am|pm)?\b/i;

interface NamedDate {
  readonly month: number;
  readonly day: number;
  readonly year: number | undefined;
  /** `undefined` where there is no such time of day. */
  readonly clock: string | undefined;
}

/** "Nov 17th, 2026 3:05 PM", "Oct 6 at 1pm". */
function dateMatch(text: string): NamedDate | undefined {
  const [, name = '', day, year, hour, minute, half] = DATE.exec(text) ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  if (month === 0) return undefined;
  const clock = clockText(hour, minute, half);
  return { month, day: Number(day), year: year === undefined ? undefined : Number(year), clock };
}

/** Without a year the coming one. */
function dateOf({ month, day, year, clock }: NamedDate, now: number, local: Zone): number | undefined {
  const inYear = (of: number) => {
    const at = parseIsoTime(`${of}-${pad(month)}-${pad(day)}T${clock}:00Z`);
    return at === undefined ? undefined : local.toUtc(at);
  };
  if (year !== undefined) return inYear(year);
  const thisYear = Number(isoTime(local.fromUtc(now)).slice(0, 4));
  const at = inYear(thisYear);
  return at !== undefined && at < now - DAY_MS ? inYear(thisYear + 1) : at;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };
const DURATION =
  /\b(?:resets?|retry|again|available)\w*(?: |-)(?:in|after):? ?(?:about |~)?((?:\d+(?:\.\d+)? ?[a-z]+[ ,]{0,2}(?:and )?){1,5})/i;

/** "retry in 12.3s", "reset after 5h32m10s", "again in 3 hours", "in ~42 min". */
function durationIn(text: string, now: number): number | undefined {
  const parts = [...(DURATION.exec(text)?.[1] ?? '').matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/gi)];
  let total = 0;
  for (const [, amount, word = ''] of parts) {
    const unit = /^(?:ms|millis)/i.test(word) ? 'ms' : word.charAt(0).toLowerCase();
    const isUnit = /^(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/i.test(
      word,
    );
    if (!isUnit) break;
    total += Number(amount) * (UNIT_MS[unit] ?? 0);
  }
  return total > 0 && total <= 366 * DAY_MS ? Math.round(now + total) : undefined;
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const WEEKDAY = /\b(sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nesday|rs|rsday|urday)?\b/i;

/** "1:10am (UTC)", "3 PM", "15:05", "tomorrow at 9am", "Mon 9am". */
function timeOfDayIn(text: string, now: number, local: Zone): number | undefined {
  const match = /\b(\d{1,2})(?::(\d\d))?\s?(am|pm)\b/i.exec(text) ?? /\b(\d{1,2}):(\d\d)\b/.exec(text);
  const clock = clockText(match?.[1], match?.[2], match?.[3]);
  if (clock === undefined) return undefined;
  const today = parseIsoTime(`${isoTime(local.fromUtc(now)).slice(0, 10)}T${clock}:00Z`);
  if (today === undefined) return undefined;
  // Days are added to the local time: one of them may have 23 or 25 hours.
  const inDays = (days: number) => local.toUtc(today + days * DAY_MS);
  if (/\btomorrow\b/i.test(text)) return inDays(1);
  const named = WEEKDAYS.indexOf(WEEKDAY.exec(text)?.[1]?.toLowerCase() ?? '');
  const days = named === -1 ? 0 : (named - new Date(today).getUTCDay() + 7) % 7;
  return inDays(days) > now - JUST_PASSED_MS ? inDays(days) : inDays(days + (named === -1 ? 1 : 7));
}

/** `undefined` where there is no such time of day. */
function clockText(hour: string | undefined, minute = '00', half?: string): string | undefined {
  if (hour === undefined) return undefined;
  const given = Number(hour);
  if (half === undefined) return given > 23 ? undefined : `${pad(given)}:${minute}`;
  if (given < 1 || given > 12) return undefined;
  return `${pad((given % 12) + (half.toLowerCase() === 'pm' ? 12 : 0))}:${minute}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
