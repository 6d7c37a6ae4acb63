// What each profile draws below its output: spinner, queue, composer or dialog, footer. Pure: a view in, lines out. A line
// is a list of [style, text]; styles are in painters.mjs.

import { cellsOf, fitted, visible, wrap } from './cells.mjs';

export const PROFILES = {
  boxed: { prompt: '> ', more: '  ', mark: '●', glyphs: '✻✳✢', hasComposerWhileBusy: true },
  plain: { prompt: '> ', more: '. ', mark: '', glyphs: '|/-\\', hasComposerWhileBusy: false },
  shell: { prompt: '$ ', more: '> ', mark: '', glyphs: '.oOo', hasComposerWhileBusy: false },
  alternate: { prompt: '❯ ', more: '  ', mark: '•', glyphs: '⠋⠙⠹⠸', hasComposerWhileBusy: true },
};

/** Answers `{ lines, cursor }`; the cursor counts from the first of the lines, or is null where it is hidden. */
export function frameOf(name, view) {
  const profile = PROFILES[name];
  const above = [
    ...view.stream.flatMap((text) => wrap(visible(text), view.cols - 2).map((row) => [['', `  ${row}`]])),
    ...spinnerLine(profile, view),
    ...view.queued.map((text) => [
      ['faint', fitted(`  Queued: ${visible(text).split('\n')[0]}`, view.cols - 1).trimEnd()],
    ]),
  ];
  const below = view.dialog !== null ? dialogPart(name, view) : composerPart(name, profile, view);
  const cursor = below.cursor === null ? null : { row: above.length + below.cursor.row, col: below.cursor.col };
  return { lines: [...above, ...below.lines], cursor };
}

function spinnerLine(profile, view) {
  if (view.spinner === null) return [];
  const glyph = Array.from(profile.glyphs)[view.spinner.step % Array.from(profile.glyphs).length];
  const text = ` ${view.spinner.text}… (${view.spinner.seconds}s · esc to interrupt)`;
  return [
    [
      ['accent', glyph],
      ['', text],
    ],
  ];
}

function composerPart(name, profile, view) {
  if (view.state !== 'ready' && view.state !== 'menu' && !(view.state === 'busy' && profile.hasComposerWhileBusy))
    return { lines: view.state === 'loading' ? [[['faint', 'loading…']]] : [], cursor: null };
  const isBoxed = name === 'boxed';
  const inside = view.cols - (isBoxed ? 3 : 0);
  const width = inside - profile.prompt.length - 1;
  const rows = wrap(visible(view.shown), width).slice(-Math.max(2, view.rows - 10));
  const isGhost = view.shown === '' && view.ghost !== '';
  const body = rows.map((row, index) => [
    ['bold', index === 0 ? profile.prompt : profile.more],
    isGhost ? [view.isGhostFaint ? 'faint' : '', fitted(view.ghost, width).trimEnd()] : ['', row],
  ]);
  const last = rows.at(-1);
  const at = { row: rows.length - 1, col: 2 + cellsOf(last) };
  const menu = view.state === 'menu' ? [[['', '  /help   /clear   /exit']], [['faint', '  enter to select']]] : [];
  if (isBoxed) {
    const bar = '─'.repeat(view.cols - 2);
    const frame = view.isFrameFaint ? 'faint' : 'accent';
    const filled = body.map((line) => [[frame, '│'], ['', ' '], ...line, ['', blanks(line, inside)], [frame, '│']]);
    return {
      lines: [[[frame, `╭${bar}╮`]], ...filled, [[frame, `╰${bar}╯`]], ...menu, footer(view)],
      cursor: { row: at.row + 1, col: at.col + 2 },
    };
  }
  if (name === 'alternate') {
    const rule = [['faint', '─'.repeat(view.cols)]];
    return { lines: [rule, ...body, rule, ...menu, footer(view)], cursor: { row: at.row + 1, col: at.col } };
  }
  return { lines: [...body, ...menu], cursor: at };
}

function footer(view) {
  const hint = view.queued.length > 0 ? 'press up to edit queued messages' : '? for shortcuts';
  return [
    ['faint', fitted(`  ${hint}`, view.cols - 10)],
    ['accent', 'model-1'],
  ];
}

function dialogPart(name, { dialog, cols }) {
  const choices = dialog.options.map(({ text }, index) => {
    const isSelected = index === dialog.selected;
    const shown = `${isSelected ? '❯' : ' '} ${index + 1}. ${text}`;
    return [[isSelected ? 'bold' : '', fitted(shown, cols - 6).trimEnd()]];
  });
  const title = fitted(dialog.title, cols - 6).trimEnd();
  const hint = [['faint', '  Enter to confirm · Esc to cancel']];
  if (name === 'plain' || name === 'shell')
    return { lines: [[['bold', `? ${title}`]], [['', `  ${dialog.more}`]], ...choices, hint], cursor: null };
  const bar = '─'.repeat(cols - 2);
  const inside = [[['bold', title]], [['', dialog.more]], ...choices];
  const filled = inside.map((line) => [
    ['accent', '│'],
    ['', ' '],
    ...line,
    ['', blanks(line, cols - 4)],
    ['accent', ' │'],
  ]);
  return { lines: [[['accent', `╭${bar}╮`]], ...filled, [['accent', `╰${bar}╯`]], hint], cursor: null };
}

function blanks(line, cells) {
  const used = line.reduce((sum, [, text]) => sum + cellsOf(text), 0);
  return ' '.repeat(Math.max(0, cells - used));
}
