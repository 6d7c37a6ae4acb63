// Switching in tmux: the other agent is a session like any other, with a tmux server and a host of its own, and a window of this
// server shows it. So each outlives the other, and when the other one ends its window closes and the first is back.

import { ForewordError } from '../../kernel/errors.ts';
import type { SessionPlace, SessionRecord } from '../../kernel/session.ts';
import type { NewHost } from '../client/spawn-host.ts';
import type { SessionContext } from '../in-band-commands.ts';
import type { SessionPlaces } from '../places.ts';
import type { PreparedSession, StartRequest, SwitchFrom } from '../prepared.ts';
import type { SessionProject } from '../project.ts';
import { driveSeats, type OpenedSeat, type SeatsDriver, type SeatsParts } from '../seats/drive.ts';
import { backLine, meanwhileText } from '../seats/hand-over.ts';
import type { LeftSeat, Seat } from '../seats/seats.ts';
import { askSocket } from '../socket.ts';
import type { TmuxTerminals } from '../terminals.ts';
import { type AgentTerminal, type HostedSession, type HostingParts, runSession } from './run-session.ts';

export interface BesideParts {
  readonly project: Pick<SessionProject, 'readStores' | 'clock'>;
  readonly tmux: Pick<TmuxTerminals, 'show' | 'shows' | 'end' | 'say'>;
  readonly context: Pick<SessionContext, 'runningWork'>;
  readonly places: Pick<SessionPlaces, 'at'>;
  readonly prepare: (request: StartRequest, place: SessionPlace) => Promise<PreparedSession>;
  /** Starts the host of a new session of this agent. */
  readonly newHost: (agent: string) => NewHost;
  readonly presence: { isThere(record: SessionRecord, now: number): Promise<boolean> };
}

/** Runs a session whose agent is in tmux, and switches in its window. */
export async function runInTmux(
  parts: HostingParts &
    BesideParts & { readonly tmux: Pick<TmuxTerminals, 'show' | 'shows' | 'end' | 'say' | 'announce'> },
  prepared: PreparedSession,
  given: { readonly agentTerminal: Omit<AgentTerminal, 'onSwitch'>; readonly config: string | undefined },
): Promise<HostedSession> {
  const { place, id: session, agent } = prepared;
  let seats: SeatsDriver | undefined;
  const running = await runSession(parts, prepared, {
    ...given.agentTerminal,
    onSwitch: async (name, args) => {
      if (seats === undefined) throw new ForewordError('conflict', 'The session is starting; try again in a moment.');
      return seats.ask(name, args);
    },
    // A tmux that is gone shows nothing more.
    announce: (text) => void parts.tmux.announce(place.tmux, text).catch(() => undefined),
  });
  const { ended, handOver, meanwhile, inform, shows, onFault } = running;
  const seat = { session, agent: agent.name };
  const second = given.agentTerminal.before === undefined ? undefined : await foundBeside(parts, seat.session, place);
  seats = seatsInTmux(
    parts,
    { seat, place, config: given.config, ended, handOver, meanwhile, inform, shows, onFault },
    second,
  );
  await shows(second?.isShown === true ? second.seat.session : undefined);
  return running;
}

/** The session in whose tmux the other is shown. */
export interface ShownIn {
  readonly seat: Seat;
  readonly place: SessionPlace;
  readonly config: string | undefined;
  readonly ended: Promise<unknown>;
  handOver(): Promise<SwitchFrom>;
  meanwhile(isOver: boolean): Promise<string | undefined>;
  inform(text: string): Promise<void>;
  shows(other: string | undefined): Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const LOOK_EVERY_MS = 500;

export function seatsInTmux(parts: BesideParts, first: ShownIn, second?: SeatsParts['second']): SeatsDriver {
  const told: Told = new Map();
  return driveSeats({
    first,
    ...(second === undefined ? {} : { second }),
    open: (agent, args) => openBeside(parts, first, { agent, args }),
    show: (session, after) => show(parts, first, { session, after, told }),
    onFault: first.onFault,
  });
}

/** The lines that the first agent was told of what the others did, by their session. */
type Told = Map<string, readonly string[]>;

async function show(
  parts: BesideParts,
  first: ShownIn,
  { session, after, told }: { readonly session: string; readonly after: LeftSeat | undefined; readonly told: Told },
): Promise<void> {
  const isOwn = session === first.seat.session;
  await parts.tmux.show(first.place.tmux, isOwn ? undefined : parts.places.at(session).tmux);
  await first.shows(isOwn ? undefined : session);
  if (after === undefined) return;
  if (after.isOver && isOwn) await parts.tmux.say(first.place.tmux, backLine(after.agent, first.seat.agent));
  const text = isOwn ? await workBeside(parts, after, told) : await first.meanwhile(after.isOver);
  if (text === undefined) return;
  if (isOwn) return first.inform(text);
  await askSocket(parts.places.at(session).socket, { kind: 'inform', text }, () => true);
}

async function workBeside(
  { project, context }: BesideParts,
  { session, agent, isOver }: LeftSeat,
  told: Told,
): Promise<string | undefined> {
  const record = (await (await project.readStores()).sessions.get(session))?.value;
  if (record === undefined) return undefined;
  const work = await context.runningWork(agent, Date.parse(record.startedAt), record.owner);
  const before = told.get(session) ?? [];
  told.set(session, work);
  return meanwhileText({ from: agent, isOver, work, told: before });
}

/** The other agent, where the host before this one had switched to it. */
async function foundBeside(parts: BesideParts, session: string, place: SessionPlace): Promise<SeatsParts['second']> {
  const { sessions } = await parts.project.readStores();
  const beside = (await sessions.list()).map(({ value }) => value).filter((one) => one.beside === session);
  const record = beside.findLast(({ endedAt }) => endedAt === undefined);
  if (record === undefined || !(await parts.presence.isThere(record, parts.project.clock.now()))) return undefined;
  const isShown = await parts.tmux.shows(place.tmux, parts.places.at(record.id).tmux).catch(() => false);
  return { seat: { session: record.id, agent: record.agent }, ended: untilEnded(parts, record.id), isShown };
}

async function openBeside(
  parts: BesideParts,
  first: ShownIn,
  { agent, args }: { readonly agent: string; readonly args: readonly string[] },
): Promise<OpenedSeat> {
  const from = await first.handOver();
  const host = parts.newHost(agent);
  try {
    const request = { agent, args, hasContext: true, isUnattended: false, config: first.config, from };
    const { agent: _, place: __, ...prepared } = await parts.prepare(request, host.place);
    host.send(prepared);
    const { message } = await host.started;
    if (message.kind !== 'running') throw new ForewordError('conflict', `Another process hosts ${host.place.id}.`);
    const session = message.session.id;
    return { seat: { session, agent }, ended: untilEnded(parts, session) };
  } catch (error) {
    await host.cancel();
    throw error;
  }
}

/** Its own host stores its end; where that was killed with its agent, what is left of it in tmux is ended here, and the next command
 *  closes its record. */
async function untilEnded({ project, presence, tmux, places }: BesideParts, session: string): Promise<void> {
  for (;;) {
    await project.clock.wait(LOOK_EVERY_MS);
    const stores = await project.readStores();
    const record = (await stores.sessions.get(session))?.value;
    if (record === undefined || record.endedAt !== undefined) return;
    if (await presence.isThere(record, project.clock.now())) continue;
    return tmux.end(places.at(session).tmux).catch(() => undefined);
  }
}
