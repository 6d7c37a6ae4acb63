// Whether a session is still there. Its process id alone does not tell: ids are used again, and a process that died may
// stay in the table until somebody asks for its status. A socket that takes a connection has a living host behind it.

import { existsSync, readFileSync } from 'node:fs';
import type { Clock } from '../core/clock.ts';
import type { SessionRecord } from '../core/session.ts';
import { canReach } from './socket.ts';

/** From the record of a session to its socket it is a moment; more than this means that nobody will listen. */
const STARTING_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Somebody hosts it, or its agent lives on in tmux and can be hosted again, or it is about to be there. */
export async function isThere(record: SessionRecord, now: number): Promise<boolean> {
  if (record.endedAt !== undefined) return false;
  if (isInTmux(record) || (await isHosted(record))) return true;
  return now - Date.parse(record.startedAt) < STARTING_MS && isRunning(record.pid);
}

export async function isHosted(record: SessionRecord): Promise<boolean> {
  return record.socket !== undefined && canReach(record.socket);
}

/** The same, with patience for a host that runs and does not listen yet. */
export async function isHostedSoon(record: SessionRecord, clock: Clock, patienceMs = 2000): Promise<boolean> {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    if (await isHosted(record)) return true;
    if (waited >= patienceMs || !isRunning(record.pid)) return false;
    await clock.wait(LOOK_EVERY_MS);
  }
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
