// Stored attempts that were played again (`foreword effect --replay`), once with and once without their hand-over: compared within
// each pair, so that an attempt which is hard for every agent makes no difference.

import type { ForewordEvent } from '../kernel/events.ts';
import { type Comparison, type Effect, FEWEST } from './effect-text.ts';
import { pairsFor } from './needed-cases.ts';
import { sequenceOfPairs } from './sequence.ts';
import { shareOf, together, type Values, valuesOf } from './statistics.ts';

type Replayed = Extract<ForewordEvent, { kind: 'attempt-replayed' }>;

/** How many pairs ended in which way. */
export interface PairCounts {
  readonly both: number;
  readonly onlyWith: number;
  readonly onlyWithout: number;
  readonly neither: number;
}

export function replayedPairs() {
  const open = new Map<string, Replayed>();
  const attempts = new Set<string>();
  const counts = { both: 0, onlyWith: 0, onlyWithout: 0, neither: 0 };
  const see = (event: ForewordEvent): void => {
    if (event.kind !== 'attempt-replayed') return;
    const first = open.get(event.pair);
    if (first === undefined || first.hadHandover === event.hadHandover) {
      open.set(event.pair, event);
      return;
    }
    open.delete(event.pair);
    // Nothing follows from a pair of which one is undecided.
    if ([first, event].some(({ outcome }) => outcome === 'undecided')) return;
    attempts.add(JSON.stringify([event.task, event.attempt]));
    counts[endOf(...(event.hadHandover ? ([event, first] as const) : ([first, event] as const)))] += 1;
  };
  const compared = (points: number): Pick<Effect, 'replays'> =>
    attempts.size === 0 ? {} : { replays: { ...comparePairs(counts, points), attempts: attempts.size } };
  return { see, compared };
}

function endOf(given: Replayed, without: Replayed): keyof PairCounts {
  if (given.outcome === without.outcome) return given.outcome === 'succeeded' ? 'both' : 'neither';
  return given.outcome === 'succeeded' ? 'onlyWith' : 'onlyWithout';
}

/** `points` is the difference that is worth knowing. */
export function comparePairs(counts: PairCounts, points: number): Comparison {
  const { both, onlyWith, onlyWithout, neither } = counts;
  const total = both + onlyWith + onlyWithout + neither;
  const [withContext, withoutContext] = [shareOf(both + onlyWith, total), shareOf(both + onlyWithout, total)];
  const sum = onlyWith - onlyWithout;
  const pairs = pairsOf(counts);
  const worth = points / 100;
  const difference = sequenceOfPairs(pairs);
  // One better and one worse more, so that few pairs, or pairs that all end in the same way, do not look certain.
  const more = Math.max(0, Math.max(pairsFor(worth, together([pairs], [1, -1])), FEWEST) - total);
  const needs = { difference: worth, more, held: 0.5 };
  const figures = { withContext, withoutContext, needs, ...(difference === undefined ? {} : { difference }) };
  const wanted = more === 0 ? '' : ` About ${more} more pairs would show a difference of ${points} points.`;
  if (total < FEWEST)
    return { ...figures, enough: false, says: `Too little data: ${total} pair(s). ${FEWEST} are needed.${wanted}` };
  if (difference === undefined || (difference.low <= 0 && difference.high >= 0))
    return { ...figures, enough: false, says: `No clear difference yet.${wanted}` };
  return { ...figures, enough: true, says: sum > 0 ? 'Better with hand-overs.' : 'Worse with hand-overs.' };
}

/** The differences within pairs. */
export function pairsOf({ both, onlyWith, onlyWithout, neither }: PairCounts): Values {
  const ends = [
    [1, onlyWith],
    [0, both + neither],
    [-1, onlyWithout],
  ] as const;
  return valuesOf(ends, { low: -1, high: 1 });
}
