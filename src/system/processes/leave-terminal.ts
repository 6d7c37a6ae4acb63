// A way to end after the terminal was closed: Node (20.20) restores the terminal's settings as it exits, and aborts, with a
// core file, when that fails. It leaves alone what is no longer the file it was started with.

import { closeSync, openSync } from 'node:fs';

let isAsked = false;

/** Nothing can be printed any more when it takes effect. */
export function leaveTerminalAtExit(): void {
  if (!isAsked) process.on('exit', leave);
  isAsked = true;
}

function leave(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
      // The lowest number is taken, which is the one just closed.
      openSync('/dev/null', 'r+');
    } catch {
      // Closed already.
    }
  }
}
