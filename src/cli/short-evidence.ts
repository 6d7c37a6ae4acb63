// Evidence in a table on a terminal, in the room that is left of its line: of a path the last part says the most. Pure.

import { oneLine } from '../kernel/safe-text.ts';

/** Less than this says nothing. */
const LEAST = 20;
const PATH = /(?:~|\.{0,2})\/(?:[^\s/:]+\/)+([^\s/:]+)/g;

/** `room` is what the other columns leave; `undefined` where there is no terminal. */
export function shortEvidence(text: string, room: number | undefined): string {
  const line = oneLine(text, 70);
  if (room === undefined || text.length <= Math.min(room, 70)) return line;
  return oneLine(text.replace(PATH, '…/$1'), Math.min(70, Math.max(LEAST, room)));
}

/** What columns of these cells leave of a line of a terminal, two spaces after each. */
export function roomBeside(heads: readonly string[], rows: readonly (readonly string[])[], columns: number): number {
  const widths = heads.map((head, index) => Math.max(head.length, ...rows.map((row) => row[index]?.length ?? 0)));
  return columns - widths.reduce((sum, width) => sum + width + 2, 0);
}
