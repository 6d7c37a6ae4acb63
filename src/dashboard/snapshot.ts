// The one function from records to the state of the page. Pure: the same records give the same value, so that unchanged
// parts need not be sent. Every list is bounded, and rows that are left out are counted.

import type { ForewordEvent } from '../kernel/events.ts';
import { oneLine } from '../kernel/safe-text.ts';
import type { ReadinessState } from '../kernel/session.ts';
import { complianceRows, readCount, readInTime } from '../reports/compliance.ts';
import { measureEffect } from '../reports/effect.ts';
import { effectNotes, effectRows, weekRows } from '../reports/effect-text.ts';
import { openRuns, runLine, runViews } from '../reports/run-view.ts';
import { type Arrival, type ArrivalKind, arrivalWords } from '../verify/arrival.ts';
import { TRIED, TRIED_TITLES } from '../verify/measurement.ts';
import { agentRows, lastWork } from './agents.ts';
import { arrivalsOf } from './arrivals.ts';
import { needsOf } from './needs.ts';
import type { DashboardRecords, KnownMeasurement, RunningSession } from './records.ts';
import type {
  EffectShown,
  GateRow,
  Listed,
  MeasuredCell,
  MeasuredRow,
  RunRow,
  SessionRow,
  Shown,
  ShownState,
  Tone,
} from './shown.ts';
import { tasksOf } from './tasks.ts';

const MAX_NAME = 60;
const MAX_LINE = 200;
/** The newest versions of an agent that are shown. */
const MOST_VERSIONS = 2;
const MOST_WAITING = 5;
const MOST_GATES = 15;
const MOST_WEEKS = 12;
const MOST_RUNS = 8;

/** What is computed from the whole journal, cached by its array: that is the same until a new event comes. */
interface FromJournal {
  readonly shown: Pick<Shown, 'effect' | 'gates'>;
  readonly worked: ReadonlyMap<string, string>;
}
const computed = new WeakMap<readonly ForewordEvent[], FromJournal>();

export function snapshotOf(records: DashboardRecords): Shown {
  const { events } = records;
  const journal = computed.get(events) ?? fromJournal(events);
  computed.set(events, journal);
  return {
    project: oneLine(records.project, MAX_NAME),
    root: oneLine(records.root, MAX_LINE),
    needs: needsOf(records),
    sessions: records.sessions.map(sessionRow),
    arrivals: arrivalsOf(records),
    agents: agentRows(records, journal.worked),
    measured: measuredRows(records.measured),
    runs: runRows(records),
    tasks: tasksOf(records),
    ...journal.shown,
  };
}

function fromJournal(events: readonly ForewordEvent[]): FromJournal {
  return { shown: { effect: effectShown(events), gates: gatesOf(events) }, worked: lastWork(events) };
}

/** Newest first. */
function runRows({ runs, tasks, supervisors }: DashboardRecords): Listed<RunRow> {
  const all = openRuns(runViews(runs, tasks)).toReversed();
  const rows = all.slice(0, MOST_RUNS).map((view): RunRow => {
    const { id, branch, commits, startedAt, commands } = view;
    const running = tasks.filter(({ run, status }) => run === id && status === 'running');
    const isAlive = running.some(({ task_id }) => supervisors.get(task_id)?.state !== 'gone');
    return {
      id: oneLine(id, MAX_NAME),
      branch: oneLine(branch, MAX_LINE),
      line: oneLine(runLine(view), MAX_LINE),
      state: runState(commits, { isRunning: running.length > 0, isAlive }),
      commits,
      startedAt,
      commands: commands.map((command) => oneLine(command, MAX_LINE)),
    };
  });
  return { rows, hidden: all.length - rows.length };
}

function runState(commits: number, how: { readonly isRunning: boolean; readonly isAlive: boolean }): ShownState {
  if (how.isRunning)
    return how.isAlive ? { word: 'at work', tone: 'active' } : { word: 'supervisor gone', tone: 'bad' };
  return commits > 0 ? { word: 'to merge', tone: 'waiting' } : { word: 'nothing to merge', tone: 'plain' };
}

