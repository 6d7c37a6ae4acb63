// Runs `run.prepare` in a new checkout. Nothing was paid when it fails.

import { ForewordError } from '../../kernel/errors.ts';
import type { ProcessEnd } from '../../kernel/process.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { childEnvironment } from '../../system/processes/environment.ts';
import { findProgram, pathOutside } from '../../system/processes/find-program.ts';
import type { PrepareCommand } from './come-along.ts';

interface PrepareParts {
  readonly command: readonly string[];
  readonly timeoutMs: number;
  /** The project: a program that it brings is not found by name. */
  readonly root: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly room: PrepareCommand['room'];
  /** Why the command must not be run in that folder: a file that it names is not what a person agreed to. */
  refusal(cwd: string): string | undefined;
}

const SHOWN_LINES = 10;
const OUTSIDE = 'Run it in a clone of the project to see more, or change run.prepare.';
const IN_BOX =
  'It ran in a box, without your home: name what it needs of it in run.allow. Or run it in a clone of the project to see more.';

/** Its `run` throws `missing-program` when the command cannot be started, and `not-prepared` when it fails, takes too long or is
 *  refused. */
export function prepareCommand(parts: PrepareParts): PrepareCommand {
  const { command, root, variables, timeoutMs, signal } = parts;
  const [program = '', ...args] = command;
  const shown = oneLine(command.join(' '), 100);
  return {
    command,
    room: parts.room,
    run: async (cwd, room) => {
      const refusal = parts.refusal(cwd);
      if (refusal !== undefined) throw new ForewordError('not-prepared', `run.prepare was not run: ${refusal}.`);
      // A path is taken from the checkout: a script may look for the project beside itself.
      const where = { path: variables.PATH ?? '', cwd: root };
      const found = program.includes('/') ? program : findProgram(program, where);
      const base = found === undefined ? { ...variables, PATH: pathOutside(where) } : variables;
      const env = childEnvironment({ base, names: [] });
      const { end } = await room.run({ command: [found ?? program, ...args], cwd, env, timeoutMs }, {}, signal);
      if (end.startError !== undefined) {
        throw new ForewordError('missing-program', `run.prepare did not start: ${end.startError}`, {
          hint: 'Install the program, or commit it if it is a file of the project.',
        });
      }
      if (end.endedBy === undefined && end.exitCode === 0) return;
      throw new ForewordError(
        'not-prepared',
        `run.prepare failed in a new checkout: ${shown} ${howItEnded(end, timeoutMs)}.${lastLines(end)}`,
        { hint: `No agent was started. ${room.isBoxed ? IN_BOX : OUTSIDE}` },
      );
    },
  };
}

function howItEnded(end: ProcessEnd, timeoutMs: number): string {
  if (end.endedBy === 'timeout') return `took longer than ${timeoutMs / 1000} s (run.prepareTimeoutS)`;
  if (end.endedBy === 'caller') return 'was interrupted';
  return end.exitCode === null ? `was ended by ${end.signal ?? 'a signal'}` : `exited with ${end.exitCode}`;
}

function lastLines({ stdout, stderr }: ProcessEnd): string {
  const lines = `${stdout.text}\n${stderr.text}`
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-SHOWN_LINES)
    .map((line) => `\n  ${oneLine(line, 200)}`);
  return lines.length === 0 ? '' : ` Its last lines:${lines.join('')}`;
}
