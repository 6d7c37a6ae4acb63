// The name of this process on a store, and whether the process behind such a name is still there. A process id alone
// says little: it is given again. Machine, boot, the container's numbering and the process's start make it one process.

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { startOf, startOfLiving } from './process-table.ts';

export function ownerName(): string {
  return `${hostname()} ${bootId()} ${process.pid} ${startOf(process.pid) ?? 0} ${machineId()}`;
}

/** The name of the machine or container, as people know it. */
export function ownerHost(owner: string): string {
  return owner.split(' ')[0] ?? '';
}

/** `before`: on this machine, which was started anew since, so that nothing of it lives. What may live although it cannot
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

/** `unknown`: of another machine or boot, or of a system that tells no more of a process than its number. */
export function ownerState(owner: string): 'alive' | 'gone' | 'unknown' {
  const [host, boot, pid, start] = owner.split(' ');
  if (host !== hostname() || boot !== bootId() || start === undefined || start === '0') return 'unknown';
  return String(startOfLiving(Number(pid)) ?? '') === start ? 'alive' : 'gone';
}

const UNKNOWN = 'unknown';

/** With the numbering of processes: a container on the same kernel has its own. */
function bootId(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}:${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
  } catch {
    // No such thing here (macOS): owners are believed until their lease ends.
    return UNKNOWN;
  }
}

/** Hashed, since the id itself is not meant to leave the machine (machine-id(5)). */
function machineId(): string {
  try {
    const id = readFileSync('/etc/machine-id', 'utf8').trim();
    return id === '' ? UNKNOWN : createHash('sha256').update(`foreword ${id}`).digest('hex').slice(0, 16);
  } catch {
    return UNKNOWN;
  }
}
