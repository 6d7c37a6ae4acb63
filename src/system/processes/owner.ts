// The name of this process on a store, and whether the process behind such a name is still there. A process id alone
// is not enough: the system uses it again. Machine, boot, the container's numbering and the process's start make it one process.

import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { ProcessTable } from './port.ts';
import { processes, startOf } from './process-table.ts';

export function ownerName(): string {
  return `${hostname()} ${bootId()} ${process.pid} ${startOf(process.pid) ?? 0} ${machineId()}`;
}

/** The name of this machine, with a mark of the home: whoever has another home is signed in elsewhere. */
export function machineName({ HOME = '' }: Readonly<Record<string, string | undefined>>): string {
  return `${hostname()}/${createHash('sha256').update(HOME).digest('hex').slice(0, 4)}`;
}

/** The name of another process of this machine; `undefined` when there is none that can be seen. */
export function ownerOf(pid: number): string | undefined {
  const start = Number.isSafeInteger(pid) && pid > 1 ? startOf(pid) : undefined;
  return start === undefined ? undefined : `${hostname()} ${bootId()} ${pid} ${start} ${machineId()}`;
}

/** The name of the machine or container, as people know it. */
export function ownerHost(owner: string): string {
  return owner.split(' ')[0] ?? '';
}

/** `before`: on this machine, which was restarted since, so that nothing of it lives. What may live although it cannot
 *  be seen from here is `elsewhere`: on another machine, or in another container of this one. */
export function ownerPlace(owner: string): 'here' | 'before' | 'elsewhere' {
  const [host, boot = '', , , machine] = owner.split(' ');
  if (host !== hostname()) return 'elsewhere';
  if (boot === bootId()) return 'here';
  const isOtherBoot = boot.split(':')[0] !== bootId().split(':')[0];
  return isOtherBoot && machine !== UNKNOWN && machine === machineId() ? 'before' : 'elsewhere';
}

/** False only when it is known to be gone. */
export function isOwnerAlive(owner: string): boolean {
  return ownerState(owner) !== 'gone';
}

/** `unknown`: of another machine or boot, or of a system that shows no more of a process than its number. Whoever cannot
 *  even see itself (`ps` may be forbidden in a sandbox) does not judge others. */
export function ownerState(owner: string, table: ProcessTable = processes): 'alive' | 'gone' | 'unknown' {
  const [host, boot, pid, start] = owner.split(' ');
  if (host !== hostname() || boot !== bootId() || start === undefined || start === '0') return 'unknown';
  const entry = table.one(Number(pid));
  if (entry?.isZombie === false && String(entry.start) === start) return 'alive';
  return table.one(process.pid) === undefined ? 'unknown' : 'gone';
}

/** For a person: whether the process behind a claim is there, and which it was. */
export function ownerShown(owner: string): {
  readonly state: 'alive' | 'gone' | 'unknown';
  readonly pid: number;
  readonly host: string;
} {
  const state = ownerPlace(owner) === 'before' ? 'gone' : ownerState(owner);
  return { state, pid: Number(owner.split(' ')[2] ?? 0) || 0, host: ownerHost(owner) };
}

const UNKNOWN = 'unknown';

/** Where it is unknown, owners are believed until their lease ends. */
function bootId(): string {
  return processes.bootId() ?? UNKNOWN;
}

/** Hashed, since the id itself is not meant to leave the machine (machine-id(5)). */
function machineId(): string {
  const id = processes.machineId();
  return id === undefined ? UNKNOWN : createHash('sha256').update(`foreword ${id}`).digest('hex').slice(0, 16);
}
