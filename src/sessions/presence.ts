// Whether a session is still there. Its process id alone does not tell: ids are used again, and a process that died may
// stay in the table until somebody asks for its status. A socket that takes a connection has a living host behind it.

import { existsSync, readFileSync } from 'node:fs';
import type { SessionRecord } from '../core/session.ts';
import { canReach } from './socket.ts';

/** From the record of a session to its socket it is a moment. Where only the number of the process is known, more than
 *  this means that another process has the number by now. */
const STARTING_MS = 10_000;

/** What is known of the process behind a name (processes/owner.ts). */
export type OwnerState = (owner: string) => 'alive' | 'gone' | 'unknown';

/** Somebody hosts it, or its agent lives on in tmux and can be hosted again, or it is about to be there. */
export async function isThere(record: SessionRecord, now: number, stateOf: OwnerState): Promise<boolean> {
  if (record.endedAt !== undefined) return false;
  if (isInTmux(record) || (await isHosted(record))) return true;
  const host = hostState(record, stateOf);
  return host === 'alive' || (host === 'perhaps' && now - Date.parse(record.startedAt) < STARTING_MS);
}

export async function isHosted(record: SessionRecord): Promise<boolean> {
  return record.socket !== undefined && canReach(record.socket);
}

/** `perhaps`: a process has its number, and nothing more is known. */
export function hostState(record: SessionRecord, stateOf: OwnerState): 'alive' | 'gone' | 'perhaps' {
  const state = record.owner === undefined ? 'unknown' : stateOf(record.owner);
  if (state !== 'unknown') return state;
  return isRunning(record.pid) ? 'perhaps' : 'gone';
}

export function isInTmux(record: SessionRecord): boolean {
  const { tmux, agentPid } = record;
  return tmux !== undefined && agentPid !== undefined && existsSync(tmux.socket) && isRunning(agentPid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    // No /proc here.
    return true;
  }
}
