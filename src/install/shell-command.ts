// The shell command that agents run for us, and how to recognise it.

import { HOOK_EVENTS, type HookEvent } from '../kernel/hook-events.ts';
import { shellWord } from '../kernel/shell-word.ts';

/** One command line for `sh -c`. When the program is gone, it does nothing and exits with 0: a person may remove the package
 *  before `foreword uninstall`, and some agents would then refuse every tool or prompt. `exec` saves the process that would
 *  wait for it. `unless` is a shell test; when it succeeds, the program does not run. */
export function hookLine(words: readonly string[], unless?: string): string {
  const [program = '', ...rest] = words.map(shellWord);
  const others = unless === undefined ? '' : `${unless} || `;
  return `test ! -x ${program} || ${others}exec ${[program, ...rest].join(' ')}`;
}

const OURS = /(?:^|[\s/'])foreword-hook'? ([a-z-]+) [a-z][a-z-]*\s*$/;

/** Whether a command of a hook entry runs our program, whatever its path and whatever is before it. */
export function isOurCommand(command: unknown): boolean {
  const event = typeof command === 'string' ? OURS.exec(command)?.[1] : undefined;
  return event !== undefined && HOOK_EVENTS.includes(event as HookEvent);
}
