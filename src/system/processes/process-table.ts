// What Linux tells about processes under /proc. Elsewhere every answer is `undefined`, and callers do with the group.

import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** The name of the variable by which a run's processes are known, also those that left its group. */
export const MARKER = 'FOREWORD_RUN';

/** A run, as needed to find its processes: the marker's value where they carry one, the group, and the start of the group's leader in clock
 *  ticks since boot, which tells it from a later process with the same number. */
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

interface Stat {
  readonly state: string;
  readonly group: number;
  readonly start: number;
}

/** Zombies do not count: they run nothing, and whoever started them reaps them. Asks the kernel about every process once
 *  (about 15 µs each); the environment is read only of those that began after the run did, since reading it can block
 *  on a process that is stuck. */
export function livingOf(run: Run): Living {
  const { start } = run;
  const pids = start === undefined ? undefined : processIds();
  if (start === undefined || pids === undefined) return { isGroupAlive: hasGroup(run.group), escaped: [] };
  let isGroupAlive = false;
  let isReused = false;
  const escaped: number[] = [];
  for (const pid of pids) {
    const stat = statOf(pid);
    if (stat === undefined || stat.start < start) continue;
    // A number is given again only when no process and no group has it: then our group is gone.
    if (pid === run.group && stat.start !== start) isReused = true;
    if (stat.state === 'Z' || stat.state === 'X') continue;
    if (stat.group === run.group) isGroupAlive = true;
    else if (run.id !== undefined && hasMarker(pid, run.id)) escaped.push(pid);
  }
  return { isGroupAlive: isGroupAlive && !isReused, escaped };
}

/** Clock ticks since boot, or `undefined` when there is no such process or no /proc. */
export function startOf(pid: number): number | undefined {
  return statOf(pid)?.start;
}

/** The same, of one that still runs something. */
export function startOfLiving(pid: number): number | undefined {
  const stat = statOf(pid);
  return stat === undefined || stat.state === 'Z' || stat.state === 'X' ? undefined : stat.start;
}

/** Whether it was there to be told. A process that just ended, or that belongs to another user, was not. */
export function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    // ESRCH and EPERM: there is nothing more that could be done about either.
    return false;
  }
}

function processIds(): number[] | undefined {
  try {
    const ids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
    return ids.length > 0 ? ids : undefined;
  } catch {
    return undefined;
  }
}

/** The name in brackets may hold anything, brackets and newlines included; the fields count from after the last one. */
function statOf(pid: number): Stat | undefined {
  const text = read(`/proc/${pid}/stat`)?.toString('latin1');
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const start = fields[19];
  if (state === undefined || group === undefined || start === undefined) return undefined;
  return { state, group: Number(group), start: Number(start) };
}

function hasMarker(pid: number, id: string): boolean {
  return read(`/proc/${pid}/environ`)?.includes(`${MARKER}=${id}`) ?? false;
}

function hasGroup(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    // EPERM: it is there, and not ours to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Read again and again, so the space is shared; an environment longer than this is rare and is then read anew. */
let space = Buffer.alloc(16 * 1024);

/** Valid until the next call. `undefined` when it cannot be read: the process ended, or is another user's. */
function read(path: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    for (let size = 0; ; ) {
      const count = readSync(descriptor, space, size, space.length - size, null);
      size += count;
      if (count === 0) return space.subarray(0, size);
      if (size === space.length) space = Buffer.concat([space], 2 * space.length);
    }
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
