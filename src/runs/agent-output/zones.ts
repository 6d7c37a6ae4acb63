// Time zones in the messages of agents: "(America/Los_Angeles)", "PT", "UTC+2". Local times are numbers as if they were UTC.

export interface Zone {
  /** The moment of a local time. One that the clock skips is as far behind the gap; of one that comes twice, the first. */
  toUtc(local: number): number;
  fromUtc(at: number): number;
}

const HOUR_MS = 3_600_000;

/** Abbreviations that mean one zone, for people who read these messages. */
const SHORT: ReadonlyMap<string, string | number> = new Map<string, string | number>([
  ['UTC', 0],
  ['GMT', 0],
  ['PT', 'America/Los_Angeles'],
  ['MT', 'America/Denver'],
  ['CT', 'America/Chicago'],
  ['ET', 'America/New_York'],
  ['PST', -8],
  ['PDT', -7],
  ['MST', -7],
  ['MDT', -6],
  ['CST', -6],
  ['CDT', -5],
  ['EST', -5],
  ['EDT', -4],
  ['CET', 1],
  ['CEST', 2],
  ['EET', 2],
  ['EEST', 3],
  ['JST', 9],
]);

/** The zone that a text names; the other one when it names none that is known. */
export function zoneIn(text: string, otherwise: string): Zone {
  const [, sign, hours, minutes = '0'] = /\b(?:UTC|GMT) ?([+-])(\d{1,2})(?::?(\d\d))?\b/.exec(text) ?? [];
  if (sign !== undefined) return fixed((sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60));
  const name = /\b[A-Z][A-Za-z]+\/[A-Za-z_+-]+(?:\/[A-Za-z_]+)?\b/.exec(text)?.[0];
  const short = [...text.matchAll(/\b[A-Z]{2,4}\b/g)].map(([word]) => SHORT.get(word)).find((one) => one !== undefined);
  if (typeof short === 'number' && name === undefined) return fixed(short);
  return named(name) ?? named(short as string | undefined) ?? named(otherwise) ?? fixed(0);
}

function fixed(hours: number): Zone {
  return { toUtc: (local) => local - hours * HOUR_MS, fromUtc: (at) => at + hours * HOUR_MS };
}

/** `undefined` when there is no such zone. */
function named(zone: string | undefined): Zone | undefined {
  if (zone === undefined) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  } catch {
    return undefined;
  }
  const fromUtc = (at: number): number => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const day = Date.UTC(part('year'), part('month') - 1, part('day'));
    return day + part('hour') * HOUR_MS + part('minute') * 60_000 + part('second') * 1000 + (at % 1000);
  };
  return {
    fromUtc,
    toUtc: (local) => {
      // The zone's offsets a day before and a day after are all that can hold at that time.
      const offsets = [local - 24 * HOUR_MS, local + 24 * HOUR_MS].map((at) => fromUtc(at) - at);
      const moments = offsets.map((offset) => local - offset).sort((one, other) => one - other);
      const [first = local, last = local] = moments;
      return moments.find((at) => fromUtc(at) === local) ?? Math.max(first, last);
    },
  };
}
