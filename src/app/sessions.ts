// Sessions seen from outside: finding one, speaking to it, sitting down at it.

import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import { isEnded, waitingReasonOf } from '../kernel/delivery.ts';
import { type ErrorCode, ForewordError, isForewordError } from '../kernel/errors.ts';
import { isAtLeast } from '../kernel/receipt.ts';
import type { SessionRecord } from '../kernel/session.ts';
import type { Stores } from '../kernel/stores.ts';
import { blockPaths } from '../sessions/channels/file/instruction-file.ts';
import { closeDeadSession } from '../sessions/close-dead.ts';
import { isElsewhere, isHosted, isInTmux, isThere } from '../sessions/presence.ts';
import { askSocket, type SocketMessage } from '../sessions/socket.ts';
import { environment } from '../system/environment.ts';
import { ownerHost } from '../system/processes/owner.ts';
import { removeBlockOf } from './acts.ts';
import { ensureHost, ownersOf, refuseElsewhere, startHosted } from './detached.ts';
import type { SessionOptions } from './host.ts';
import { isPlacedElsewhere, placeOf, removePlace } from './places.ts';
import type { Project } from './project.ts';
import { newDeliveryId } from './session.ts';
import type { NewHost } from './spawn.ts';

export interface SessionView extends SessionRecord {
  readonly waiting: readonly { readonly id: string; readonly reason: string }[];
  /** The other machine it runs on; absent when it runs here. */
  readonly on?: string;
  /** The file that says what went wrong with the session itself; absent when nothing did. */
  readonly log?: string;
}

export async function listSessions(
  project: Project,
  how: { readonly isAll: boolean },
): Promise<readonly SessionView[]> {
  const closeDead = (record: SessionRecord) => close(project, record, DEAD);
  return viewSessions(project, await project.readStores(), { ...how, closeDead });
}

const DEAD = 'its wrapper died';

/** Without `closeDead` the stores are only read: a session that died is listed as gone, and its books stay open. */
export async function viewSessions(
  project: Project,
  stores: Pick<Stores, 'sessions' | 'deliveries'>,
  how: { readonly isAll: boolean; readonly closeDead?: (record: SessionRecord) => Promise<SessionRecord> },
): Promise<readonly SessionView[]> {
  const records = (await stores.sessions.list()).map(({ value }) => value);
  const seen = await Promise.all(records.map((one) => asSeen(project, one, how.closeDead ?? gone)));
  const isOpen = (one: SessionRecord) => how.closeDead === undefined && one.endedAt === undefined;
  const shown = seen.filter((one) => how.isAll || one.readiness !== 'gone' || isOpen(one));
  return Promise.all(
    shown.map(async (record) => {
      const open = (await stores.deliveries.list(record.id)).map(({ value }) => value).filter((one) => !isEnded(one));
      return {
        ...record,
        ...faultsOf(project, record),
        waiting: open.flatMap((one) => {
          const reason = waitingReasonOf(one);
          return reason === undefined ? [] : [{ id: one.id, reason }];
        }),
      };
    }),
  );
}

