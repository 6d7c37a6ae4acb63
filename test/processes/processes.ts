// Processes as the kernel shows them, found by a variable in their environment or by who started them. Reads /proc by
// itself: the code under test is not asked whether it did its work.

import { readdirSync, readFileSync } from 'node:fs';

export interface Seen {
  readonly pid: number;
  readonly start: string;
  readonly parent: number;
  readonly session: number;
  readonly state: string;
  readonly command: string;
}

export function allProcesses(): Seen[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? see(Number(name)) : []));
}

/** Also those that left their group and session, as long as they kept their environment. */
export function tagged(tag: string): Seen[] {
  return allProcesses().filter(({ pid }) => text(`/proc/${pid}/environ`)?.includes(tag));
}

export function isAlive({ pid, start }: Seen): boolean {
  return see(pid).some((seen) => seen.start === start && seen.state !== 'Z');
}

export function guardsOf(supervisor: number): Seen[] {
  return allProcesses().filter(({ parent, command }) => parent === supervisor && command.includes('foreword-guard'));
}

/** Ends one process by its number. Refuses 0 and 1, which would mean the test's own group, or everything. */
export function kill(pid: number | undefined): void {
  if (pid === undefined || !(pid > 1)) throw new Error(`no process to end: ${pid}`);
  process.kill(pid, 'SIGKILL');
}

/** Waits for a condition of the world; answers how long that took. */
export async function until(what: string, isSo: () => boolean, deadlineMs = 5_000): Promise<number> {
  const from = performance.now();
  while (!isSo()) {
    if (performance.now() - from > deadlineMs) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - from;
}

function see(pid: number): Seen[] {
  const stat = text(`/proc/${pid}/stat`);
  const command = text(`/proc/${pid}/cmdline`);
  if (stat === undefined || command === undefined) return [];
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, , session] = fields;
  return [{ pid, start: fields[19] ?? '', parent: Number(parent), session: Number(session), state, command }];
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
