// The visible part of the emulator's buffer as a Screen.

import type { IBufferCell, IBufferLine, Terminal } from '@xterm/headless';
import type { Screen } from '../../kernel/screen.ts';

/** What the emulator does not report by itself. */
interface Kept {
  readonly title: string;
  readonly isCursorVisible: boolean;
}

export function readBuffer(terminal: Terminal, kept: Kept): Screen {
  const buffer = terminal.buffer.active;
  const cell = buffer.getNullCell();
  const lines: string[] = [];
  const solid: string[] = [];
  for (let row = 0; row < terminal.rows; row += 1) {
    const line = buffer.getLine(buffer.baseY + row);
    const text = line?.translateToString(true).trimEnd() ?? '';
    lines.push(text);
    solid.push(line === undefined || text === '' ? text : solidText(line, cell, text));
  }
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    lines,
    solid,
    // Behind the last column the cursor waits to wrap; it is shown on the last.
    cursor: {
      row: buffer.cursorY,
      col: Math.min(buffer.cursorX, terminal.cols - 1),
      isVisible: kept.isCursorVisible,
    },
    hasBracketedPaste: terminal.modes.bracketedPasteMode,
    isAlternate: buffer.type === 'alternate',
    title: kept.title,
  };
}

/** The text with faint cells as blanks; the text itself when no cell is faint. */
function solidText(line: IBufferLine, cell: IBufferCell, text: string): string {
  let hasFaint = false;
  for (let col = 0; col < line.length && !hasFaint; col += 1) hasFaint = line.getCell(col, cell)?.isDim() !== 0;
  if (!hasFaint) return text;
  let shown = '';
  for (let col = 0; col < line.length; col += 1) {
    const here = line.getCell(col, cell);
    const width = here?.getWidth() ?? 1;
    if (here === undefined || width === 0) continue;
    shown += here.isDim() ? ' '.repeat(width) : here.getChars() || ' ';
  }
  return shown.trimEnd();
}
