// A real agent in a PTY with a terminal behind it that answers what terminals answer; for recording what it shows.

import { spawn } from '@lydell/node-pty';
import { importSource } from '../import-source.mjs';

const { openScreen } = await importSource('src/terminals/screen/screen.ts');
const STEP_MS = 25;

/** Starts `command` and answers { screen, settled, until, changes, write, paste, enter, type, hasEnded, end }. A plain
 *  terminal is asked for its colours in vain. */
export async function openTerminal({ command, cwd, env, cols, rows, isPlain = false }) {
  let child;
  let exit;
  const answers = (bytes) => {
    const isColour = Buffer.from(bytes).toString('latin1').startsWith('\x1b]1');
    if (exit === undefined && !(isPlain && isColour)) child.write(Buffer.from(bytes));
  };
  const shown = await openScreen({ cols, rows }, { answers });
  child = spawn(command[0], command.slice(1), { name: 'xterm-256color', cols, rows, cwd, env, encoding: null });
  const ended = new Promise((resolve) => {
    child.onExit((status) => {
      exit = status;
      resolve(status);
    });
  });
  child.onData((bytes) => shown.feed(bytes));
  const screen = () => shown.read();

  /** Resolves with the screen when it did not change for `quietMs`; undefined after `timeoutMs`. */
  const settled = async (quietMs = 400, timeoutMs = 20_000) => {
    const deadline = performance.now() + timeoutMs;
    let last = fingerprint(screen());
    let since = performance.now();
    while (performance.now() < deadline) {
      await wait(STEP_MS);
      const now = fingerprint(screen());
      if (now !== last) {
        last = now;
        since = performance.now();
      } else if (performance.now() - since >= quietMs) return screen();
    }
    return undefined;
  };

  /** Resolves with the first whole screen for which `test` holds; undefined after `timeoutMs` or when the agent ended. */
  const until = async (test, timeoutMs = 20_000) => {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      await shown.settled();
      const now = screen();
      if (test(now)) return now;
      if (exit !== undefined) return undefined;
      await wait(STEP_MS);
    }
    return undefined;
  };

  /** All different whole screens, with their times, until `test` holds for one (which is the last) or time is up. */
  const changes = async (test, timeoutMs = 20_000) => {
    const startedAt = performance.now();
    const found = [];
    let last = '';
    await until((now) => {
      const print = fingerprint(now);
      if (print !== last) found.push({ screen: now, atMs: performance.now() - startedAt });
      last = print;
      return test(now);
    }, timeoutMs);
    return found;
  };

  return {
    pid: child.pid,
    screen,
    settled,
    until,
    changes,
    write: (text) => child.write(text),
    /** One bracketed paste. */
    paste: (text) => child.write(`\x1b[200~${text}\x1b[201~`),
    enter: () => child.write('\r'),
    /** A person's keys, one by one. */
    type: async (text, delayMs = 15) => {
      for (const character of text) {
        child.write(character);
        await wait(delayMs);
      }
    },
    hasEnded: () => exit !== undefined,
    /** TERM, then KILL; the whole group of the PTY hangs up with it. */
    end: async () => {
      if (exit === undefined) signal(child.pid, 'SIGTERM');
      if ((await Promise.race([ended, wait(3000)])) === undefined && exit === undefined) signal(child.pid, 'SIGKILL');
      await Promise.race([ended, wait(3000)]);
      shown.close();
      return exit;
    },
  };
}

export function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function signal(pid, name) {
  try {
    process.kill(-pid, name);
  } catch {
    try {
      process.kill(pid, name);
    } catch {
      return;
    }
  }
}

/** Whether two screens look the same. */
export function fingerprint(screen) {
  return JSON.stringify([screen.lines, screen.solid, screen.cursor, screen.hasBracketedPaste, screen.isAlternate]);
}
