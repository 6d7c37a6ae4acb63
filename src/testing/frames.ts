// What a screen showed one moment after the other, as a text file: the first frame whole, of each later one only the rows that
// changed. Written by scripts/record-screens.mjs, read by tests of rules over time.

import type { Screen } from '../kernel/screen.ts';

export interface Frame {
  /** Since the first one. */
  readonly atMs: number;
  readonly screen: Screen;
}

/** A frame is a line of JSON with everything but the rows, then its changed rows: `7|text`, and `7~text` without faint text where
 *  that differs. */
export function writeFrames(frames: readonly Frame[]): string {
  const texts = frames.map(({ atMs, screen }, index) => {
    const { lines, solid, ...about } = screen;
    const before = frames[index - 1]?.screen;
    const rows = lines.flatMap((line, row) => {
      if (before !== undefined && before.lines[row] === line && before.solid[row] === solid[row]) return [];
      return solid[row] === line ? [`${row}|${line}`] : [`${row}|${line}`, `${row}~${solid[row]}`];
    });
    return [JSON.stringify({ atMs: Math.round(atMs), ...about }), ...rows].join('\n');
  });
  return `${texts.join('\n')}\n`;
}

/** The reverse of `writeFrames`. Throws on any other text. */
export function readFrames(text: string): readonly Frame[] {
  const frames: Frame[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const before = frames.at(-1);
    if (line.startsWith('{')) {
      const { atMs, ...about } = JSON.parse(line) as Omit<Screen, 'lines' | 'solid'> & { readonly atMs: number };
      const blank = Array.from({ length: about.rows }, () => '');
      const { lines, solid } = before?.screen ?? { lines: blank, solid: blank };
      frames.push({ atMs, screen: { ...about, lines, solid } });
      continue;
    }
    const [, number, kind, words = ''] = /^(\d+)([|~])(.*)$/u.exec(line) ?? [];
    if (before === undefined || number === undefined) throw new Error(`not a frame: ${line}`);
    const { screen } = before;
    const row = Number(number);
    const lines = kind === '|' ? screen.lines.with(row, words) : screen.lines;
    frames[frames.length - 1] = { ...before, screen: { ...screen, lines, solid: screen.solid.with(row, words) } };
  }
  return frames;
}
