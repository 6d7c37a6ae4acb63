// The shell around a level's program, outside.
//
// Open files that our own parent left to us (a terminal's, a CI runner's) would be passed on to every program we start,
// into the sandbox too: a way out for whatever can write to them. They are closed before the level's program starts.
//
// A TERM while the inside is being built would be lost: unshare passes no signal on, and the first process of a namespace
// gets no signal. So this shell traps it and kills its process group; once the inside runs, the level makes it die with
// its parent.

import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;
const BASH = '/bin/bash';

/** Kills the group only if it is this shell's own. A field of the line is the name in brackets; that of a shell has no
 *  space in it. */
const WATCH = `
read -r _ _ _ _ group _ < /proc/$$/stat
[ "$group" != $$ ] || trap 'kill -9 0' TERM INT HUP
"$@" &
wait $!
`;

/** The same command inside that shell, or why an open file cannot be closed. `script` gets the command as its arguments. */
export function outerLine(
  command: readonly [string, ...string[]],
  script: string = WATCH,
): readonly [string, ...string[]] | string {
  const high = inheritable().filter((descriptor) => descriptor > 9);
  if (high.length > 0 && !isExecutable(BASH)) {
    return `open file ${high[0]} was inherited and would be passed on, and there is no ${BASH} to close it`;
  }
  // A plain sh closes single digits only. Our own start of the command may open those, so they are always closed.
  const closing = [3, 4, 5, 6, 7, 8, 9, ...high].map((descriptor) => `${descriptor}>&-`).join(' ');
  // bash reads a person's .bashrc when its input is a socket, which it takes for a remote shell.
  const shell: readonly [string, ...string[]] = high.length > 0 ? [BASH, '--norc', '--noprofile'] : ['/bin/sh'];
  return [...shell, '-c', `exec ${closing}\n${script}`, 'sh', ...command];
}

function inheritable(): readonly number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !closesOnExec(descriptor));
}

function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return (Number.parseInt(flags ?? '0', 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    // The one the listing itself had open; it is closed by now.
    return true;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there or not ours to run.
    return false;
  }
}
