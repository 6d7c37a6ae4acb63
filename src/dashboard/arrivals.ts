// Arrivals: which text reached whom, by moment, with the proof there is. Three kinds of rows: sessions of ours have
// receipts; agents with our hooks have what the hooks told; tasks of a run have the hand-over in their prompts.

import type { ForewordEvent } from '../core/events.ts';
import { PROOFS, type Proof, type Receipt } from '../core/receipt.ts';
import { oneLine } from '../core/safe-text.ts';
import type { Records } from './records.ts';
import { type ArrivalCell, type ArrivalRow, type Listed, MOMENTS, type ShownMoment, type State } from './shown.ts';

const MOST = 14;
/** A run has many tasks; they must not crowd out the sessions. */
const MOST_RUNS = 5;
const MAX_BECAUSE = 200;

/** One text, as far as it is known. */
interface Text {
  readonly row: string;
  readonly kind: ArrivalRow['kind'];
  readonly moment: ShownMoment;
  readonly state: State;
  readonly at: string;
  readonly isArrived: boolean;
  readonly proof?: Proof;
  readonly because?: string | undefined;
  readonly delivery?: string;
}

export function arrivalsOf(records: Records): Listed<ArrivalRow> {
  const agents = agentsIn(records);
  const rows = new Map<string, ArrivalRow>();
  for (const text of textsOf(records)) {
    const key = `${text.kind} ${text.row}`;
    const before = rows.get(key);
    rows.set(key, {
      id: oneLine(text.row, 80),
      kind: text.kind,
      agent: agents.get(text.row) ?? 'unknown',
      at: before !== undefined && before.at > text.at ? before.at : text.at,
      cells: { ...before?.cells, [text.moment]: joined(before?.cells[text.moment], text) },
    });
  }
  const newestFirst = [...rows.values()].sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  const runs = newestFirst.filter(({ kind }) => kind === 'run').slice(0, MOST_RUNS);
  const shown = newestFirst.filter((row) => row.kind !== 'run' || runs.includes(row)).slice(0, MOST);
  return { rows: shown, hidden: newestFirst.length - shown.length };
}

/** Of each delivery the last receipt: a proof that came late is a second one. */
export function newestReceipts(receipts: readonly Receipt[]): readonly Receipt[] {
  const newest = new Map<string, Receipt>();
  for (const one of receipts) {
    newest.delete(one.delivery);
    newest.set(one.delivery, one);
  }
  return [...newest.values()];
}

function joined(before: ArrivalCell | undefined, text: Text): ArrivalCell {
  const counted = {
    total: (before?.total ?? 0) + 1,
    arrived: (before?.arrived ?? 0) + (text.isArrived ? 1 : 0),
  };
  if (before !== undefined && before.at > text.at) return { ...before, ...counted };
  return {
    state: text.state,
    at: text.at,
    ...counted,
    ...(text.proof === undefined ? {} : { proof: PROOFS.indexOf(text.proof) + 1 }),
    ...(text.because === undefined ? {} : { because: oneLine(text.because, MAX_BECAUSE) }),
    ...(text.delivery === undefined ? {} : { delivery: text.delivery }),
  };
}

function* textsOf(records: Records): Iterable<Text> {
  yield* ofReceipts(records.receipts);
  yield* ofWaiting(records);
  yield* ofHooks(records.events);
  yield* ofRuns(records.events);
}

function* ofReceipts(receipts: readonly Receipt[]): Iterable<Text> {
  for (const one of newestReceipts(receipts)) {
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

function stateOf({ outcome, proof }: Receipt): State {
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

/** What still waits. Its moment stands in the event that told of it. */
function* ofWaiting({ sessions, events }: Records): Iterable<Text> {
  const queued = new Map(
    events.flatMap((event) => (event.kind === 'delivery-queued' ? [[event.delivery, event] as const] : [])),
  );
  for (const session of sessions) {
    for (const { id, reason } of session.waiting) {
      const event = queued.get(id);
      const moment = MOMENTS.find((each) => each === event?.moment);
      if (event === undefined || moment === undefined) continue;
      const state = { word: 'waits', tone: 'waiting' } as const;
      const kind = 'session' as const;
      const { at } = event;
      yield {
        row: session.id,
        kind,
        moment,
        state,
        at,
        isArrived: false,
        proof: 'queued',
        because: reason,
        delivery: id,
      };
    }
  }
}

/** A hook that printed placed the text; that the model was given it shows in the agent's transcript, later or never. */
function* ofHooks(events: readonly ForewordEvent[]): Iterable<Text> {
  const served = new Set(events.flatMap((event) => (event.kind === 'context-served' ? [event.context] : [])));
  for (const event of events) {
    const isGate = event.kind === 'gate-spoken';
    if (!isGate && event.kind !== 'context-printed') continue;
    const isServed = served.has(event.context);
    yield {
      row: event.session,
      kind: 'hooks',
      moment: isGate ? 'first-tool' : event.moment,
      state: isServed ? { word: 'served', tone: 'good' } : { word: 'placed', tone: 'unknown' },
      at: event.at,
      isArrived: isServed,
      proof: isServed ? 'served' : 'placed',
      because: isServed
        ? "its id stands in the agent's transcript"
        : 'the hook printed it; no transcript shows more yet',
    };
  }
}

/** In a run the hand-over is part of the prompt that the agent is started with. */
function* ofRuns(events: readonly ForewordEvent[]): Iterable<Text> {
  for (const event of events) {
    if (event.kind === 'attempt-started' && event.occasion !== 'first') {
      const hasIt = event.handover !== 'none';
      const because = event.isHeldOut ? 'left out by lot' : hasIt ? tokensOf(event.handoverTokens) : 'there was none';
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

/** Who has which session; for a task the last agent that worked on it. */
function agentsIn({ sessions, events }: Records): ReadonlyMap<string, string> {
  const agents = new Map(sessions.map(({ id, agent }) => [id, agent]));
  for (const event of events) {
    if ('session' in event && 'agent' in event) agents.set(event.session, oneLine(event.agent, 40));
    if (event.kind === 'attempt-started') agents.set(event.task, oneLine(event.agent, 40));
  }
  return agents;
}
