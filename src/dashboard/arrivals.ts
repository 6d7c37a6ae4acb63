// Arrivals: which text reached which session, by moment, with its proof. Three kinds of rows: our own sessions have
// receipts; agents with our hooks have the hooks' events; tasks of a run have the hand-over in their prompts.

import type { ForewordEvent } from '../kernel/events.ts';
import { PROOFS, type Proof, type Receipt } from '../kernel/receipt.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { newestOf, printedByHooks } from '../reports/deliveries.ts';
import type { DashboardRecords } from './records.ts';
import { type ArrivalCell, type ArrivalRow, type Listed, MOMENTS, type ShownMoment, type ShownState } from './shown.ts';

const MOST = 14;
/** A run has many tasks; they must not push the sessions out of the list. */
const MOST_RUNS = 5;
const MAX_BECAUSE = 200;

/** One text for an agent, as far as the records show it. */
interface SentText {
  readonly row: string;
  readonly kind: ArrivalRow['kind'];
  readonly moment: ShownMoment;
  readonly state: ShownState;
  readonly at: string;
  readonly isArrived: boolean;
  readonly proof?: Proof;
  readonly because?: string | undefined;
  readonly delivery?: string;
}

/** All texts of one row. */
interface SessionTexts {
  readonly kind: ArrivalRow['kind'];
  readonly row: string;
  at: string;
  readonly cells: Map<ShownMoment, { newest: SentText; total: number; arrived: number }>;
}

/** Only visible rows are rendered: a journal has many texts, and this runs once a second. */
export function arrivalsOf(records: DashboardRecords): Listed<ArrivalRow> {
  const rows = gather(textsOf(records));
  const newestFirst = rows.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  const runs = new Set(newestFirst.filter(({ kind }) => kind === 'run').slice(0, MOST_RUNS));
  const shown = newestFirst.filter((row) => row.kind !== 'run' || runs.has(row)).slice(0, MOST);
  const agents = agentsIn(records);
  return {
    rows: shown.map((row) => ({
      id: oneLine(row.row, 80),
      kind: row.kind,
      agent: oneLine(agents.get(row.row) ?? 'unknown', 40),
      at: row.at,
      cells: Object.fromEntries([...row.cells].map(([moment, cell]) => [moment, cellOf(cell)])),
    })),
    hidden: newestFirst.length - shown.length,
  };
}

function gather(texts: Iterable<SentText>): SessionTexts[] {
  const rows = new Map<string, SessionTexts>();
  for (const text of texts) {
    const key = `${text.kind} ${text.row}`;
    const row = rows.get(key) ?? { kind: text.kind, row: text.row, at: text.at, cells: new Map() };
    rows.set(key, row);
    if (text.at > row.at) row.at = text.at;
    const cell = row.cells.get(text.moment) ?? { newest: text, total: 0, arrived: 0 };
    row.cells.set(text.moment, cell);
    cell.total += 1;
    if (text.isArrived) cell.arrived += 1;
    if (text.at >= cell.newest.at) cell.newest = text;
  }
  return [...rows.values()];
}

function cellOf({ newest, total, arrived }: { newest: SentText; total: number; arrived: number }): ArrivalCell {
  const { state, at, proof, because, delivery } = newest;
  return {
    state,
    at,
    total,
    arrived,
    ...(proof === undefined ? {} : { proof: PROOFS.indexOf(proof) + 1 }),
    ...(because === undefined ? {} : { because: oneLine(because, MAX_BECAUSE) }),
    ...(delivery === undefined ? {} : { delivery }),
  };
}

function* textsOf(records: DashboardRecords): Iterable<SentText> {
  yield* ofReceipts(records.receipts);
  yield* ofWaiting(records);
  yield* ofHooks(records.events);
  yield* ofRuns(records.events);
}

