// Rows as aligned columns, for people. Only the last column has no width limit.

import { oneLine } from '../kernel/safe-text.ts';

/** A cell longer than this would push every other row apart. */
const MAX_CELL = 60;

export type Row = readonly (string | number)[];

export function columns(head: readonly string[], rows: readonly Row[]): string {
  return aligned(head, rows)
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
}

/** The head and the rows, each cell as wide as its column. */
export function aligned(head: readonly string[], rows: readonly Row[]): readonly (readonly string[])[] {
  const cells = [head, ...rows].map((row) =>
    row.map((cell, index) => oneLine(String(cell), index === row.length - 1 ? Number.POSITIVE_INFINITY : MAX_CELL)),
  );
  const widths = head.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  return cells.map((row, line) =>
    row.map((cell, index) => {
      const isNumber = line > 0 && typeof rows[line - 1]?.[index] === 'number';
      return isNumber ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
    }),
  );
}
