// Whether a session is still there. Its process id alone does not show it: ids are used again, and a process that died may
// stay in the table until somebody asks for its status. A socket that takes a connection has a living host behind it.

import { existsSync } from 'node:fs';
import type { SessionRecord } from '../kernel/session.ts';
import { isRunning } from '../system/processes/process-table.ts';
import { canReach } from './socket.ts';

/** From the record of a session to its socket it is a moment. Where only the number of the process is known, more than
 *  this means that another process has the number by now. */
const STARTING_MS = 10_000;

/** What is known of the process behind a name (system/processes/owner.ts). */
export interface Owners {
  readonly stateOf: (owner: string) => 'alive' | 'gone' | 'unknown';
  /** `before`: on this machine, in an earlier boot. */
  readonly placeOf: (owner: string) => 'here' | 'before' | 'elsewhere';
  /** Where the session is, from its id; `undefined` when it was not started here. Its record does not count. */
  readonly socketsOf: (
    record: SessionRecord,
  ) => { readonly socket: string; readonly tmux: { readonly socket: string } } | undefined;
}

/** On another machine or in another container that shares the store. Process ids and paths in its record mean nothing
 *  here; only a socket that accepts a connection does. */
export async function isElsewhere(record: SessionRecord, owners: Owners): Promise<boolean> {
  const isOthers = record.owner !== undefined && owners.placeOf(record.owner) === 'elsewhere';
  return isOthers && record.endedAt === undefined && !(await isHosted(record, owners));
}

/** Somebody hosts it, or its agent lives on in tmux and can be hosted again, or it is about to be there. What is
 *  elsewhere is not asked about here. */
export async function isThere(record: SessionRecord, now: number, owners: Owners): Promise<boolean> {
  if (record.endedAt !== undefined) return false;
  if (await isHosted(record, owners)) return true;
  if (record.owner !== undefined && owners.placeOf(record.owner) === 'before') return false;
  if (isInTmux(record, owners)) return true;
  const host = hostState(record, owners);
  return host === 'alive' || (host === 'perhaps' && now - Date.parse(record.startedAt) < STARTING_MS);
}

export async function isHosted(record: SessionRecord, owners: Owners): Promise<boolean> {
  const socket = owners.socketsOf(record)?.socket;
  return socket !== undefined && canReach(socket);
}

/** As take-over.ts asks for it. */
export function presenceBy(owners: Owners) {
  return {
    isHosted: (record: SessionRecord) => isHosted(record, owners),
    hostState: (record: SessionRecord) => hostState(record, owners),
    isThere: (record: SessionRecord, now: number) => isThere(record, now, owners),
  };
}

/** `perhaps`: a process has its number, and nothing more is known. */
export function hostState(record: SessionRecord, owners: Owners): 'alive' | 'gone' | 'perhaps' {
  const state = record.owner === undefined ? 'unknown' : owners.stateOf(record.owner);
  if (state !== 'unknown') return state;
  return isRunning(record.pid) ? 'perhaps' : 'gone';
}

export function isInTmux(record: SessionRecord, owners: Owners): boolean {
  const { tmux, agentPid } = record;
  if (tmux === undefined || agentPid === undefined || !isRunning(agentPid)) return false;
  return existsSync(owners.socketsOf(record)?.tmux.socket ?? '');
}
