// The guard: a small process that ends our programs when we die, by kill -9 too. It reads a pipe that only we hold;
// when the pipe closes it sends TERM, waits 2 s and sends KILL to the runs in the last line it read, by group and
// by marker.
//
// One guard serves all runs, in sh: starting it costs about 1 ms and a line to it some microseconds, while one per run
// would cost that 1 ms each time and one in Node 70 ms of a core and 40 MB (measured on two cores). It runs in a
// session of its own, so a terminal that closes does not take it along.
//
// A run is announced by its marker before its program starts and by its group right after, so there is no moment at
// which our death leaves a program behind. The microseconds between remain outside Linux, where no marker can be found, and
// for a program that clears its environment within them.

import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { MARKER } from './port.ts';
import { processes } from './process-table.ts';

/** How long a guard without runs stays, for the next run to find it. */
const LINGER_MS = 1_000;
/** A guard that ended sooner would end again: start no other. */
const SOON_MS = 1_000;

/** Each line is the whole list of living runs, as `id:group:start`, so there is nothing to keep in step. `kill` gets no
 *  `--`, which dash does not know. A group whose number now belongs to a process with another start is left alone; without
 *  a leader the number cannot have been given again. Eight turns are the 2 s: each takes 0.2 s and the time to look. */
const SCRIPT = `
trap '' HUP INT TERM
runs=
while read -r line; do runs=$line; done
[ -n "$runs" ] || exit 0
marks=
for run in $runs; do marks="$marks -e ${MARKER}=\${run%%:*}"; done
${processes.shell}
each() {
  found=1
  for run in $runs; do
    rest=\${run#*:}; group=\${rest%%:*}; start=\${rest#*:}
    [ "\${group:-0}" -gt 1 ] || continue
    now=$(started "$group")
    [ -z "$now" ] || [ "$now" = "$start" ] || continue
    kill "-$1" "-$group" && found=0
  done
  for pid in $(marked); do
    kill "-$1" "$pid" && found=0
  done
  return $found
}
rest() { sleep 0.2 || sleep 1; }
each TERM
turn=0
while [ $turn -lt 8 ]; do
  rest
  turn=$((turn + 1))
  each 0 || [ $turn -lt 2 ] || exit 0
done
turn=0
while each KILL && [ $turn -lt 5 ]; do rest; turn=$((turn + 1)); done
`;

export interface Watch {
  /** The program runs; `start` as in port.ts. */
  readonly started: (group: number, start: number | undefined) => void;
  /** Nothing of the run is left. */
  readonly ended: () => void;
}

const runs = new Map<string, string>();
let guard: ChildProcess | undefined;
let lingering: NodeJS.Timeout | undefined;

/** To be called before the program starts. `path` is where the guard may find grep and sleep besides the usual places.
 *  A machine without sh has no guard; the run goes on without. */
export function watchRun(id: string, path: string | undefined): Watch {
  runs.set(id, `${id}::`);
  clearTimeout(lingering);
  guard ??= startGuard(path);
  send();
  return {
    started: (group, start) => {
      runs.set(id, `${id}:${group}:${start ?? ''}`);
      send();
    },
    ended: () => {
      runs.delete(id);
      send();
      if (runs.size === 0) lingering = setTimeout(dismiss, LINGER_MS).unref();
    },
  };
}

/** A line this short is in the kernel when the call returns, so it outlives us. */
function send(): void {
  guard?.stdin?.write(`${[...runs.values()].join(' ')}\n`);
}

function dismiss(): void {
  guard?.stdin?.end();
  guard = undefined;
}

function startGuard(path: string | undefined): ChildProcess | undefined {
  const startedAt = performance.now();
  const started = spawnGuard(path);
  if (started === undefined) return undefined;
  const replace = () => {
    if (guard !== started) return;
    guard = undefined;
    if (runs.size === 0 || performance.now() - startedAt < SOON_MS) return;
    guard = startGuard(path);
    send();
  };
  started.once('error', replace).once('exit', replace);
  // Somebody else ended it; `exit` comes too and starts another.
  started.stdin.on('error', () => undefined);
  // Neither the guard nor the pipe to it keeps us running.
  started.unref();
  (started.stdin as Socket).unref();
  return started;
}

function spawnGuard(path: string | undefined): ChildProcessByStdio<Writable, null, null> | undefined {
  try {
    return spawn('sh', ['-c', SCRIPT, 'foreword-guard'], {
      cwd: '/',
      // Its own: with the marker of an outer run in it, that run's end would end the guard.
      env: { PATH: ['/usr/bin', '/bin', ...(path === undefined ? [] : [path])].join(':') },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  } catch {
    // No memory for another process. The program will not start either, and its error is clearer.
    return undefined;
  }
}
