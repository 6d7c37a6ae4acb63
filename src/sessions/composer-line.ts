// Composer: the place of an agent's screen where a draft is written. Whether it is empty, holds our own unsent text or
// somebody's draft decides whether anything may be typed or sent. In doubt there is none, or it holds a draft: a text
// that waits does no harm, one typed into somebody's draft does.

import type { ComposerRule } from '../kernel/agent.ts';
import type { Matcher } from '../kernel/matcher.ts';
import type { Screen } from '../kernel/screen.ts';

export type Composer =
  | { readonly kind: 'absent' }
  | { readonly kind: 'empty' }
  /** `text` is what shows, lines joined by newlines. */
  | { readonly kind: 'text'; readonly text: string };

/** Rows of the screen, the last one included. */
export interface Rows {
  readonly first: number;
  readonly last: number;
}

export function readComposer(rule: ComposerRule, screen: Screen, match: Matcher): Composer {
  const rows = composerRows(rule, screen, match);
  return rows === undefined ? { kind: 'absent' } : composerIn(rule, screen, rows, match);
}

/** Before the text of a composer that would run a shell. No draft ends in a space, so that alone it is this mode without one. */
export const SHELL_MODE = '! ';

/** What the composer at these rows holds. */
export function composerIn(rule: ComposerRule, screen: Screen, rows: Rows, match: Matcher): Composer {
  const width = widthOf(rule, screen, rows, match);
  const text = written(
    rule,
    withoutCursor(screen).map((line) => line.slice(0, width).trimEnd()),
    rows,
    match,
  );
  if (rule.shell !== undefined && isShell(rule.shell, screen, rows, match))
    return { kind: 'text', text: `${SHELL_MODE}${text}` };
  if (text === '' || isGhost(rule, screen, rows, text, match)) return { kind: 'empty' };
  return { kind: 'text', text };
}

/** Up to the end of the line that shows its width; without one the whole screen's. */
function widthOf({ right }: ComposerRule, { lines, cols }: Screen, rows: Rows, match: Matcher): number {
  if (right === undefined) return cols;
  // The edge may have the agent's own words beside it.
  const edge = lines.slice(rows.last + 1, rows.last + 4).find((line) => match.test(right, line));
  return edge === undefined ? cols : (/^\s*\S+/.exec(edge)?.[0].length ?? cols);
}

/** Where it is. What looks like one elsewhere is a message that was sent, a dialog, or a quotation. */
export function composerRows(rule: ComposerRule, screen: Screen, match: Matcher): Rows | undefined {
  const { cursor, lines } = screen;
  if (rule.cursor === 'shown' && !cursor.isVisible) return undefined;
  const isAtCursor = rule.cursor !== undefined || cursor.isVisible;
  const anchor = isAtCursor ? cursor.row : lines.findLastIndex((line) => match.test(rule.line, line));
  if (anchor < 0 || anchor >= lines.length) return undefined;
  const first = firstRow(rule, screen, anchor, match);
  if (first === undefined) return undefined;
  const last = lastRow(rule, screen, first, match);
  return last === undefined || anchor > last ? undefined : { first, last };
}

function firstRow(rule: ComposerRule, screen: Screen, anchor: number, match: Matcher): number | undefined {
  const { lines } = screen;
  for (let row = anchor; row >= 0; row -= 1) {
    const line = lines[row] ?? '';
    if (rule.above === undefined) {
      if (match.test(rule.line, line)) return row;
    } else if (match.test(rule.above, line)) {
      return row < anchor && match.test(rule.line, lines[row + 1] ?? '') ? row + 1 : undefined;
    }
    const isPart = isMore(rule, line, match) || isWrapped(rule, screen, row);
    if (!isPart && !(rule.above !== undefined && match.test(rule.line, line))) return undefined;
  }
  return undefined;
}

function lastRow(rule: ComposerRule, screen: Screen, first: number, match: Matcher): number | undefined {
  const { lines } = screen;
  let found = rule.below === undefined ? first : undefined;
  for (let row = first + 1; row < lines.length; row += 1) {
    const line = lines[row] ?? '';
    if (rule.below !== undefined && match.test(rule.below, line)) found = row - 1;
    if (!isMore(rule, line, match) && !isWrapped(rule, screen, row)) break;
    if (rule.below === undefined) found = row;
  }
  return found;
}

