// Readiness: what the rendered screen shows about an agent. Rules are data per agent; this file applies them. What must
// not be typed into (a dialog, a busy agent) outranks what may, and a screen that nothing recognises is never ready.

import type { Interactive, ScreenRule } from '../kernel/agent.ts';
import type { Matcher } from '../kernel/matcher.ts';
import type { Screen } from '../kernel/screen.ts';
import type { ReadinessState } from '../kernel/session.ts';
import { type Composer, composerIn, composerRows, type Rows } from './composer-line.ts';

export interface Readiness {
  readonly state: ReadinessState;
  /** The line that decided, or why nothing did. */
  readonly evidence: string;
  /** What an agent asks: `trust folder`, `approval`. */
  readonly asks?: string;
  readonly composer: Composer;
}

const RANK: readonly ScreenRule['state'][] = ['asking', 'busy', 'starting', 'ready'];

/** What an agent's data calls its question about a limit that it reached. */
export const LIMIT_ASKED = 'usage limit';

/** How many lines from the end, blank ones not counted, are the place of dialogs, spinners and hints. */
const BOTTOM_LINES = 14;
/** How many lines above the composer, blank ones not counted, are an agent's own. */
const OVER_LINES = 4;

/** A shell that shows its prompt: the agent ended and left its terminal to it. */
const SHELL_PROMPT = '^(\\([^)]*\\) ?)?(\\[?[\\w.-]+@[\\w.-]+[^$#%]{0,200}|(ba|z|da)?sh-[\\d.]+)[$#%] ?$';

export function readReadiness(agent: Interactive, screen: Screen, match: Matcher): Readiness {
  if (match.test(SHELL_PROMPT, cursorLine(screen).trimEnd())) {
    return { state: 'gone', evidence: `a shell's prompt: ${cursorLine(screen).trim()}`, composer: { kind: 'absent' } };
  }
  const rows = composerRows(agent.composer, screen, match);
  const composer: Composer = rows === undefined ? { kind: 'absent' } : composerIn(agent.composer, screen, rows, match);
  for (const state of RANK) {
    // A prompt without a place to write is somebody else's `>`, and without frames a text would be keys.
    if (state === 'ready' && (rows === undefined || !screen.hasBracketedPaste)) continue;
    for (const rule of agent.screens) {
      const evidence = rule.state === state ? evidenceOf(rule, screen, rows, match) : undefined;
      if (evidence === undefined) continue;
      const asks = rule.name === undefined ? {} : { asks: rule.name };
      return { state, evidence, composer: state === 'ready' ? composer : certain(agent, screen, composer), ...asks };
    }
  }
  const isBlank = screen.lines.every((line) => line.trim() === '');
  return isBlank
    ? { state: 'starting', evidence: 'nothing on the screen yet', composer }
    : { state: 'unrecognised', evidence: 'no rule knows this screen', composer };
}

/** Without a cursor to go by, an empty line with a prompt's sign may be one that was printed long ago: while an agent works
 *  it is no proof that its composer is empty. */
function certain(agent: Interactive, screen: Screen, composer: Composer): Composer {
  const isGuessed = agent.composer.cursor === undefined && !screen.cursor.isVisible;
  return isGuessed && composer.kind === 'empty' ? { kind: 'absent' } : composer;
}

/** The line that made the rule true; `undefined` when it is not. A rule without conditions is never true. */
function evidenceOf(rule: ScreenRule, screen: Screen, rows: Rows | undefined, match: Matcher): string | undefined {
  const { lines } = screen;
  const found: (string | undefined)[] = [];
  if (rule.text !== undefined) found.push(firstLine(rule.text, lines, match));
  if (rule.bottom !== undefined) found.push(firstLine(rule.bottom, bottomLines(screen), match));
  if (rule.inside !== undefined)
    found.push(firstLine(rule.inside, rows === undefined ? [] : lines.slice(rows.first, rows.last + 1), match));
  if (rule.over !== undefined) found.push(lineOver(rule.over, rule, { screen, rows, match }));
  if (rule.footer !== undefined)
    found.push(firstLine(rule.footer, rows === undefined ? [] : lines.slice(rows.last + 1), match));
  if (rule.cursorLine !== undefined) {
    // In a draft of several lines the cursor has left the line with the prompt.
    const isInDraft = rows !== undefined && screen.cursor.isVisible && screen.cursor.row > rows.first;
    const prompt = rule.state === 'ready' && isInDraft ? [lines[rows.first] ?? ''] : [];
    found.push(firstLine(rule.cursorLine, [cursorLine(screen), ...prompt], match));
  }
  if (rule.title !== undefined) found.push(firstLine(rule.title, [screen.title], match));
  if (rule.hasComposer === true) found.push(rows === undefined ? undefined : lines[rows.first]);
  if (rule.hasComposer === false && rows !== undefined) return undefined;
  if (rule.takesPastes !== undefined && rule.takesPastes !== screen.hasBracketedPaste) return undefined;
  return found.includes(undefined) ? undefined : found[0]?.trim();
}

function lineOver(
  pattern: string,
  { solid, border, head }: ScreenRule,
  { screen, rows, match }: { readonly screen: Screen; readonly rows: Rows | undefined; readonly match: Matcher },
): string | undefined {
  const { lines } = screen;
  const above = lines.slice(0, rows?.first ?? 0).flatMap((line, row) => (line.trim() === '' ? [] : [{ line, row }]));
  const is = (condition: string | undefined, line: string | undefined) =>
    condition === undefined || match.test(condition, line ?? '');
  const found = above
    .slice(-OVER_LINES)
    .find(
      ({ line, row }) =>
        match.test(pattern, line) &&
        is(solid, screen.solid[row]) &&
        is(border, lines[row + 1]) &&
        is(head, headOf(lines, row)),
    );
  return found?.line;
}

/** The first line of those that stand together with this one. */
function headOf(lines: readonly string[], row: number): string | undefined {
  const blank = lines.slice(0, row).findLastIndex((line) => line.trim() === '');
  return lines[blank + 1];
}

function firstLine(pattern: string, lines: readonly string[], match: Matcher): string | undefined {
  return lines.find((line) => match.test(pattern, line));
}

export function cursorLine(screen: Screen): string {
  return screen.lines[screen.cursor.row] ?? '';
}

/** Whether one of the last lines shows it. */
export function isAtBottom(pattern: string | undefined, screen: Screen, match: Matcher): boolean {
  return pattern !== undefined && firstLine(pattern, bottomLines(screen), match) !== undefined;
}

function bottomLines(screen: Screen): readonly string[] {
  return screen.lines.filter((line) => line.trim() !== '').slice(-BOTTOM_LINES);
}
