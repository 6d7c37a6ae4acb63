// Processes as the programs of macOS show them: ps, sysctl and ioreg. Written from their documented output and tested with
// it (darwin.test.ts); it did not run on a Mac yet.
//
// Environments of other processes are not read: macOS hides those of its own programs (a shell, sleep), so the result would
// be right for some processes only. platform.ts has what that costs.

import { spawnSync } from 'node:child_process';
import type { ProcessEntry, ProcessTable } from './port.ts';

/** What the program printed; `undefined` when it could not be run. That nothing was found is no failure: `ps` then prints
 *  nothing and exits 1. */
export type RunCommand = (program: string, args: readonly string[]) => string | undefined;

const FIELDS = 'pid=,pgid=,lstart=,state=';
const LIMIT_MS = 2_000;

/** `ps` shows the start as `Sun Nov 15 10:22:33 2026`, in columns with spaces around. In UTC, since an hour comes twice in
 *  autumn elsewhere. `date -j -f` is the reading of a date on macOS. */
const SHELL = `
started() {
  set -- $(LC_ALL=C TZ=UTC0 ps -o lstart= -p "$1")
  [ $# -eq 5 ] || return 0
  LC_ALL=C TZ=UTC0 date -j -f '%a %b %d %T %Y' "$*" +%s
}
marked() { :; }
`;

export function darwinProcesses(run: RunCommand = runCommand): ProcessTable {
  return {
    all: () => {
      const text = run('/bin/ps', ['-axo', FIELDS]);
      return text === undefined || text.trim() === '' ? undefined : text.split('\n').flatMap(entriesOf);
    },
    one: (pid) => entriesOf(run('/bin/ps', ['-o', FIELDS, '-p', String(pid)]) ?? '')[0],
    hasMarkers: false,
    hasMarker: () => false,
    bootId: once(() => bootOf(run)),
    machineId: once(() => machineOf(run)),
    shell: SHELL,
  };
}

/** `  501   501 Sun Nov 15 10:22:33 2026     Ss+`. The first letter of the state is Z for a zombie and T for one that
 *  is stopped; a plus means that the
 *  process is in the foreground group of its terminal. */
const LINE = /^\s*(\d+)\s+(\d+)\s+[A-Z][a-z]{2}\s+([A-Z][a-z]{2})\s+(\d+)\s+(\d\d:\d\d:\d\d)\s+(\d{4})\s+(\S+)\s*$/;

function entriesOf(line: string): readonly ProcessEntry[] {
  const [, pid, group, month, day, time, year, state = ''] = LINE.exec(line) ?? [];
  const startMs = Date.parse(`${day} ${month} ${year} ${time} UTC`);
  if (Number.isNaN(startMs)) return [];
  return [
    {
      pid: Number(pid),
      group: Number(group),
      start: startMs / 1000,
      isZombie: state.startsWith('Z'),
      isStopped: state.startsWith('T'),
      hasForeground: state.includes('+'),
    },
  ];
}

/** Not `kern.boottime`: that moves whenever the clock is set, and every process of this boot would seem to be of an earlier
 *  one. */
function bootOf(run: RunCommand): string | undefined {
  return /^[0-9A-F-]{36}$/i.exec(run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])?.trim() ?? '')?.[0];
}

function machineOf(run: RunCommand): string | undefined {
  return /"IOPlatformUUID" = "([^"]+)"/.exec(
    run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']) ?? '',
  )?.[1];
}

/** Neither changes while we run, and each costs a process to ask for. */
function once<T>(ask: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: ask() };
    return known.value;
  };
}

function runCommand(program: string, args: readonly string[]): string | undefined {
  const ended = spawnSync(program, args, {
    encoding: 'utf8',
    env: { LC_ALL: 'C', TZ: 'UTC0' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 16 * 1024 * 1024,
  });
  return ended.error === undefined && ended.status !== null ? ended.stdout : undefined;
}
