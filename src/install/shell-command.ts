// The command that agents run for us, and how it is known again.

import { HOOK_EVENTS, type HookEvent } from '../kernel/hook-events.ts';

/** One command line for `sh -c`. It does nothing, and ends well, when the program is gone: somebody removed the package
 *  before `foreword uninstall`, and some agents would otherwise refuse every tool or prompt. `exec` spares the
 *  process that would wait for it. `unless` is a test of the shell that keeps it from running. */
export function hookLine(words: readonly string[], unless?: string): string {
  const [program = '', ...rest] = words.map(quote);
  const others = unless === undefined ? '' : `${unless} || `;
  return `test ! -x ${program} || ${others}exec ${[program, ...rest].join(' ')}`;
}

/** As one word of a POSIX shell, whatever it holds. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", () => "'\\''")}'`;
}

const OURS = /(?:^|[\s/'])foreword-hook'? ([a-z-]+) [a-z][a-z-]*\s*$/;

/** Whether a command of a hook entry runs our program, wherever that stands and whatever was put before it. */
export function isOurCommand(command: unknown): boolean {
  const event = typeof command === 'string' ? OURS.exec(command)?.[1] : undefined;
  return event !== undefined && HOOK_EVENTS.includes(event as HookEvent);
}
