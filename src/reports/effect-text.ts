// The effect of hand-overs as figures, and as aligned text for people. What is in the figures: effect.ts.

import type { Difference } from './sequence.ts';
import type { Figure } from './statistics.ts';

/** With fewer in either group no statement is made: an interval for 20 still spans some 40 points. */
export const FEWEST = 20;

/** More count as so many, in both groups. Without a bound nothing could be said of a mean: one value that nobody has seen yet may move
 *  it as far as it likes. The lower the bound, the fewer cases show a difference. */
export const MOST_ATTEMPTS = 8;
export const MOST_ACTIONS = 100;

export interface Comparison {
  readonly withContext: Figure;
  readonly withoutContext: Figure;
  /** With minus without, as a confidence sequence: it holds however often one looks. */
  readonly difference?: Difference;
  readonly needs: Needs;
  /** Of a mean: more than so many counted as so many, in both groups. */
  readonly most?: number;
  /** The data shows a difference: FEWEST in each group, and 0 is outside of it. */
  readonly enough: boolean;
  /** The conclusion, one or two sentences for a person. */
  readonly says: string;
}

/** How many more cases show a difference, in eight of ten studies. */
export interface Needs {
  /** In the unit of the figures. */
  readonly difference: number;
  /** In both groups together. */
  readonly more: number;
  /** The share of them in the control group. */
  readonly held: number;
}

export interface Effect {
  /** Attempts by the same agent after a failed one that passed. */
  readonly retrySuccess: Comparison;
  /** Attempts by another agent that passed. */
  readonly fallbackSuccess: Comparison;
  /** Of a helper's commands, the share that ran and decided a criterion; mean over the helpers that were asked and named
   *  commands. Not randomised: a helper that checks a first attempt has no hand-over either. */
  readonly helperAccuracy: Comparison;
  /** Mean over finished tasks that needed more than one; the first draw of the task decides its group. */
  readonly attemptsPerTask: Comparison;
  /** Stored attempts that were played again and passed, with and without their hand-over (`--replay`); absent before the first. */
  readonly replays?: ReplayEffect;
  /** First attempts that passed, by the Monday their week began. */
  readonly firstAttempts: readonly (Figure & { readonly week: string })[];
  /** Actions before the first edit, from transcripts, where a hook had told the agent something and where not: figures are
   *  means of logarithms of one more than them. Not randomised. Only when asked for. */
  readonly orientation?: readonly OrientationEffect[];
  /** Ended attempts from which nothing follows about the work. */
  readonly undecided: number;
}

/** Each pair is the same attempt, once with and once without: the difference is that within pairs, of which `total` counts those
 *  where both were decided. */
export interface ReplayEffect extends Comparison {
  /** How many stored attempts they are of. */
  readonly attempts: number;
}

export interface OrientationEffect extends Comparison {
  /** What began: `start`, `compaction`, … */
  readonly by: string;
}

/** One comparison as text for a person. */
export interface EffectRow {
  readonly title: string;
  /** `none` where there is no data. */
  readonly with: string;
  readonly without: string;
  /** `-` where there is none. */
  readonly difference: string;
  readonly says: string;
}

export function effectRows(effect: Effect): readonly EffectRow[] {
  const rows: readonly Row[] = [
    { title: 'retry success', comparison: effect.retrySuccess, unit: 'share' },
    { title: 'fallback success', comparison: effect.fallbackSuccess, unit: 'share' },
    { title: 'helper accuracy', comparison: effect.helperAccuracy, unit: 'share' },
    { title: 'attempts per task', comparison: effect.attemptsPerTask, unit: 'mean' },
    ...(effect.replays === undefined
      ? []
      : [{ title: 'replayed attempts', comparison: effect.replays, unit: 'share' } as const]),
    ...(effect.orientation ?? []).map(
      (one): Row => ({ title: `actions, ${one.by}`, comparison: one, unit: 'actions' }),
    ),
  ];
  return rows.map(({ title, comparison, unit }) => ({
    title,
    with: renderFigure(comparison.withContext, unit),
    without: renderFigure(comparison.withoutContext, unit),
    difference: renderDifference(comparison, unit),
    says: comparison.says,
  }));
}

