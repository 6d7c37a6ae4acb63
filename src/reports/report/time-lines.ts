// The hours of a report as lines of a list.

import { code, codes } from './markdown.ts';
import type { Hour } from './time-line.ts';

/** Two days; of a longer run the last ones. */
const MOST_HOURS = 48;

export function hourLines(hours: readonly Hour[], showTime: (iso: string) => string): readonly string[] {
  // A run of some minutes has nothing to line up.
  if (hours.length < 2) return [];
  const left = hours.length > MOST_HOURS ? [`- ${hours.length - MOST_HOURS} earlier hours`] : [];
  const shown = hours.slice(-MOST_HOURS);
  return [
    ...left,
    ...shown.map((hour, index) => `- **${nameOf(hour, shown[index - 1])}** ${partsOf(hour, showTime).join('; ')}`),
  ];
}

/** The date comes with the first hour of a day. */
function nameOf({ hour }: Hour, before: Hour | undefined): string {
  const [date = '', time = ''] = hour.split(' ');
  return before?.hour.startsWith(`${date} `) === true ? time : hour;
}

function partsOf(hour: Hour, showTime: (iso: string) => string): readonly string[] {
  const tasks = (['completed', 'failed', 'needs-review', 'blocked'] as const).flatMap((wanted) => {
    const found = hour.finished.flatMap(({ task, status }) => (status === wanted ? [task] : []));
    return found.length === 0 ? [] : [`${found.length} ${NAMES[wanted]} (${codes(found, 4)})`];
  });
  const calls = (wanted: Hour['calls'][number]) =>
    hour.calls.filter((call) => call === wanted).map(() => CALLS[wanted]);
  return [
    ...calls('opened'),
    ...(hour.attempts === 0 ? [] : [hour.attempts === 1 ? '1 attempt' : `${hour.attempts} attempts`]),
    ...tasks,
    ...counted(hour.switches).map((text) => `switch ${text}`),
    ...counted(hour.away).map((text) => `not available: ${text}`),
    ...hour.waits.map((wait) => `waits for ${code(wait.for, 120)} until ${showTime(wait.until)}`),
    ...calls('stopped'),
    ...calls('finished'),
  ];
}

const NAMES = { completed: 'done', failed: 'failed', 'needs-review': 'to review', blocked: 'blocked' } as const;
const CALLS = { opened: 'begins', finished: 'ends', stopped: 'stopped' } as const;

function counted(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${code(text, 120)}${count === 1 ? '' : `, ${count} times`}`);
}
