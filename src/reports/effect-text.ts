// The effect of hand-overs as figures, and as aligned text for people. What is in the figures: effect.ts.

import type { Figure, Interval } from './statistics.ts';

/** Fewer in either group say nothing: an interval for 20 still spans some 40 points. */
export const FEWEST = 20;

export interface Comparison {
  readonly withContext: Figure;
  readonly withoutContext: Figure;
  /** With minus without. */
  readonly difference?: Interval & { readonly value: number };
  /** There is enough to say that there is a difference: FEWEST in each group, and intervals that do not overlap. */
  readonly enough: boolean;
  /** What follows from it, one or two sentences for a person. */
  readonly says: string;
}

export interface Effect {
  /** Attempts by the same agent after a failed one that passed. */
  readonly retrySuccess: Comparison;
  /** Attempts by another agent that passed. */
  readonly fallbackSuccess: Comparison;
  /** Commands of the helper that ran and decided a criterion. Not by lot: a helper that is asked about a first attempt
   *  has no hand-over either. */
  readonly helperAccuracy: Comparison;
  /** Mean over finished tasks that needed more than one; the group is what the first lot of the task was. */
  readonly attemptsPerTask: Comparison;
  /** First attempts that passed, by the Monday their week began. */
  readonly firstAttempts: readonly (Figure & { readonly week: string })[];
  /** Ended attempts that say nothing of the work. */
  readonly undecided: number;
}

/** One comparison in the words that people read. */
export interface EffectRow {
  readonly title: string;
  /** `none` where there is nothing to take a figure from. */
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
    ['', 'with', 'without', 'difference'],
    ...rows.map((row) => [row.title, row.with, row.without, row.difference]),
  ];
  return [
    'Hand-overs: with, and left out by lot (95 % intervals in brackets)',
    '',
    ...align(cells),
    '',
    ...align(rows.map(({ title, says }) => [title, says])),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
    'First attempts that succeeded, by week',
    '',
    ...(effect.firstAttempts.length === 0 ? ['None yet.'] : align(weekRows(effect))),
    '',
  ].join('\n');
}

type Unit = 'share' | 'mean';

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
  const [value, low, high] = [difference.value, difference.low, difference.high].map((each) => signed(each, unit));
  return `${value}${unit === 'share' ? ' points' : ''} (${low} to ${high})`;
}

function signed(value: number, unit: Unit): string {
  const text = inUnit(value, unit);
  return text.startsWith('-') ? text : `+${text}`;
}

/** Shares in whole percent, means with one digit; never `-0`. */
function inUnit(value: number, unit: Unit): string {
  const text = unit === 'share' ? (value * 100).toFixed(0) : value.toFixed(1);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** What a reader must know about the figures; often nothing. */
export function effectNotes({ undecided, helperAccuracy }: Effect): readonly string[] {
  const notes: string[] = [];
  if (helperAccuracy.enough) {
    notes.push('The helper had none also where there was nothing to tell: this difference is not by lot alone.');
  }
  if (undecided > 0) {
    const attempts = undecided === 1 ? '1 attempt' : `${undecided} attempts`;
    notes.push(`Not counted: ${attempts} (undecided, cut off, or the agent could not work).`);
  }
  return notes;
}

/** By the Monday a week began: what share of first attempts passed. */
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
