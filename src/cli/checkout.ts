// Commands that change a project, its runs or this machine are not for agents: they are refused in a checkout of a run, and in the
// box of an agent, where a checkout is at the project's own path and the state is not there.

import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import { environment } from '../system/environment.ts';
import { findCheckout } from '../system/files/find-checkout.ts';
import { isInRun, stateFolder } from '../system/files/project-state.ts';
import type { Call } from './command.ts';

/** Throws `bad-usage`. */
export function refuseCheckout(command: string, call: Pick<Call, 'text'>): void {
  const cwd = resolve(call.text('cwd') ?? '.');
  const found = findCheckout(cwd, stateFolder(environment(), homedir()));
  if (found === undefined) {
    if (!isInRun(environment())) return;
    throw new ForewordError(
      'bad-usage',
      `This is an agent of a run in its box, where foreword ${command} does nothing.`,
      {
        hint: 'The state of the project is not there. Put what the next attempt should know into the answer.',
      },
    );
  }
  throw new ForewordError('bad-usage', `${cwd} is a checkout of a run, where foreword ${command} does nothing.`, {
    hint: `It is for the person: run it in ${found.root}.`,
  });
}