function isMore(rule: ComposerRule, line: string, match: Matcher): boolean {
  return rule.more === undefined ? /^(\s{2}|\s*$)/.test(line) : match.test(rule.more, line);
}

/** The line before it is full to the edge: the terminal itself broke the line there. An agent whose data has `more` breaks
 *  its drafts itself. */
function isWrapped(rule: ComposerRule, screen: Screen, row: number): boolean {
  return rule.more === undefined && (screen.lines[row - 1]?.length ?? 0) >= screen.cols;
}

function written(rule: ComposerRule, lines: readonly string[], rows: Rows, match: Matcher): string {
  const texts = lines.slice(rows.first, rows.last + 1).map((line, index) => {
    if (index === 0) return match.first(rule.line, line) ?? line;
    return rule.more === undefined ? line : (match.first(rule.more, line) ?? line);
  });
  return texts
    .map((text) => text.trim())
    .join('\n')
    .trim();
}

/** A cursor that is drawn lies over the first letter of a ghost, which is then the only one that is not faint. */
function withoutCursor({ lines, solid, cursor }: Screen): readonly string[] {
  const { row, col } = cursor;
  const [shown = '', firm = ''] = [lines[row], solid[row]];
  const isGhost = firm.length === col + 1 && shown.slice(col + 1).trim() !== '' && firm[col] === shown[col];
  return isGhost ? solid.with(row, firm.slice(0, col)) : solid;
}

/** The glyph that marks the mode may be drawn faint, and the words that name it are beside the composer. */
function isShell(pattern: string, screen: Screen, rows: Rows, match: Matcher): boolean {
  return screen.lines.slice(Math.max(0, rows.first - 2), rows.last + 4).some((line) => match.test(pattern, line));
}

/** Only before a cursor at its beginning: whoever writes the same words has the cursor behind them. */
function isGhost(rule: ComposerRule, screen: Screen, rows: Rows, text: string, match: Matcher): boolean {
  if (rule.ghost === undefined || !isAll(rule.ghost, text, match)) return false;
  if (rule.cursor === undefined) return true;
  const line = screen.lines.slice(rows.first, rows.last + 1).find((one) => one.includes(text)) ?? '';
  return screen.cursor.col <= line.indexOf(text);
}

/** Whether the composer shows our text and nothing else: a part of it that is long enough to be no chance, or the
 *  paste's placeholder alone, with our number in it where it has one. White space does not count, since composers wrap
 *  and indent. */
export function showsOurs(rule: ComposerRule, composer: Composer, body: string, match: Matcher): boolean {
  if (composer.kind !== 'text') return false;
  if (rule.placeholder !== undefined && isAll(rule.placeholder, composer.text, match)) {
    const number = match.first(rule.placeholder, composer.text) ?? '';
    return !/^\d+$/.test(number) || isCount(Number(number), composer.text, body);
  }
  const shown = squeeze(composer.text);
  const ours = squeeze(body);
  return shown.length >= Math.min(ours.length, MIN_SHOWN) && ours.includes(shown);
}

const MIN_SHOWN = 12;

/** Whether everything from the top of the screen to the cursor is the end of our text: it is taller than the screen, so that the
 *  line with the prompt is gone. */
export function showsEnd(rule: ComposerRule, screen: Screen, body: string, match: Matcher): boolean {
  if (!screen.cursor.isVisible) return false;
  const lines = screen.lines.slice(0, screen.cursor.row + 1);
  const texts = lines.map((line) => (rule.more === undefined ? line : (match.first(rule.more, line) ?? line)));
  const shown = squeeze(texts.join('\n'));
  return shown.length >= MIN_END && squeeze(body).endsWith(shown);
}

const MIN_END = 40;

/** Whether the number in a placeholder is that of our lines or characters. Some agents count line ends, and each counts
 *  characters as its language does. */
function isCount(number: number, placeholder: string, body: string): boolean {
  const isOfLines = /line/i.test(placeholder);
  const counts = isOfLines ? [body.split('\n').length] : [body.length, Array.from(body).length];
  return counts.some((count) => Math.abs(count - number) <= 1);
}

function isAll(pattern: string, text: string, match: Matcher): boolean {
  return match.test(`^(?:${pattern})$`, text.replace(/\s+/g, ' ').trim());
}

/** Without what is drawn around it, and without what joins the parts of an emoji: some agents leave that out. */
function squeeze(text: string): string {
  return text.replace(/[\s│┃|]+|\u200d|\ufe0f/g, '');
}
