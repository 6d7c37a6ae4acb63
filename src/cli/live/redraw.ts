// What is written to a terminal so that a block of lines replaces the one before it, and lines that stay are put above it. The
// cursor is below the block in between. One write, in which a terminal that can do it shows nothing half done.

export interface BlockLine {
  readonly text: string;
  /** How many cells of the terminal it takes. */
  readonly cells: number;
}

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
export const HIDE_CURSOR = '\u001b[?25l';
export const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** `drawn` is the block on the screen; `columns` is the width now, at which the terminal may have wrapped its lines. */
export function redraw(
  drawn: readonly BlockLine[],
  next: { readonly above: readonly string[]; readonly block: readonly BlockLine[] },
  columns: number,
): string {
  const up = rowsOf(drawn, columns);
  const lines = [...next.above, ...next.block.map(({ text }) => text)];
  const written = lines.map((line) => `${line}${CLEAR_LINE_END}\n`).join('');
  return `${BEGIN}\r${up === 0 ? '' : `\u001b[${up}A`}${written}${CLEAR_BELOW}${END}`;
}

/** Terminals of today wrap lines again when they become narrower. */
function rowsOf(block: readonly BlockLine[], columns: number): number {
  return block.reduce((sum, { cells }) => sum + Math.max(1, Math.ceil(cells / Math.max(1, columns))), 0);
}
