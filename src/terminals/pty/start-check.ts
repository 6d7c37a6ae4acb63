// Checks before an agent is started in a terminal: later a terminal would only show that it did not start.

import { statSync } from 'node:fs';
import { ForewordError } from '../../kernel/errors.ts';
import type { TerminalStart } from '../../kernel/terminal.ts';
import { findProgram } from '../../system/processes/find-program.ts';

/** Throws when the program or the folder does not exist, or when a value cannot be passed to a program. */
export function checkStart({ command, cwd, env }: TerminalStart): void {
  const [program] = command;
  if (!program.startsWith('/') || findProgram(program, { path: '', cwd: '/' }) === undefined) {
    throw new ForewordError('missing-program', `Could not start ${program}: there is no such program.`, {
      hint: 'Install it, or fix its command in the configuration.',
    });
  }
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ForewordError('bad-usage', `Could not start ${program}: there is no folder ${cwd}.`);
  }
  for (const text of [...command, ...Object.keys(env), ...Object.values(env)]) {
    if (text.includes('\0')) {
      throw new ForewordError(
        'bad-usage',
        `Could not start ${program}: an argument or variable has a zero byte in it.`,
      );
    }
  }
}

/** The command with exactly the given environment, when the parent process may also set `names`: `env` sets them back
 *  and becomes the program. Their values are in its arguments for a moment, so they must not be secret. */
export function withExactEnvironment(
  { command, env }: Pick<TerminalStart, 'command' | 'env'>,
  names: readonly string[],
): readonly [string, ...string[]] {
  if (names.length === 0) return command;
  // `env` would take a path with an equals sign for a variable; such a program keeps what was set.
  if (command[0].includes('=')) return ['/bin/sh', '-c', 'exec "$0" "$@"', ...command];
  const unset = names.flatMap((name) => (env[name] === undefined ? ['-u', name] : []));
  const set = names.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`]));
  return ['/usr/bin/env', ...unset, ...set, ...command];
}