export function renderEffect(effect: Effect): string {
  const rows = effectRows(effect);
  const notes = effectNotes(effect);
  const cells = [
    ['measure', 'with hand-over', 'control group', 'difference'],
    ...rows.map((row) => [row.title, row.with, row.without, row.difference]),
  ];
  return [
    'Hand-overs compared with a control group (95 % confidence in brackets; that of the difference holds however often you look)',
    '',
    ...align(cells),
    '',
    ...align(rows.map(({ title, says }) => [title, says])),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
    'Share of first attempts that passed, by week',
    '',
    ...(effect.firstAttempts.length === 0 ? ['None yet.'] : align(weekRows(effect))),
    '',
  ].join('\n');
}

type Unit = 'share' | 'mean' | 'actions';

interface Row {
  readonly title: string;
  readonly comparison: Comparison;
  readonly unit: Unit;
}

function renderFigure({ total, value, interval }: Figure, unit: Unit): string {
  if (value === undefined) return 'none';
  const range = interval === undefined ? '' : ` (${inUnit(interval.low, unit)} to ${inUnit(interval.high, unit)})`;
  return `${inUnit(value, unit)}${unit === 'share' ? ' %' : ''}${range} of ${total}`;
}

function renderDifference({ difference }: Comparison, unit: Unit): string {
  if (difference === undefined) return '-';
  if (unit === 'actions') {
    const [value, low, high] = [difference.value, difference.low, difference.high].map((each) =>
      Math.exp(each).toFixed(2),
    );
    return `times ${value} (${low} to ${high})`;
  }
  const [value, low, high] = [difference.value, difference.low, difference.high].map((each) => signed(each, unit));
  return `${value}${unit === 'share' ? ' points' : ''} (${low} to ${high})`;
}

function signed(value: number, unit: Unit): string {
  const text = inUnit(value, unit);
  return text.startsWith('-') ? text : `+${text}`;
}

/** Shares in whole percent, means with one digit; never `-0`. */
function inUnit(value: number, unit: Unit): string {
  const shown = unit === 'actions' ? Math.expm1(value) : value;
  const text = unit === 'share' ? (value * 100).toFixed(0) : shown.toFixed(1);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** What a reader must know about the figures; often empty. */
export function effectNotes(effect: Effect): readonly string[] {
  const { undecided, helperAccuracy, attemptsPerTask, orientation, replays } = effect;
  const notes: string[] = [];
  if (hasData(attemptsPerTask)) {
    notes.push(
      `Attempts per task: a task with more than ${MOST_ATTEMPTS} counts as one with ${MOST_ATTEMPTS}, in both groups.`,
    );
  }
  if (hasData(helperAccuracy)) {
    notes.push(
      'Helper accuracy: the share of its commands that decided, for each helper; the mean of these shares is compared.',
    );
  }
  if (orientation !== undefined && orientation.length > 0) {
    notes.push(
      'Actions are those before the first edit, by transcripts of this machine: with a text of a hook before it, and without. Not randomised.',
      `What is compared is the mean of their logarithms, as a factor; more than ${MOST_ACTIONS} actions count as ${MOST_ACTIONS}, with and without.`,
    );
  }
  if (replays !== undefined) {
    const of = replays.attempts === 1 ? '1 stored attempt' : `${replays.attempts} stored attempts`;
    notes.push(
      `Replayed attempts are ${replays.withContext.total} pair(s) of ${of}, compared within each pair: the figure holds for these attempts, not for tasks in general.`,
    );
  }
  if (helperAccuracy.enough) {
    notes.push('Helper accuracy is not randomised: a helper also has no hand-over when there is no earlier attempt.');
  }
  if (undecided > 0) {
    const attempts = undecided === 1 ? '1 attempt' : `${undecided} attempts`;
    notes.push(`Not counted: ${attempts} (undecided, interrupted, or the agent was not available).`);
  }
  return notes;
}

function hasData({ withContext, withoutContext }: Comparison): boolean {
  return withContext.total + withoutContext.total > 0;
}

/** The share of first attempts that passed, by the Monday of their week. */
export function weekRows({ firstAttempts }: Effect): readonly (readonly [string, string])[] {
  return firstAttempts.map(({ week, ...figure }) => [week, renderFigure(figure, 'share')]);
}

function align(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
