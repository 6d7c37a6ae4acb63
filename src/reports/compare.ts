// Two groups compared: whether they differ, and how many more cases would show it. Pure.

import { type Comparison, FEWEST, type Needs } from './effect-text.ts';
import { casesFor } from './needed-cases.ts';
import { sequenceOf } from './sequence.ts';
import { type Figure, momentsOf, together, type Values } from './statistics.ts';

/** Which way is better, and which difference would be worth knowing. */
export interface Aim {
  readonly better: 'more' | 'less';
  readonly worth: number;
  /** That difference in words. */
  readonly unit: string;
  /** Where it is shown that larger values count as this one. */
  readonly most?: number;
  readonly figureOf: (values: Values) => Figure;
  /** What values may be like, while nothing is known; later it has the weight of so many cases. */
  readonly expected: readonly number[];
  /** What is said when it is better, and when it is worse. */
  readonly says?: readonly [better: string, worse: string];
}

/** The values of both have the same range. */
export function compare(one: Values, other: Values, aim: Aim): Comparison {
  const [withContext, withoutContext] = [aim.figureOf(one), aim.figureOf(other)];
  const difference = sequenceOf(one, other);
  const needs = needsOf(one, other, aim);
  const { most } = aim;
  const figures = {
    ...{ withContext, withoutContext, needs },
    ...(difference === undefined ? {} : { difference }),
    ...(most === undefined ? {} : { most }),
  };
  const more = needsText(needs, aim.unit);
  if (withContext.total < FEWEST || withoutContext.total < FEWEST) {
    const seen = `${withContext.total} with and ${withoutContext.total} without`;
    const says = `Too little data: ${seen}. ${FEWEST} of each are needed.${more}`;
    return { ...figures, enough: false, says };
  }
  if (difference === undefined || (difference.low <= 0 && difference.high >= 0)) {
    return { ...figures, enough: false, says: `No clear difference yet.${more}` };
  }
  const isBetter = difference.value > 0 === (aim.better === 'more');
  const [better, worse] = aim.says ?? ['Better with hand-overs.', 'Worse with hand-overs.'];
  return { ...figures, enough: true, says: isBetter ? better : worse };
}

/** Where nothing is known, half of the cases are in the control group. */
function needsOf(one: Values, other: Values, { better, worth, expected }: Aim): Needs {
  const [given, without] = [momentsOf(one).total, momentsOf(other).total];
  const total = given + without;
  const held = total === 0 ? 0.5 : Math.min(0.95, Math.max(0.05, without / total));
  const like = together([one, other], expected);
  const needed = Math.max(
    casesFor(better === 'more' ? worth : -worth, { like, held }),
    Math.ceil(FEWEST / Math.min(held, 1 - held)),
  );
  return { difference: worth, more: Math.max(0, needed - total), held };
}

function needsText({ more, held }: Needs, unit: string): string {
  if (more === 0) return '';
  return ` About ${more} more would show a difference of ${unit}, if ${Math.round(held * 100)} % of them are in the control group.`;
}
