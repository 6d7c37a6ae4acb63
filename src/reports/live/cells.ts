// Text measured in cells of a terminal: wide characters take two, marks that join the one before take none.

import { oneLine } from '../../kernel/safe-text.ts';
import { cellWidth } from '../../terminals/screen/cell-width.ts';

/** Longer texts are never shown whole on one line; this bounds marks that take no cell too. */
const MOST_CHARS = 400;
const DOTS = '...';

export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += cellWidth(character.codePointAt(0) ?? 0);
  return cells;
}

/** Foreign text as one safe line, at most `cells` cells. */
export function safeCells(text: string, cells: number): string {
  return cutCells(oneLine(text.slice(0, MOST_CHARS), MOST_CHARS), cells);
}

/** At most `cells` cells; what is cut ends with dots where they fit. `text` is safe already. */
export function cutCells(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  const dots = cells > DOTS.length ? DOTS : '';
  let [cut, left] = ['', Math.max(0, cells - dots.length)];
  for (const character of text) {
    left -= cellWidth(character.codePointAt(0) ?? 0);
    if (left < 0) break;
    cut += character;
  }
  return cut + dots;
}

/** Cut or filled with spaces to exactly `cells` cells. */
export function fitCells(text: string, cells: number): string {
  const cut = cutCells(text, cells);
  return cut + ' '.repeat(Math.max(0, cells - cellsOf(cut)));
}
