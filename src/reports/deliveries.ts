// Everything that was put before an agent or waits for it, as one list, whatever its way in: deliveries to sessions from the moment
// they are accepted, ended ones by their receipts, and what hooks printed and our MCP server returned by the journal. Pure.

import type { ForewordEvent } from '../kernel/events.ts';
import type { Channel, Moment, Outcome, Proof, Receipt } from '../kernel/receipt.ts';

export interface ListedDelivery {
  readonly id: string;
  /** Of an ended delivery to a session. */
  readonly receipt?: string;
  readonly session: string;
  readonly moment: Moment;
  /** `mcp`: a tool of our MCP server returned it. */
  readonly channel?: Channel | 'mcp';
  readonly proof: Proof;
  /** `open`: the proof that is required may still come. */
  readonly outcome: Outcome | 'open';
  /** Why it is not delivered, or what it waits for. */
  readonly reason?: string;
  readonly evidence?: string;
  /** ISO time: of the end, or since when it is open. */
  readonly at: string;
  readonly attempts: number;
  readonly durationMs: number;
}

/** A delivery that has not ended, as a session lists it. */
export type OpenDelivery = Pick<
  ListedDelivery,
  'id' | 'session' | 'moment' | 'channel' | 'proof' | 'evidence' | 'attempts'
> & { readonly reason: string; readonly queuedAt: string };

export interface DeliverySources {
  /** In the order in which they were written; of one delivery the last counts. */
  readonly receipts: readonly Receipt[];
  readonly open: readonly OpenDelivery[];
  readonly events: readonly ForewordEvent[];
  readonly now: number;
}

/** Oldest first. */
export function listDeliveries({ receipts, open, events, now }: DeliverySources): readonly ListedDelivery[] {
  const ended = newestOf(receipts).map(({ id, delivery, ...rest }) => ({ ...rest, id: delivery, receipt: id }));
  const waiting = open
    .filter(({ id }) => !ended.some((one) => one.id === id))
    .map(({ queuedAt, ...one }) => {
      const durationMs = Math.max(0, now - Date.parse(queuedAt));
      return { ...one, outcome: 'open' as const, at: queuedAt, durationMs };
    });
  const all: readonly ListedDelivery[] = [...ended, ...waiting, ...printedByHooks(events)];
  return all.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** A late proof writes a second receipt. */
export function newestOf(receipts: readonly Receipt[]): readonly Receipt[] {
  const newest = new Map<string, Receipt>();
  for (const one of receipts) {
    newest.delete(one.delivery);
    newest.set(one.delivery, one);
  }
  return [...newest.values()];
}

/** What a run reports of its hooks an agent could have written, so that it is no receipt. */
export function printedByHooks(events: readonly ForewordEvent[]): readonly ListedDelivery[] {
  const printed = new Map<string, ListedDelivery>();
  for (const event of events) {
    if ('unverified' in event && event.unverified === true) continue;
    if (event.kind === 'agent-session-ended') {
      for (const one of printed.values())
        if (one.session === event.session && one.outcome === 'open') printed.set(one.id, endedWith(one));
      continue;
    }
    if (event.kind === 'gate-spoken' || event.kind === 'context-printed' || event.kind === 'context-asked')
      printed.set(event.context, firstOf(event));
    const known = 'context' in event ? printed.get(event.context) : undefined;
    if (known === undefined || !('session' in event) || !isOfReceipt(known, event.session)) continue;
    if (event.kind === 'context-submitted') printed.set(known.id, submittedBy(known, event));
    if (event.kind === 'context-lost') printed.set(known.id, lostBy(known, event));
    if (event.kind === 'context-served') printed.set(known.id, servedBy(known, event));
  }
  return [...printed.values()];
}

/** Whether what a session shows of a text is about this receipt: another session may hold its id, in a list of receipts or as a fork
 *  of it. Our MCP server does not know the agent's session before the first proof; a sub-agent may have one of its own. */
export function isOfReceipt({ session, moment, channel, proof }: ListedDelivery, shownIn: string): boolean {
  return session === shownIn || moment === 'sub-agent' || (channel === 'mcp' && proof === 'placed');
}

/** The rules of a sub-agent come at its start, or with its first tool where the agent has no event for that. */
function momentOf(event: PrintedEvent): Moment {
  if (event.kind === 'context-asked') return 'asked';
  if (event.kind === 'context-printed') return event.moment;
  return event.isSubagent ? 'sub-agent' : 'first-tool';
}

type PrintedEvent = Extract<ForewordEvent, { readonly kind: 'gate-spoken' | 'context-printed' | 'context-asked' }>;

function firstOf(event: PrintedEvent): ListedDelivery {
  const isAsked = event.kind === 'context-asked';
  return {
    id: event.context,
    session: event.session,
    moment: momentOf(event),
    channel: isAsked ? 'mcp' : 'hook',
    proof: 'placed',
    outcome: 'open',
    reason: `${isAsked ? `returned by the tool ${event.tool}` : 'printed'}, looked for in the transcript when the turn ends`,
    at: event.at,
    attempts: 1,
    durationMs: 0,
  };
}

interface ProvedEvent {
  readonly reason?: string;
  readonly session: string;
  readonly at: string;
}

function submittedBy(known: ListedDelivery, { reason, session, at }: ProvedEvent) {
  if (known.proof === 'served') return known;
  const durationMs = Math.max(0, Date.parse(at) - Date.parse(known.at));
  return { ...known, session, proof: 'submitted', reason: reason ?? 'no answer of the model yet', durationMs } as const;
}

/** The first proof stays: two hooks may see the same answer, and each reports it. */
function servedBy(before: ListedDelivery, { session, at }: ProvedEvent): ListedDelivery {
  if (before.proof === 'served') return before;
  const { reason: _, ...known } = before;
  const durationMs = Math.max(0, Date.parse(at) - Date.parse(known.at));
  const evidence = 'in transcript, answered';
  return { ...known, session, proof: 'served', outcome: 'delivered', evidence, durationMs };
}

/** It may be printed again, with an id of its own. */
function lostBy(known: ListedDelivery, { agent, event }: { readonly agent: string; readonly event: string }) {
  return { ...known, outcome: 'failed', reason: `${agent} lost what was printed at ${event}` } as const;
}

function endedWith(one: ListedDelivery): ListedDelivery {
  const why = one.proof === 'submitted' && one.reason !== undefined ? `: ${one.reason}` : '';
  return { ...one, outcome: 'uncertain', reason: `the session ended before the proof${why}` };
}
