// Whether output has colour, and which. FORCE_COLOR wins over NO_COLOR, as in Node; an empty NO_COLOR does not count (no-color.org).
// Colour only repeats what a word says.

import { CODES, type LiveStyle } from '../reports/live/live-frame.ts';
import type { Environment } from '../system/environment.ts';

export function wantsColor(env: Environment, isTerminal: boolean): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none = '', TERM: term } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && none === '' && term !== 'dumb';
}

/** Whether lines can be drawn again: a terminal that knows how to move its cursor. */
export function canRedraw(env: Environment, isTerminal: boolean): boolean {
  return isTerminal && env.TERM !== 'dumb' && env.TERM !== '';
}

export function painted(text: string, style: LiveStyle | undefined): string {
  return style === undefined || text === '' ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`;
}

/** The states that commands print, by what they mean to a person. */
const STATES: Readonly<Partial<Record<LiveStyle, readonly string[]>>> = {
  good: ['served', 'acknowledged', 'delivered', 'completed', 'passed', 'works', 'ready', 'yes', 'in place', 'helps'],
  bad: [
    ...['failed', 'dropped', 'lost', 'gone', 'cannot start', 'damaged', 'truncated', 'duplicated', 'no', 'hurts'],
    ...['validation_failure', 'execution_error', 'timeout', 'outdated', 'refused'],
  ],
  warn: [
    ...['blocked', 'needs-review', 'uncertain', 'unknown', 'late', 'paused', 'asking', 'unrecognised', 'open'],
    ...['interrupted', 'circuit_breaker', 'trial', 'stale'],
  ],
  busy: ['running', 'busy', 'starting', 'queued', 'placed', 'submitted'],
  dim: ['-', 'not measured', 'not offered', 'absent', 'none'],
};

const BY_WORD = new Map(
  Object.entries(STATES).flatMap(([style, words]) => words.map((word) => [word, style as LiveStyle] as const)),
);

/** The state that a cell begins with, in colour; the rest of it as it is. */
export function paintedCell(cell: string): string {
  const [, word = ''] = /^([a-z_]+(?:-[a-z]+)?|-)(?=$|[\s,:;(])/.exec(cell) ?? [];
  const [two = ''] = /^[a-z]+ [a-z]+(?=$|[\s,:;(])/.exec(cell) ?? [];
  const state = [two, word].find((one) => BY_WORD.has(one)) ?? '';
  return painted(state, BY_WORD.get(state)) + cell.slice(state.length);
}

/** A line of a diff, or of a patch in a message. */
export function paintedDiffLine(line: string): string {
  if (/^(?:\+\+\+|---|diff |index )/.test(line)) return painted(line, 'bold');
  if (line.startsWith('+')) return painted(line, 'good');
  if (line.startsWith('-')) return painted(line, 'bad');
  return line.startsWith('@@') ? painted(line, 'busy') : line;
}