function faultsOf(project: Project, record: SessionRecord): Pick<SessionView, 'log'> {
  const log = placeOf(project, record)?.log;
  return log !== undefined && (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0 ? { log } : {};
}

/** A record whose host and terminal are gone says so, whatever it said last. Its books are closed by whoever sees it;
 *  those of another machine only there. */
async function asSeen(
  project: Project,
  record: SessionRecord,
  closeDead: (record: SessionRecord) => Promise<SessionRecord>,
): Promise<SessionRecord & { readonly on?: string }> {
  if (record.endedAt !== undefined) return { ...record, readiness: 'gone' };
  const owners = ownersOf(project);
  if (await isElsewhere(record, owners)) return { ...record, on: ownerHost(record.owner ?? '') };
  if (await isThere(record, project.clock.now(), owners)) return record;
  // Nothing can be known of it from here, so its books are left as they are.
  if (isPlacedElsewhere(record)) return { ...record, readiness: 'gone', evidence: 'its folder is not where ours are' };
  return closeDead(record);
}

async function gone(record: SessionRecord): Promise<SessionRecord> {
  return { ...record, readiness: 'gone', evidence: DEAD };
}

async function close(project: Project, record: SessionRecord, evidence: string): Promise<SessionRecord> {
  const { emit, newId, clock } = project;
  const stores = await project.writeStores();
  await closeDeadSession(record.id, { stores, emit, newId, now: () => clock.now(), evidence });
  const place = placeOf(project, record);
  if (place !== undefined && record.tmux !== undefined && !(await isElsewhere(record, ownersOf(project)))) {
    const { endTmux } = await import('../terminals/tmux/tmux.ts');
    await endTmux(place.tmux);
  }
  for (const { value } of await stores.deliveries.list(record.id)) removeBlockOf(project, value);
  return { ...record, readiness: 'gone', evidence };
}

/** Closes the books of a session on a machine that is gone for good: only a person can know that. */
export async function forgetSession(project: Project, id: string): Promise<SessionRecord> {
  const record = await findSession(project, id);
  if (await isElsewhere(record, ownersOf(project))) return close(project, record, 'somebody gave it up');
  throw new ForewordError('bad-usage', `Session ${record.id} runs on this machine.`, {
    hint: `foreword sessions --stop ${record.id} ends it.`,
  });
}

/** By its id or the beginning of one; of those that run. */
export async function findSession(project: Project, id: string): Promise<SessionRecord> {
  const running = await listSessions(project, { isAll: false });
  const found = running.filter((one) => one.id.startsWith(id));
  const [only] = found;
  if (only !== undefined && (found.length === 1 || only.id === id)) return only;
  const there = running.map((one) => `${one.id} (${one.agent})`).join(', ');
  throw new ForewordError(
    'unknown-session',
    found.length > 1 ? `More than one session begins with "${id}".` : `No session "${id}" runs.`,
    { hint: there === '' ? 'foreword start AGENT begins one.' : `There are ${there}.` },
  );
}

/** Says something to a session and follows the delivery it made to its end. */
export async function askSession(
  project: Project,
  record: SessionRecord,
  message: SocketMessage,
  onChange: (delivery: DeliveryRecord) => void,
): Promise<DeliveryRecord> {
  let last: DeliveryRecord | undefined;
  await speak(project, record, message, (answer) => {
    const delivery = answer.delivery as DeliveryRecord | undefined;
    if (delivery === undefined) return false;
    last = delivery;
    if (answer.kind === 'changed') onChange(delivery);
    return answer.kind === 'done';
  }).catch((error: unknown) => {
    if (last === undefined || !isForewordError(error) || error.code !== 'session-gone') throw error;
    // It is stored: whoever sends the same once more would give it twice.
    throw new ForewordError('session-gone', `The wrapper of ${record.id} died; ${last.id} was ${last.proof} by then.`, {
      hint: 'It is kept: foreword receipts shows what becomes of it. Do not send it again.',
      cause: error,
    });
  });
  if (last === undefined) throw new ForewordError('session-gone', 'The session gave no answer.');
  return last;
}

export async function tellSession(project: Project, record: SessionRecord, message: SocketMessage): Promise<void> {
  await speak(project, record, message, (answer) => answer.kind === 'done');
}

async function speak(
  project: Project,
  record: SessionRecord,
  message: SocketMessage,
  onAnswer: (answer: SocketMessage) => boolean,
): Promise<void> {
  const told = withOwnId(message);
  const heard: { isAnything: boolean; error?: { code: ErrorCode; message: string; hint?: string } } = {
    isAnything: false,
  };
  for (let tries = 1; ; tries += 1) {
    await ensureHost(project, record);
    try {
      await askSocket(placeOf(project, record)?.socket ?? '', told, (answer) => {
        heard.isAnything = true;
        if (answer.kind !== 'error') return onAnswer(answer);
        heard.error = answer.error as NonNullable<typeof heard.error>;
        return true;
      });
      break;
    } catch (error) {
      // A host that died before it said a word. The next one knows by the id whether it is stored already.
      const isGone = isForewordError(error) && error.code === 'session-gone';
      if (!isGone || heard.isAnything || tries === MOST_TRIES) throw error;
    }
  }
  if (heard.error === undefined) return;
  const { code, message: said, hint } = heard.error;
  throw new ForewordError(code, said, hint === undefined ? {} : { hint });
}

const MOST_TRIES = 3;

/** The same text twice under one id is one delivery. */
function withOwnId(message: SocketMessage): SocketMessage {
  if (message.kind === 'send') return { ...message, id: newDeliveryId() };
  return message.kind === 'redeliver' ? { ...message, as: newDeliveryId() } : message;
}

/** The session a failed text goes to: the one named, the one it was meant for, or the only one that runs. */
export async function sessionForRedelivery(
  project: Project,
  delivery: string,
  named: string | undefined,
): Promise<SessionRecord> {
  if (named !== undefined) return findSession(project, named);
  const stores = await project.readStores();
  const record = (await stores.deliveries.get(delivery))?.value;
  if (record === undefined) {
    throw new ForewordError('bad-usage', `There is no delivery ${delivery}.`, {
      hint: 'foreword receipts --failed lists those that can be sent again.',
    });
  }
  const running = await listSessions(project, { isAll: false });
  const own = running.find((one) => one.id === record.session);
  if (own !== undefined) return own;
  const [only, other] = running.filter((one) => one.on === undefined);
  if (only !== undefined && other === undefined) return only;
  throw new ForewordError('session-gone', `Session ${record.session}, for which ${delivery} was meant, has ended.`, {
    hint: only === undefined ? 'Start one: foreword start AGENT --detach.' : 'Name another with --to.',
  });
}

/** Answers the status of the agent when it ended meanwhile, else 0. */
export async function attachSession(project: Project, id: string | undefined): Promise<number> {
  const running = await listSessions(project, { isAll: false });
  const inTmux = running.filter((one) => one.tmux !== undefined && one.on === undefined);
  const record = id === undefined && inTmux.length === 1 ? inTmux[0] : await findSession(project, id ?? '');
  if (record !== undefined) await refuseElsewhere(project, record);
  if (record?.tmux === undefined) {
    throw new ForewordError('bad-usage', `Session ${record?.id} runs in another terminal, not in tmux.`, {
      hint: 'Only sessions started with --tmux or --detach can be attached.',
    });
  }
  await ensureHost(project, record);
  const { attachCommand } = await import('../terminals/tmux/tmux.ts');
  const place = placeOf(project, record);
  if (place === undefined) throw new ForewordError('session-gone', `Session ${record.id} is gone.`);
  const [program = 'tmux', ...args] = attachCommand(place.tmux);
  await new Promise<void>((resolve, reject) => {
    const { TMUX: _, ...env } = environment();
    const child = spawn(program, args, { stdio: 'inherit', env: env as NodeJS.ProcessEnv });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  return statusAfter(project, record.id);
}

/** The host writes the end down a moment after the screen is gone. */
async function statusAfter(project: Project, id: string): Promise<number> {
  for (let tries = 0; tries < 20; tries += 1) {
    const stores = await project.readStores();
    const record = (await stores.sessions.get(id))?.value;
    if (record?.endedAt !== undefined) return record.exitStatus ?? 0;
    const owners = ownersOf(project);
    if (record !== undefined && tries >= 4 && isInTmux(record, owners) && (await isHosted(record, owners))) return 0;
    await project.clock.wait(100);
  }
  return 0;
}

export interface Cleaned {
  readonly removed: readonly { readonly path: string; readonly isDeleted: boolean }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  readonly folders: readonly string[];
}

/** Blocks in instruction files, and the folders of sessions that are gone. */
export async function cleanProject(project: Project, how: { readonly isOnlyExpired: boolean }): Promise<Cleaned> {
  const { removeBlocks } = await import('../sessions/channels/file/managed-block-file.ts');
  const now = new Date(project.clock.now()).toISOString();
  const stores = await project.readStores();
  const written = (await stores.deliveries.list()).flatMap(({ value: { file } }) => (file === undefined ? [] : [file]));
  const paths = new Set([...blockPaths(project.config.agents), ...written]);
  const done = removeBlocks(project.root, how.isOnlyExpired ? { expiredBefore: now } : undefined, [...paths]);
  const gone = (await listSessions(project, { isAll: true })).filter((one) => one.readiness === 'gone');
  // A record that says so is not enough: a host that answers lives.
  const owners = ownersOf(project);
  const isHostless = await Promise.all(gone.map(async (record) => !(await isHosted(record, owners))));
  const places = gone.flatMap((record, index) => (isHostless[index] ? (placeOf(project, record) ?? []) : []));
  for (const place of places) removePlace(place);
  return {
    removed: done.flatMap((one) => (one.kind === 'removed' ? [one] : [])),
    refused: done.flatMap((one) => (one.kind === 'refused' ? [one] : [])),
    folders: places.map(({ folder }) => folder),
  };
}

export async function startDetached(project: Project, options: SessionOptions, host: NewHost): Promise<number> {
  const { session: record, startup } = await startHosted(project, options, host);
  if (!options.isDetached) {
    options.out.note(`session ${record.id}; leave it with Ctrl-b d, come back with foreword attach ${record.id}`);
    return attachSession(project, record.id);
  }
  let delivery: DeliveryRecord | undefined;
  if (options.wait !== undefined && startup !== undefined) {
    const message = { kind: 'follow', id: startup, wait: options.wait };
    delivery = await askSession(project, record, message, (one) => {
      const waiting = waitingReasonOf(one);
      if (waiting !== undefined) options.out.note(`the startup context waits: ${waiting}`);
    });
  }
  const isEnough = options.wait === undefined || (delivery !== undefined && isAtLeast(delivery.proof, options.wait));
  if (options.isJson) options.out.json({ session: record, ...(delivery === undefined ? {} : { startup: delivery }) });
  else {
    const how =
      delivery === undefined
        ? ''
        : `; startup context ${delivery.proof}${delivery.reason === undefined ? '' : ` (${delivery.reason})`}`;
    options.out.print(`${record.id}: ${record.agent} runs${how}. foreword attach ${record.id}`);
  }
  return isEnough ? 0 : 1;
}
