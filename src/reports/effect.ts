// Effect: whether hand-overs help, on the user's own tasks. Compares retries and switches that had a hand-over with the
// control group (run.holdout). Attempts with hand-overs switched off are in neither group, since no draw chose them.
// An attempt from which nothing follows about the work (undecided, interrupted, agent not available) is not counted.

import type { ForewordEvent } from '../kernel/events.ts';
import { isoWeekStart, parseIsoTime } from '../kernel/iso-time.ts';
import type { Orientation } from '../verify/audit/tally.ts';
import { type Comparison, type Effect, FEWEST, type Needs, type OrientationEffect } from './effect-text.ts';
import { type EndedAttempt, followAttempts, NOTHING_UNDERWAY, type Underway } from './ended-attempts.ts';
import { replayedPairs } from './replayed-pairs.ts';
import { casesFor, sequenceOf } from './sequence.ts';
import { type Figure, meanOf, shareOf } from './statistics.ts';

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

/** `events` in the order of the journal. */
export function measureEffect(events: Iterable<ForewordEvent>, points = WORTH_POINTS): Effect {
  const retries = groups();
  const switches = groups();
  const commands = groups();
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
    if (event.kind === 'helper-asked') {
      const tally = commands[event.hadContext ? 'with' : 'without'];
      tally.count += event.decided;
      tally.total += event.commands;
    }
    const { ended } = followed;
    if (ended === undefined) continue;
    const tally = tallyOf(ended, { retries, switches, weeks });
    if (ended.outcome === 'undecided') undecided += 1;
    else if (tally !== undefined) add(tally, ended);
  }
  return {
    retrySuccess: compareShares(retries, points),
    fallbackSuccess: compareShares(switches, points),
    helperAccuracy: compareShares(commands, points),
    attemptsPerTask: compare(meanOf(tasks.lengths.with), meanOf(tasks.lengths.without), {
      better: 'less',
      worth: WORTH_ATTEMPTS,
      unit: 'one attempt',
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
    ...compare(told, untold, {
      better: 'less',
      worth: Math.log(WORTH_FACTOR),
      unit: `a factor of ${WORTH_FACTOR}`,
      says: ['Fewer actions after a text of a hook.', 'More actions after a text of a hook.'],
    }),
  }));
}

function groups(): Record<Group, Tally> {
  return { with: { count: 0, total: 0 }, without: { count: 0, total: 0 } };
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
  const lengths: Record<Group, number[]> = { with: [], without: [] };
  const see = (event: ForewordEvent): void => {
    if (event.kind === 'attempt-started') {
      const task = open.get(event.task) ?? { attempts: 0 };
      task.attempts += 1;
      const drawn = event.isHeldOut ? 'without' : event.handover !== 'none' ? 'with' : undefined;
      if (task.group === undefined && drawn !== undefined) task.group = drawn;
      open.set(event.task, task);
    } else if (event.kind === 'task-finished' && event.status !== 'blocked') {
      const task = open.get(event.task);
      if (task?.group !== undefined) lengths[task.group].push(task.attempts);
      open.delete(event.task);
    }
  };
  return { lengths, see };
}

function compareShares(tallies: Record<Group, Tally>, points: number): Comparison {
  const [one, other] = [tallies.with, tallies.without];
  const figures = [shareOf(one.count, one.total), shareOf(other.count, other.total)] as const;
  return compare(...figures, { better: 'more', worth: points / 100, unit: `${points} points` });
}

/** Which way is better, and which difference would be worth knowing. */
interface Wanted {
  readonly better: 'more' | 'less';
  readonly worth: number;
  /** That difference in words. */
  readonly unit: string;
  /** What is said when it is better, and when it is worse. */
  readonly says?: readonly [better: string, worse: string];
}

function compare(withContext: Figure, withoutContext: Figure, wanted: Wanted): Comparison {
  const difference = sequenceOf(withContext, withoutContext, wanted.worth);
  const needs = needsOf(withContext, withoutContext, wanted.worth);
  const figures = { withContext, withoutContext, needs, ...(difference === undefined ? {} : { difference }) };
  const more = needsText(needs, wanted.unit);
  if (withContext.total < FEWEST || withoutContext.total < FEWEST) {
    const seen = `${withContext.total} with and ${withoutContext.total} without`;
    const says = `Too little data: ${seen}. ${FEWEST} of each are needed.${more}`;
    return { ...figures, enough: false, says };
  }
  if (difference === undefined || (difference.low <= 0 && difference.high >= 0)) {
    return { ...figures, enough: false, says: `No clear difference yet.${more}` };
  }
  const isBetter = difference.value > 0 === (wanted.better === 'more');
  const [better, worse] = wanted.says ?? ['Better with hand-overs.', 'Worse with hand-overs.'];
  return { ...figures, enough: true, says: isBetter ? better : worse };
}

/** Where nothing is known, every case is as uncertain as can be, and half of them are in the control group. */
function needsOf(one: Figure, other: Figure, worth: number): Needs {
  const total = one.total + other.total;
  const held = total === 0 ? 0.5 : Math.min(0.95, Math.max(0.05, other.total / total));
  const isMean = one.count === undefined && other.count === undefined;
  const known = [one, other].filter(({ variance }) => variance !== undefined);
  const cases = known.reduce((sum, each) => sum + each.total, 0);
  const even = known.reduce((sum, each) => sum + (each.variance ?? 0) * each.total, 0) / cases;
  const variance = cases === 0 ? (isMean ? worth ** 2 : 0.25) : Math.max(even, isMean ? worth ** 2 / 4 : 0);
  const needed = Math.max(casesFor(worth, { variance, held }), Math.ceil(FEWEST / Math.min(held, 1 - held)));
  return { difference: worth, more: Math.max(0, needed - total), held };
}

function needsText({ more, held }: Needs, unit: string): string {
  if (more === 0) return '';
  return ` About ${more} more would show a difference of ${unit}, if ${Math.round(held * 100)} % of them are in the control group.`;
}
