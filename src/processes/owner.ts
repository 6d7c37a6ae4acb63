// The name of this process on a store, and whether the process behind such a name is still there. A process id alone
// says little: it is given again. Machine, boot and the process's start make it one process.

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { startOf, startOfLiving } from './process-table.ts';

export function ownerName(): string {
  return `${hostname()} ${bootId()} ${process.pid} ${startOf(process.pid) ?? 0}`;
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

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // No such thing here (macOS): owners are believed until their lease ends.
    return 'unknown';
  }
}
