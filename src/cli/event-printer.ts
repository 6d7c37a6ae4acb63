// Events as lines for a log: one for each, beginning with the local time. The date is a line of its own, at the start and after
// midnight.

import type { NewEvent } from '../kernel/events.ts';
import { watchedLine } from '../reports/event-lines.ts';
import { localClock, localDate, localMinute } from './local-time.ts';

/** Returns what prints an event of that time, if it has a line. */
export function eventPrinter(print: (line: string) => void): (event: NewEvent, at: number) => void {
  let date = '';
  return (event, at) => {
    const line = watchedLine(event, localMinute);
    if (line === undefined) return;
    const [time, today] = [localClock(at), localDate(at)];
    if (today !== date) print(`${time} date: ${today}`);
    date = today;
    print(`${time} ${line}`);
  };
}
