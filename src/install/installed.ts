// For doctor: where our hooks are installed on this machine, and which Node they will run with.

import { findProgram } from '../system/processes/find-program.ts';
import { type InstalledHooks, installedHooks } from './check.ts';
import { notedNode } from './hook-node.ts';
import { hookProgramBeside, hookWords } from './hook-program.ts';
import { chooseTargets, type InstallHost, openMachine } from './machine.ts';

/** The agents found on this machine, and every agent whose files hold an entry of ours. */
export function checkInstalled(cwd: string, host: InstallHost): readonly InstalledHooks[] {
  const machine = openMachine(host, cwd);
  const found = new Set(chooseTargets(machine, undefined).map(({ agent }) => agent));
  const states = installedHooks({ ...machine, words: hookWords(hookProgramBeside(host.commandFile)) });
  return states.filter(({ agent, state }) => state !== 'absent' || found.has(agent));
}

/** `undefined` when there is neither a noted Node nor one on PATH. */
export function nodeOfHooks(cwd: string, host: InstallHost): string | undefined {
  const { places, stateFolder } = openMachine(host, cwd);
  const noted = notedNode({ hook: hookProgramBeside(host.commandFile), stateFolder });
  return noted ?? findProgram('node', { path: places.env.PATH ?? '', cwd: places.root });
}
