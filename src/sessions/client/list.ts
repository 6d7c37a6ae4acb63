// Sessions as a person sees them: listed with what waits for each, found by the beginning of an id, closed when they died.

import { statSync } from 'node:fs';
import { type DeliveryRecord, isEnded } from '../../kernel/delivery.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { OpenDelivery } from '../../reports/deliveries.ts';
import { blockRemoval, removeBlocksOf } from '../channels/file/remove-block.ts';
import { closeDeadSession } from '../close-dead.ts';
import { openReasonOf } from '../delivery/waiting.ts';
import { hostState, isElsewhere, isInTmux, isThere } from '../presence.ts';
import type { SessionProject } from '../project.ts';
import { type Seating, seatingOf } from './pairs.ts';
import type { ClientParts } from './parts.ts';
import { ensureHost } from './reach.ts';

export interface SessionView extends SessionRecord {
  /** All that has not ended. */
  readonly deliveries: readonly OpenDelivery[];
  readonly waiting: readonly { readonly id: string; readonly reason: string }[];
  /** Of one that shares its terminal with another agent. */
  readonly seating?: Seating;
  /** The other machine it runs on; absent when it runs here. */
  readonly on?: string;
  /** The log with errors of the session itself; absent when there are none. */
  readonly log?: string;
}

const DEAD = 'its host died';

export interface ViewParts extends Pick<ClientParts, 'owners' | 'places'> {
  readonly project: Pick<SessionProject, 'root' | 'cwd' | 'config' | 'clock'>;
}

export async function listSessions(
  parts: ClientParts,
  how: { readonly isAll: boolean },
): Promise<readonly SessionView[]> {
  const closeDead = (record: SessionRecord) => closeRecord(parts, record, DEAD);
  return viewSessions(parts, await parts.project.readStores(), { ...how, closeDead, hostAgain: hostAgainBy(parts) });
}

/** Closes those that died, so that their records are there for the next one. */
export async function settleSessions(parts: ClientParts): Promise<void> {
  const closeDead = (record: SessionRecord) => closeRecord(parts, record, DEAD);
  await viewSessions(parts, await parts.project.readStores(), { isAll: false, closeDead });
}

/** Without `closeDead` the stores are only read: a session that died is listed as gone, and its record stays as it is. */
export async function viewSessions(
  parts: ViewParts,
  stores: Pick<Stores, 'sessions' | 'deliveries'>,
  how: {
    readonly isAll: boolean;
    readonly closeDead?: (record: SessionRecord) => Promise<SessionRecord>;
    readonly hostAgain?: (record: SessionRecord) => Promise<void>;
  },
): Promise<readonly SessionView[]> {
  const records = (await stores.sessions.list()).map(({ value }) => value);
  const { closeDead = gone, hostAgain = async () => undefined } = how;
  const seen = await Promise.all(records.map((one) => asSeen(parts, one, { closeDead, hostAgain })));
  const isOpen = (one: SessionRecord) => how.closeDead === undefined && one.endedAt === undefined;
  const running = seen.filter(({ endedAt, readiness }) => endedAt === undefined && readiness !== 'gone');
  const shown = seen.filter((one) => how.isAll || one.readiness !== 'gone' || isOpen(one));
  return Promise.all(
    shown.map(async (record) => {
      const open = (await stores.deliveries.list(record.id)).map(({ value }) => value).filter((one) => !isEnded(one));
      const deliveries = open.map(asOpen);
      const waiting = deliveries.map(({ id, reason }) => ({ id, reason }));
      return { ...seated(record, running), ...errorLogOf(parts, record), deliveries, waiting };
    }),
  );
}

/** What a person should do about an agent is said while they see it. */
function seated<Seen extends SessionRecord>(
  record: Seen,
  running: readonly Seen[],
): Seen & Pick<SessionView, 'seating'> {
  const seating = running.includes(record) ? seatingOf(record, running) : undefined;
  if (seating === undefined) return record;
  return { ...record, seating, ...(seating === 'behind' ? { hint: undefined } : {}) };
}

function asOpen(delivery: DeliveryRecord): OpenDelivery {
  const { id, session, moment, channel, proof, evidence, attempts, queuedAt } = delivery;
  return {
    id,
    session,
    moment,
    ...(channel === undefined ? {} : { channel }),
    proof,
    ...(evidence === undefined ? {} : { evidence }),
    attempts,
    reason: openReasonOf(delivery),
    queuedAt,
  };
}

