// Effect: whether hand-overs help, on the user's own tasks. Compares retries and switches that had a hand-over with the
// control group (run.holdout). Attempts with hand-overs switched off are in neither group, since no draw chose them.
// An attempt from which nothing follows about the work (undecided, interrupted, agent not available) is not counted.

import type { ForewordEvent } from '../kernel/events.ts';
import { isoWeekStart, parseIsoTime } from '../kernel/iso-time.ts';
import { type Comparison, type Effect, FEWEST } from './effect-text.ts';
import { type EndedAttempt, followAttempts, NOTHING_UNDERWAY, type Underway } from './ended-attempts.ts';
import { differenceOf, type Figure, meanOf, overlaps, shareOf } from './statistics.ts';

export { type Comparison, type Effect, renderEffect } from './effect-text.ts';

type Group = 'with' | 'without';

interface Tally {
  count: number;
  total: number;
}

/** `events` in the order of the journal. */
export function measureEffect(events: Iterable<ForewordEvent>): Effect {
  const retries = groups();
  const switches = groups();
  const commands = groups();
  const weeks = new Map<string, Tally>();
  const tasks = taskLengths();
  let underway: Underway = NOTHING_UNDERWAY;
  let undecided = 0;
  for (const event of events) {
    const followed = followAttempts(underway, event);
    underway = followed.underway;
    tasks.see(event);
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
    retrySuccess: compareShares(retries),
    fallbackSuccess: compareShares(switches),
    helperAccuracy: compareShares(commands),
    attemptsPerTask: compare(meanOf(tasks.lengths.with), meanOf(tasks.lengths.without), 'less'),
    firstAttempts: [...weeks]
      .filter(([, { total }]) => total > 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([week, { count, total }]) => ({ week, ...shareOf(count, total) })),
    undecided,
  };
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

function compareShares(tallies: Record<Group, Tally>): Comparison {
  const [one, other] = [tallies.with, tallies.without];
  return compare(shareOf(one.count, one.total), shareOf(other.count, other.total), 'more');
}

function compare(withContext: Figure, withoutContext: Figure, better: 'more' | 'less'): Comparison {
  const difference = differenceOf(withContext, withoutContext);
  const figures = { withContext, withoutContext, ...(difference === undefined ? {} : { difference }) };
  if (withContext.total < FEWEST || withoutContext.total < FEWEST) {
    const seen = `${withContext.total} with and ${withoutContext.total} without`;
    const says = `Too little data: ${seen}. ${FEWEST} of each are needed.`;
    return { ...figures, enough: false, says };
  }
  const [one, other] = [withContext.interval, withoutContext.interval];
  if (difference === undefined || one === undefined || other === undefined || overlaps(one, other)) {
    return { ...figures, enough: false, says: 'No clear difference: the confidence intervals overlap.' };
  }
  const isBetter = difference.value > 0 === (better === 'more');
  return { ...figures, enough: true, says: isBetter ? 'Better with hand-overs.' : 'Worse with hand-overs.' };
}