function* ofReceipts(receipts: readonly Receipt[]): Iterable<SentText> {
  for (const one of newestOf(receipts)) {
    const moment = MOMENTS.find((each) => each === one.moment);
    if (moment === undefined) continue;
    yield {
      row: one.session,
      kind: 'session',
      moment,
      state: stateOf(one),
      at: one.at,
      isArrived: one.outcome === 'delivered',
      proof: one.proof,
      because: one.outcome === 'delivered' ? one.evidence : one.reason,
      delivery: one.delivery,
    };
  }
}

function stateOf({ outcome, proof }: Receipt): ShownState {
  switch (outcome) {
    case 'delivered':
      return { word: proof, tone: 'good' };
    case 'uncertain':
      return { word: `uncertain, ${proof}`, tone: 'unknown' };
    case 'failed':
      return { word: `failed, ${proof}`, tone: 'bad' };
    default:
      return { word: 'unknown', tone: 'unknown' };
  }
}

/** What has not ended, from the queue on. */
function* ofWaiting({ sessions }: DashboardRecords): Iterable<SentText> {
  for (const { id: delivery, session, moment: of, proof, reason, queuedAt } of sessions.flatMap(
    (one) => one.deliveries,
  )) {
    const moment = MOMENTS.find((each) => each === of);
    if (moment === undefined) continue;
    const state = { word: proof, tone: 'waiting' } as const;
    yield {
      row: session,
      kind: 'session',
      moment,
      state,
      at: queuedAt,
      isArrived: false,
      proof,
      because: reason,
      delivery,
    };
  }
}

/** A hook that printed the text placed it. Whether the model got it shows in the agent's transcript, later or never. */
function* ofHooks(events: readonly ForewordEvent[]): Iterable<SentText> {
  for (const one of printedByHooks(events)) {
    const moment = MOMENTS.find((each) => each === one.moment);
    if (moment === undefined) continue;
    const isServed = one.proof === 'served';
    yield {
      row: one.session,
      kind: 'hooks',
      moment,
      state: { word: one.proof, tone: isServed ? 'good' : 'unknown' },
      at: one.at,
      isArrived: isServed,
      proof: one.proof,
      because: isServed ? one.evidence : one.reason,
    };
  }
}

/** In a run the hand-over is part of the prompt that the agent is started with. */
function* ofRuns(events: readonly ForewordEvent[]): Iterable<SentText> {
  for (const event of events) {
    if (event.kind === 'attempt-started' && event.occasion !== 'first') {
      const hasIt = event.handover !== 'none';
      const because = event.isHeldOut
        ? 'control group'
        : hasIt
          ? tokensOf(event.handoverTokens)
          : 'there was no hand-over';
      yield {
        row: event.task,
        kind: 'run',
        moment: event.occasion,
        state: hasIt
          ? { word: 'in its prompt', tone: 'good' }
          : { word: event.isHeldOut ? 'held out' : 'none', tone: 'plain' },
        at: event.at,
        isArrived: hasIt,
        because: `attempt ${event.attempt} by ${event.agent}: ${because}`,
      };
    }
    if (event.kind === 'helper-asked') {
      const { hadContext } = event;
      const state = hadContext
        ? ({ word: 'in its prompt', tone: 'good' } as const)
        : ({ word: 'none', tone: 'plain' } as const);
      const because = `${event.agent} proposed ${event.commands}, ${event.decided} decided`;
      yield { row: event.task, kind: 'run', moment: 'review', state, at: event.at, isArrived: hadContext, because };
    }
  }
}

function tokensOf(tokens: number): string {
  return `about ${tokens} tokens`;
}

/** The agent of each session; for a task the last agent that worked on it. */
function agentsIn({ sessions, events }: DashboardRecords): ReadonlyMap<string, string> {
  const agents = new Map(sessions.map(({ id, agent }) => [id, agent]));
  for (const event of events) {
    if ('session' in event && 'agent' in event) agents.set(event.session, event.agent);
    if (event.kind === 'attempt-started') agents.set(event.task, event.agent);
  }
  return agents;
}
