// What is known about processes on this system. Where nothing is, callers make do with the group.

import { platform } from '../platform.ts';
import { darwinProcesses } from './darwin.ts';
import { linuxProcesses } from './linux.ts';
import type { ProcessTable } from './port.ts';

/** A run, as needed to find its processes: the marker's value where they carry one, the group, and the start of the group's
 *  leader, which distinguishes it from a later process with the same number. */
export interface Run {
  readonly id?: string;
  readonly group: number;
  readonly start: number | undefined;
}

/** What lives of a run: whether anything is in its group, and the processes outside that carry its marker. */
export interface Living {
  readonly isGroupAlive: boolean;
  readonly escaped: readonly number[];
}

export const processes: ProcessTable = platform.name === 'darwin' ? darwinProcesses() : linuxProcesses;

/** Zombies do not count: they run nothing, and whoever started them reaps them. Asks about every process once; the
 *  environment is read only of those that began after the run did. */
export function livingOf(run: Run, table: ProcessTable = processes): Living {
  const { start } = run;
  // Nothing outside the group could be found, so the list of all processes is worth asking for only while there is a group.
  const isKnown = start !== undefined && (table.hasMarkers || hasGroup(run.group));
  const entries = isKnown ? table.all() : undefined;
  if (!isKnown || entries === undefined) return { isGroupAlive: hasGroup(run.group), escaped: [] };
  let isGroupAlive = false;
  let isReused = false;
  const escaped: number[] = [];
  for (const entry of entries) {
    if (entry.start < start) continue;
    // A number is given again only when no process and no group has it: then our group is gone.
    if (entry.pid === run.group && entry.start !== start) isReused = true;
    if (entry.isZombie) continue;
    if (entry.group === run.group) isGroupAlive = true;
    else if (run.id !== undefined && table.hasMarker(entry.pid, run.id)) escaped.push(entry.pid);
  }
  return { isGroupAlive: isGroupAlive && !isReused, escaped };
}

/** `undefined` when there is no such process or the system shows nothing about it. */
export function startOf(pid: number): number | undefined {
  return processes.one(pid)?.start;
}

/** The same, of one that still runs something. */
export function startOfLiving(pid: number): number | undefined {
  const entry = processes.one(pid);
  return entry?.isZombie === false ? entry.start : undefined;
}

/** Whether a process with this number runs something, as far as the system shows. */
export function isRunning(pid: number): boolean {
  return isThere(pid) && processes.one(pid)?.isZombie !== true;
}

/** Whether it is stopped; false where the system does not show it. */
export function isStopped(pid: number): boolean {
  return processes.one(pid)?.isStopped ?? false;
}

/** Whether the group of the process has its terminal, and not a program it started (an editor, a pager). True where the
 *  system does not show it. */
export function hasForeground(pid: number): boolean {
  return processes.one(pid)?.hasForeground ?? true;
}

/** Whether it was there to be signalled. A process that just ended, or that belongs to another user, was not. */
export function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    // ESRCH and EPERM: there is nothing more that could be done about either.
    return false;
  }
}

function hasGroup(group: number): boolean {
  return isThere(-group);
}

function isThere(target: number): boolean {
  try {
    return process.kill(target, 0);
  } catch (error) {
    // EPERM: it is there, and not ours to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
