// Processes as Linux shows them under /proc. Where there is no /proc every result is `undefined` or false.

import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { MARKER, type ProcessEntry, type ProcessTable } from './port.ts';

/** A name in /proc/PID/stat may hold newlines: the last line counts, and in it what follows the last bracket, where field
 *  22 is the 20th. */
const SHELL = `
started() {
  last=
  while IFS= read -r text || [ -n "$text" ]; do last=$text; done <"/proc/$1/stat"
  set -- \${last##*)}
  echo "\${20}"
}
marked() {
  for file in $(grep -lF $marks /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    echo "\${file%/environ}"
  done
}
`;

/** Asking the kernel takes about 15 µs a process. Reading an environment can block on a process that is stuck. */
export const linuxProcesses: ProcessTable = {
  all: () => {
    const pids = processIds();
    return pids === undefined ? undefined : entries(pids);
  },
  one: entryOf,
  hasMarkers: true,
  hasMarker: (pid, id) => read(`/proc/${pid}/environ`)?.includes(`${MARKER}=${id}`) ?? false,
  bootId: () => {
    try {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return `${boot}:${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
    } catch {
      return undefined;
    }
  },
  machineId: () => {
    try {
      const id = readFileSync('/etc/machine-id', 'utf8').trim();
      return id === '' ? undefined : id;
    } catch {
      return undefined;
    }
  },
  shell: SHELL,
};

function processIds(): readonly number[] | undefined {
  try {
    const ids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
    return ids.length > 0 ? ids : undefined;
  } catch {
    return undefined;
  }
}

function* entries(pids: readonly number[]): Iterable<ProcessEntry> {
  for (const pid of pids) {
    const entry = entryOf(pid);
    if (entry !== undefined) yield entry;
  }
}

function entryOf(pid: number): ProcessEntry | undefined {
  const text = read(`/proc/${pid}/stat`)?.toString('latin1');
  return text === undefined ? undefined : entryIn(pid, text);
}

/** `text` is /proc/PID/stat. The name in brackets may hold anything, brackets and newlines included; the fields count from
 *  after the last one. */
export function entryIn(pid: number, text: string): ProcessEntry | undefined {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const start = fields[19];
  if (state === undefined || group === undefined || start === undefined) return undefined;
  return {
    pid,
    group: Number(group),
    start: Number(start),
    isZombie: state === 'Z' || state === 'X',
    isStopped: state === 'T',
    hasForeground: group === fields[5],
  };
}

/** Read again and again, so the space is shared; an environment longer than this is rare and is then read again. */
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

/** The folder that a process works in. */
export function folderOfProcess(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
