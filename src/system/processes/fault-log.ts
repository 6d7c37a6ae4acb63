// What goes wrong where nobody looks on: one line per fault in a file of mode 0600. It stays small: a fault that comes
// again and again (a store out of reach) is written once, and there is an end to the file. Never throws: a full disk is
// no reason to stop the work.

import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';

const MOST_BYTES = 1_000_000;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/** Opened for appending, made if need be; a link that somebody put there is refused. */
export function openFaultFile(path: string): number {
  return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
}

/** Each call writes a line, unless it is the same as the one before. */
export function makeFaultLog(path: string, now: () => number): (text: string) => void {
  let last: string | undefined;
  return (text) => {
    if (text === last) return;
    last = text;
    let descriptor: number | undefined;
    try {
      descriptor = openFaultFile(path);
      if (fstatSync(descriptor).size < MOST_BYTES)
        writeSync(descriptor, `${new Date(now()).toISOString()} ${text.trimEnd().replaceAll('\n', '\n  ')}\n`);
    } catch {
      return;
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  };
}