function errorLogOf({ places, project }: ViewParts, record: SessionRecord): Pick<SessionView, 'log'> {
  const log = places.of(project, record)?.log;
  return log !== undefined && (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0 ? { log } : {};
}

/** A record whose host and terminal are gone shows that, whatever it holds. The first command that sees it closes it; a session
 *  of another machine is closed only there. */
async function asSeen(
  { owners, places, project }: ViewParts,
  record: SessionRecord,
  { closeDead, hostAgain }: Settling,
): Promise<SessionRecord & { readonly on?: string }> {
  if (record.endedAt !== undefined) return { ...record, readiness: 'gone' };
  if (await isElsewhere(record, owners)) return { ...record, on: owners.hostOf(record.owner ?? '') };
  if (await isThere(record, project.clock.now(), owners)) {
    if (isInTmux(record, owners) && hostState(record, owners) === 'gone') await hostAgain(record);
    return record;
  }
  // Nothing can be known of it from here, so its record stays as it is.
  if (places.isElsewhere(record))
    return { ...record, readiness: 'gone', evidence: 'its folder is not where sessions are kept here' };
  return closeDead(record);
}

interface Settling {
  readonly closeDead: (record: SessionRecord) => Promise<SessionRecord>;
  readonly hostAgain: (record: SessionRecord) => Promise<void>;
}

/** The agent lives on in tmux, and nobody follows what becomes of its deliveries. Where that cannot be changed, it is listed as
 *  it is. */
function hostAgainBy(parts: ClientParts): Settling['hostAgain'] {
  return (record) => ensureHost(parts, record).catch(() => undefined);
}

async function gone(record: SessionRecord): Promise<SessionRecord> {
  return { ...record, readiness: 'gone', evidence: DEAD };
}

async function closeRecord(parts: ClientParts, record: SessionRecord, evidence: string): Promise<SessionRecord> {
  const { project, owners, places, tmux } = parts;
  const { emit, newId, clock } = project;
  const stores = await project.writeStores();
  const transcript = parts.readTranscript;
  await closeDeadSession(record.id, { stores, emit, newId, now: () => clock.now(), evidence, transcript });
  const place = places.of(project, record);
  if (place !== undefined && record.tmux !== undefined && !(await isElsewhere(record, owners)))
    await tmux.end(place.tmux);
  const deliveries = await stores.deliveries.list(record.id);
  removeBlocksOf(
    deliveries.map(({ value }) => value),
    blockRemoval(project),
  );
  // What a session in another working tree did is not told here.
  if (record.cwd === project.root || record.cwd.startsWith(`${project.root}/`)) await parts.leaveWork(record);
  return { ...record, readiness: 'gone', evidence };
}

/** Closes a session on a machine that is gone for good: only a person can know that. */
export async function forgetSession(parts: ClientParts, id: string): Promise<SessionRecord> {
  const record = await findSession(parts, id);
  if (await isElsewhere(record, parts.owners)) return closeRecord(parts, record, 'a person gave it up');
  throw new ForewordError('bad-usage', `Session ${record.id} runs on this machine.`, {
    hint: `foreword sessions --stop ${record.id} ends it.`,
  });
}

/** By its id, the beginning of it, or its agent, among those that run. Throws `unknown-session`. */
export async function findSession(parts: ClientParts, id: string): Promise<SessionRecord> {
  return pickSession(await listSessions(parts, { isAll: false }), id);
}

/** By the id, the beginning of it, or the agent that runs in it; without one, the only one that runs. An empty id is one of a variable
 *  that is not set: it names no session. */
export function pickSession(running: readonly SessionView[], id: string | undefined): SessionView {
  const byId = running.filter((one) => id === undefined || (id !== '' && one.id.startsWith(id)));
  const found = byId.length > 0 ? byId : running.filter(({ agent }) => agent === id);
  const [only] = found;
  if (only !== undefined && (found.length === 1 || only.id === id)) return only;
  const there = running.map((one) => `${one.id} (${one.agent})`).join(', ');
  const named = byId.length > 0 ? `More than one session begins with "${id}".` : `More than one session of ${id} runs.`;
  const several = id === undefined ? 'More than one session runs.' : named;
  const none = id === undefined ? 'No session runs.' : `No session "${id}" runs.`;
  throw new ForewordError('unknown-session', found.length > 1 ? several : none, {
    hint: there === '' ? 'Start one: foreword start AGENT.' : `Running: ${there}.`,
  });
}

/** The session a failed delivery goes to: the one named, the one it was meant for, or the only one that runs here. */
export async function sessionForRedelivery(
  parts: ClientParts,
  delivery: string,
  named: string | undefined,
): Promise<SessionRecord> {
  if (named !== undefined) return findSession(parts, named);
  const stores = await parts.project.readStores();
  const record = (await stores.deliveries.get(delivery))?.value;
  if (record === undefined) {
    throw new ForewordError('bad-usage', `There is no delivery ${delivery}.`, {
      hint: 'foreword receipts --failed lists those that can be sent again.',
    });
  }
  const running = await listSessions(parts, { isAll: false });
  const own = running.find((one) => one.id === record.session);
  if (own !== undefined) return own;
  const [only, other] = running.filter((one) => one.on === undefined);
  if (only !== undefined && other === undefined) return only;
  throw new ForewordError('session-gone', `Session ${record.session}, for which ${delivery} was meant, has ended.`, {
    hint: only === undefined ? 'Start one: foreword start AGENT --detach.' : 'Name another with --to.',
  });
}
