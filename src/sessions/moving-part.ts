// The part of a screen that moves while an agent works: everything outside the composer, with the title. Two things move at
// rest: a clock that shows the time of day, and the lines that a program of the person's writes.

import type { Interactive } from '../kernel/agent.ts';
import type { Screen } from '../kernel/screen.ts';
import type { Rows } from './composer-line.ts';

/** The same text for two screens means that nothing moved between them. */
export function movingPart(
  agent: Pick<Interactive, 'statusLine'>,
  screen: Screen,
  { rows, now }: { readonly rows: Rows | undefined; readonly now: number },
): string {
  const outside = (lines: readonly string[]): readonly string[] => {
    if (rows === undefined) return lines;
    const below = agent.statusLine === 'footer' ? [] : lines.slice(rows.last + 1);
    return [...lines.slice(0, rows.first), ...below];
  };
  const text = [screen.title, ...outside(screen.lines), ...outside(screen.solid)].join('\n');
  return text.replace(CLOCK, (whole, minutes: string, seconds: string) =>
    isTimeOfDay(now, Number(minutes), Number(seconds)) ? '' : whole,
  );
}

const CLOCK = /\b[0-2]?[0-9]:([0-5][0-9]):([0-5][0-9])\b/g;
/** A clock may be drawn a little late; what counts from the beginning of a turn shows another minute and second. */
const LATE_S = 3;
/** Time zones differ by whole quarters of an hour. */
const ZONE_S = 15 * 60;

function isTimeOfDay(now: number, minutes: number, seconds: number): boolean {
  const ago = (Math.floor(now / 1000) - minutes * 60 - seconds) % ZONE_S;
  return ago <= LATE_S || ago >= ZONE_S - 1;
}
