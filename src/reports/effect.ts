// Effect: whether hand-overs help, on the user's own tasks. Compares retries and switches that had a hand-over with the
// control group (run.holdout). Attempts with hand-overs switched off are in neither group, since no draw chose them.
// An attempt from which nothing follows about the work (undecided, interrupted, agent not available) is not counted.

import type { ForewordEvent } from '../kernel/events.ts';
import { isoWeekStart, parseIsoTime } from '../kernel/iso-time.ts';
import type { LogFigure, Orientation } from '../verify/audit/tally.ts';
import { type Aim, compare } from './compare.ts';
import { type Comparison, type Effect, MOST_ACTIONS, MOST_ATTEMPTS, type OrientationEffect } from './effect-text.ts';
import { type EndedAttempt, followAttempts, NOTHING_UNDERWAY, type Underway } from './ended-attempts.ts';
import { replayedPairs } from './replayed-pairs.ts';
import { meanOf, meanShareOf, momentsOf, shareOf, type Values, valuesOf } from './statistics.ts';

export { type Comparison, type Effect, renderEffect } from './effect-text.ts';

type Group = 'with' | 'without';

interface Tally {
  count: number;
  total: number;
}

/** A difference that is worth knowing, in points of a share. */
export const WORTH_POINTS = 15;
/** The same of attempts per task. */
const WORTH_ATTEMPTS = 1;
const SHARES = { low: 0, high: 1 };
const ATTEMPTS = { low: 1, high: MOST_ATTEMPTS };
const LOG_ACTIONS = { low: 0, high: Math.log1p(MOST_ACTIONS) };

/** `events` in the order of the journal. */
export function measureEffect(events: Iterable<ForewordEvent>, points = WORTH_POINTS): Effect {
  const retries = groups();
  const switches = groups();
  const helped = lists();
  const weeks = new Map<string, Tally>();
  const tasks = taskLengths();
  let underway: Underway = NOTHING_UNDERWAY;
  const replays = replayedPairs();
  let undecided = 0;
  for (const event of events) {
    const followed = followAttempts(underway, event);
    underway = followed.underway;
    tasks.see(event);
    replays.see(event);
    // The commands of one helper tend to end alike, so that it is one case, however many they are.
    if (event.kind === 'helper-asked' && event.commands > 0)
      helped[event.hadContext ? 'with' : 'without'].push([event.decided / event.commands, 1]);
    const { ended } = followed;
    if (ended === undefined) continue;
    const tally = tallyOf(ended, { retries, switches, weeks });
    if (ended.outcome === 'undecided') undecided += 1;
    else if (tally !== undefined) add(tally, ended);
  }
  return {
    retrySuccess: compareShares(retries, points),
    fallbackSuccess: compareShares(switches, points),
    helperAccuracy: compare(valuesOf(helped.with, SHARES), valuesOf(helped.without, SHARES), {
      ...aimOfShares(points),
      figureOf: meanShareOf,
    }),
    attemptsPerTask: compare(valuesOf(tasks.lengths.with, ATTEMPTS), valuesOf(tasks.lengths.without, ATTEMPTS), {
      better: 'less',
      worth: WORTH_ATTEMPTS,
      unit: 'one attempt',
      most: MOST_ATTEMPTS,
      figureOf: meanOf,
      expected: [2, 4],
    }),
    ...replays.compared(points),
    firstAttempts: [...weeks]
      .filter(([, { total }]) => total > 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([week, { count, total }]) => ({ week, ...shareOf(count, total) })),
    undecided,
  };
}

/** Half as many actions again. */
const WORTH_FACTOR = 1.5;

/** What the transcripts of an audit show of the way to the first edit. */
export function compareOrientation(orientation: readonly Orientation[]): readonly OrientationEffect[] {
  return orientation.map(({ by, told, untold }) => ({
    by,
    ...compare(logsOf(told), logsOf(untold), {
      better: 'less',
      worth: Math.log(WORTH_FACTOR),
      unit: `a factor of ${WORTH_FACTOR}`,
      most: MOST_ACTIONS,
      figureOf: meanOf,
      expected: [3, 10, 30].map(Math.log1p),
      says: ['Fewer actions after a text of a hook.', 'More actions after a text of a hook.'],
    }),
  }));
}

function groups(): Record<Group, Tally> {
  return { with: { count: 0, total: 0 }, without: { count: 0, total: 0 } };
}

function lists(): Record<Group, [value: number, times: number][]> {
  return { with: [], without: [] };
}

function add(tally: Tally, ended: EndedAttempt): void {
  tally.total += 1;
  if (ended.outcome === 'succeeded') tally.count += 1;
}

function tallyOf(
  ended: EndedAttempt,
  places: {
    readonly retries: Record<Group, Tally>;
    readonly switches: Record<Group, Tally>;
    readonly weeks: Map<string, Tally>;
  },
): Tally | undefined {
  if (ended.occasion === 'first') {
    const at = parseIsoTime(ended.at);
    if (at === undefined) return undefined;
    const week = isoWeekStart(at);
    const tally = places.weeks.get(week) ?? { count: 0, total: 0 };
    places.weeks.set(week, tally);
    return tally;
  }
  const group = ended.hadHandover ? 'with' : ended.isHeldOut ? 'without' : undefined;
  if (group === undefined) return undefined;
  return (ended.occasion === 'switch' ? places.switches : places.retries)[group];
}

/** How many attempts tasks took. The first draw decides the group of a task: with any draw, long tasks, which draw more
 *  often, would collect in the control group. */
function taskLengths() {
  const open = new Map<string, { attempts: number; group?: Group }>();
  const lengths = lists();
  const see = (event: ForewordEvent): void => {
    if (event.kind === 'attempt-started') {
      const task = open.get(event.task) ?? { attempts: 0 };
      task.attempts += 1;
      const drawn = event.isHeldOut ? 'without' : event.handover !== 'none' ? 'with' : undefined;
      if (task.group === undefined && drawn !== undefined) task.group = drawn;
      open.set(event.task, task);
    } else if (event.kind === 'task-finished' && event.status !== 'blocked') {
      const task = open.get(event.task);
      if (task?.group !== undefined) lengths[task.group].push([task.attempts, 1]);
      open.delete(event.task);
    }
  };
  return { lengths, see };
}

function compareShares(tallies: Record<Group, Tally>, points: number): Comparison {
  const of = ({ count, total }: Tally): Values =>
    valuesOf(
      [
        [1, count],
        [0, total - count],
      ],
      SHARES,
    );
  return compare(of(tallies.with), of(tallies.without), aimOfShares(points));
}

function aimOfShares(points: number): Aim {
  return {
    better: 'more',
    worth: points / 100,
    unit: `${points} points`,
    figureOf: (values) => shareOf(values.times.get(1) ?? 0, momentsOf(values).total),
    expected: [0, 1],
  };
}

function logsOf({ actions }: LogFigure): Values {
  return valuesOf(
    actions.map(([count, times]) => [Math.log1p(count), times]),
    LOG_ACTIONS,
  );
}