const READINESS: Readonly<Record<ReadinessState, ShownState>> = {
  starting: { word: 'starting', tone: 'active' },
  ready: { word: 'ready', tone: 'good' },
  busy: { word: 'busy', tone: 'active' },
  asking: { word: 'asking', tone: 'waiting' },
  unrecognised: { word: 'unrecognised', tone: 'unknown' },
  suspended: { word: 'suspended', tone: 'waiting' },
  gone: { word: 'gone', tone: 'bad' },
};

function sessionRow(session: RunningSession): SessionRow {
  const { id, agent, readiness, evidence, paused, startedAt, terminal, on } = session;
  const known = READINESS[readiness] ?? { word: 'unknown', tone: 'unknown' };
  return {
    id,
    agent: oneLine(agent, MAX_NAME),
    state: paused ? { word: `${known.word}, paused`, tone: 'waiting' } : known,
    ...(evidence === undefined ? {} : { evidence: oneLine(evidence, MAX_LINE) }),
    startedAt,
    where: `${terminal ?? 'unknown'}${on === undefined ? '' : ` on ${oneLine(on, MAX_NAME)}`}`,
    waiting: session.waiting
      .slice(0, MOST_WAITING)
      .map(({ id: delivery, reason }) => ({ id: delivery, reason: oneLine(reason, MAX_LINE) })),
  };
}

function measuredRows(measured: readonly KnownMeasurement[]): readonly MeasuredRow[] {
  const newestFirst = measured.toSorted((one, other) => (one.at < other.at ? 1 : -1));
  const agents = [...new Set(newestFirst.map(({ agent }) => agent))].sort();
  return agents.flatMap((agent) =>
    newestFirst
      .filter((one) => one.agent === agent)
      .slice(0, MOST_VERSIONS)
      .map(measuredRow),
  );
}

function measuredRow({ agent, version, at, arrivals, isInstalled }: KnownMeasurement): MeasuredRow {
  return {
    agent: oneLine(agent, MAX_NAME),
    version: oneLine(version, MAX_NAME),
    at,
    installed: INSTALLED[`${isInstalled}`],
    cells: TRIED.map((tried) => ({ title: TRIED_TITLES[tried], ...measuredCell(arrivals[tried]) })),
  };
}

const INSTALLED: Readonly<Record<`${boolean | undefined}`, ShownState>> = {
  true: { word: 'installed', tone: 'good' },
  false: { word: 'another version is installed', tone: 'waiting' },
  undefined: { word: 'unknown whether installed', tone: 'unknown' },
};

const ARRIVAL_TONES: Readonly<Record<ArrivalKind, Tone>> = {
  served: 'good',
  late: 'waiting',
  truncated: 'bad',
  dropped: 'bad',
  duplicated: 'bad',
  'not offered': 'plain',
  'not measured': 'unknown',
};

function measuredCell(arrival: Arrival | undefined): Omit<MeasuredCell, 'title'> {
  if (arrival === undefined) return { state: { word: 'not tried', tone: 'unknown' } };
  const state = { word: arrivalWords(arrival), tone: ARRIVAL_TONES[arrival.kind] };
  if ('ms' in arrival) return { state, detail: `${(arrival.ms / 1000).toFixed(1)} s` };
  return 'reason' in arrival ? { state, detail: oneLine(arrival.reason, MAX_LINE) } : { state };
}

function effectShown(events: readonly ForewordEvent[]): EffectShown {
  const effect = measureEffect(events);
  return {
    rows: effectRows(effect),
    notes: effectNotes(effect),
    weeks: weekRows(effect)
      .slice(-MOST_WEEKS)
      .map(([week, share]) => ({ week, share })),
  };
}

function gatesOf(events: readonly ForewordEvent[]): Listed<GateRow> {
  const all = complianceRows(events);
  const rows = all
    .slice(-MOST_GATES)
    .toReversed()
    .map((one): GateRow => {
      const isServed = one.served === 'served';
      return {
        session: oneLine(one.session, MAX_NAME),
        agent: oneLine(one.agent, MAX_NAME),
        mode: one.mode,
        served: isServed ? { word: 'served', tone: 'good' } : { word: 'unknown', tone: 'unknown' },
        read: readCount(one),
        inTime: readInTime(one),
      };
    });
  return { rows, hidden: all.length - rows.length };
}
