// Puts lines on the terminal the two ways agents do: `inline` keeps a region below the output and scrolls with it,
// `alternate` owns the whole alternate screen. Both draw anew only what changed, or everything each time (`isFull`).

import { fitted, visible, wrap } from './cells.mjs';

const KEPT_LINES = 300;
const STYLES = {
  16: { '': '0', faint: '0;2', bold: '0;1', accent: '0;36', inverse: '0;7' },
  256: { '': '0', faint: '0;2', bold: '0;1', accent: '0;38;5;208', inverse: '0;48;5;238' },
};

/** `write(text)`, `size()` → { cols, rows }. `print(lines)` adds output above; `paint({lines, cursor})` shows the region;
 *  `repaint` draws everything from nothing. */
export function makePainter({ isAlternate, isFull, colours, write, size }) {
  const styles = STYLES[colours];
  const render = (line) => `${line.map(([style, text]) => `\x1b[${styles[style]}m${text}`).join('')}\x1b[0m`;
  const place = isAlternate ? alternate : inline;
  return place({ write, size, render, isFull });
}

function inline({ write, size, render, isFull }) {
  const kept = [];
  let shown = [];
  let cursorRow = 0;

  const toTop = () => (shown.length === 0 ? '\r' : `\r${cursorRow > 0 ? `\x1b[${cursorRow}A` : ''}`);
  const show = (frame) => {
    const lines = frame.lines.slice(-(size().rows - 1)).map(render);
    let out = `\x1b[?25l${toTop()}`;
    const isAnew = isFull || shown.length === 0;
    if (isAnew) out += `\x1b[J${lines.join('\r\n')}`;
    else
      for (const [index, line] of lines.entries()) {
        if (index > 0) out += index < shown.length ? '\x1b[1B\r' : '\r\n';
        if (line !== shown[index]) out += `\x1b[2K${line}`;
      }
    if (!isAnew && lines.length < shown.length) out += lines.length === 0 ? '\x1b[J' : '\x1b[1B\r\x1b[J\x1b[1A';
    const cut = frame.lines.length - lines.length;
    const row = frame.cursor === null ? Math.max(0, lines.length - 1) : Math.max(0, frame.cursor.row - cut);
    const up = Math.max(0, lines.length - 1) - row;
    if (up > 0) out += `\x1b[${up}A`;
    if (frame.cursor !== null) out += `\r${frame.cursor.col > 0 ? `\x1b[${frame.cursor.col}C` : ''}\x1b[?25h`;
    shown = lines;
    cursorRow = row;
    write(out);
  };
  return {
    enter: () => undefined,
    leave: () => write(`${toTop()}\x1b[J\x1b[0m\x1b[?25h`),
    print: (lines) => {
      const rendered = lines.map(render);
      kept.push(...rendered);
      kept.splice(0, Math.max(0, kept.length - KEPT_LINES));
      write(`${toTop()}\x1b[J${rendered.map((line) => `${line}\r\n`).join('')}`);
      shown = [];
      cursorRow = 0;
    },
    paint: show,
    repaint: (frame) => {
      const room = Math.max(0, size().rows - frame.lines.length - 1);
      write(
        `\x1b[2J\x1b[H${kept
          .slice(kept.length - Math.min(room, kept.length))
          .map((line) => `${line}\r\n`)
          .join('')}`,
      );
      shown = [];
      cursorRow = 0;
      show(frame);
    },
  };
}

function alternate({ write, size, render, isFull }) {
  const kept = [];
  let shown = [];
  const show = (frame, isAnew) => {
    const { cols, rows } = size();
    const lines = frame.lines.slice(-(rows - 1)).map(render);
    const title = render([['inverse', fitted(' tui agent 1.0', cols)]]);
    const room = rows - 1 - lines.length;
    const output = kept.slice(kept.length - Math.min(room, kept.length)).map(render);
    const all = [title, ...output, ...Array(room - output.length).fill(''), ...lines];
    let out = '\x1b[?25l';
    if (isFull || isAnew) out += '\x1b[H\x1b[2J';
    for (const [index, line] of all.entries())
      if (isFull || isAnew || line !== shown[index]) out += `\x1b[${index + 1};1H\x1b[2K${line}`;
    if (frame.cursor !== null) {
      const row = Math.max(1, rows - frame.lines.length + frame.cursor.row + 1);
      out += `\x1b[${row};${frame.cursor.col + 1}H\x1b[?25h`;
    }
    shown = all;
    write(out);
  };
  return {
    enter: () => write('\x1b[?1049h\x1b[2J\x1b[H'),
    leave: () => write('\x1b[0m\x1b[?25h\x1b[?1049l'),
    print: (lines) => {
      kept.push(...lines);
      kept.splice(0, Math.max(0, kept.length - KEPT_LINES));
    },
    paint: (frame) => show(frame, false),
    repaint: (frame) => show(frame, true),
  };
}

/** Output lines broken by the agent itself, each further row indented. */
export function outputLines(text, cols, { first = '', indent = '  ', style = '' } = {}) {
  return wrap(visible(text), Math.max(10, cols - indent.length - 1)).map((row, index) => [
    [style, `${index === 0 && first !== '' ? first : indent}${row}`],
  ]);
}
