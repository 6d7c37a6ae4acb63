// For doctor: where our hooks are installed on this machine, and which Node they will run with.

import type { RunProcess } from '../kernel/process.ts';
import { findProgram, pathOutside } from '../system/processes/find-program.ts';
import { type AskedTrust, askTrust } from './ask-trust.ts';
import { type InstalledHooks, installedHooks } from './check.ts';
import { notedNode } from './hook-node.ts';
import { hookProgramBeside, hookWords } from './hook-program.ts';
import type { HookTrust } from './hook-trust.ts';
import { chooseTargets, type InstallHost, type InstallMachine, openMachine } from './machine.ts';
import type { Target } from './target.ts';
import { type HookFault, tryHooks } from './try-hooks.ts';

/** The agents found on this machine, and every agent whose files hold an entry of ours. */
export function checkInstalled(cwd: string, host: InstallHost): readonly InstalledHooks[] {
  const machine = openMachine(host, cwd);
  const found = new Set(chooseTargets(machine, undefined).map(({ agent }) => agent));
  const { env, root } = machine.places;
  const isOnPath = findProgram('foreword', { path: env.PATH ?? '', cwd: root }) !== undefined;
  const states = installedHooks({ ...machine, isOnPath, words: hookWords(hookProgramBeside(host.commandFile)) });
  return states.filter(({ agent, state }) => state !== 'absent' || found.has(agent));
}

/** The same, with each hook run once and the agent's own word on trust. Changes nothing. */
export async function examineHooks(cwd: string, host: InstallHost, run: RunProcess): Promise<readonly ExaminedHooks[]> {
  const machine = openMachine(host, cwd);
  const { env } = machine.places;
  return Promise.all(
    checkInstalled(cwd, host).map(async ({ lines = [], ...hooks }): Promise<ExaminedHooks> => {
      const target = machine.targets.find(({ agent }) => agent === hooks.agent);
      const isInPlace = hooks.state === 'in place';
      const [faults, asked] = await Promise.all([
        isInPlace ? tryHooks(lines, { env, stateFolder: machine.stateFolder, run }) : [],
        isInPlace && target !== undefined ? askedTrust(machine, target, { hooks, run }) : undefined,
      ]);
      const trust = asked === undefined ? hooks.trust : worst(asked);
      return { ...hooks, ran: isInPlace ? lines.length : 0, faults, ...(trust === undefined ? {} : { trust }) };
    }),
  );
}

export interface ExaminedHooks extends InstalledHooks {
  /** How many of them were run. */
  readonly ran: number;
  readonly faults: readonly HookFault[];
}

function askedTrust(
  machine: InstallMachine,
  { programs, trust, folders }: Target,
  { hooks: { file, scope }, run }: { readonly hooks: Pick<InstalledHooks, 'file' | 'scope'>; readonly run: RunProcess },
) {
  const { places } = machine;
  const where = { path: places.env.PATH ?? '', cwd: places.root };
  const program = programs.map((name) => findProgram(name, where)).find((path) => path !== undefined);
  const [folder] = folders(places);
  if (trust?.ask === undefined || program === undefined || folder === undefined) return undefined;
  return askTrust({ ask: trust.ask, program, folder, root: places.root, file, scope, path: pathOutside(where) }, run);
}

const RANKS: readonly HookTrust[] = [
  'off',
  'folder not trusted',
  'waits for review',
  'modified',
  'disabled',
  'trusted',
];

/** One hook that does not run is enough. */
function worst(asked: readonly AskedTrust[]): HookTrust {
  const found = asked.map((one): HookTrust => (one === 'untrusted' ? 'waits for review' : one));
  return RANKS.find((rank) => found.includes(rank)) ?? 'unknown';
}

/** The agents found on this machine, for somebody who sees foreword for the first time. */
export function agentsHere(cwd: string, host: InstallHost, verifiable: readonly string[]) {
  const machine = openMachine(host, cwd);
  const where = { path: machine.places.env.PATH ?? '', cwd: machine.places.root };
  const states = checkInstalled(cwd, host);
  const agents = chooseTargets(machine, undefined).map(({ agent, title, programs }) => ({
    agent,
    title,
    program: programs.map((name) => findProgram(name, where)).find((path) => path !== undefined),
    isInPlace: states.some((one) => one.agent === agent && one.state === 'in place'),
    /** Absent when it runs hooks without asking. */
    trust: states.find((one) => one.agent === agent && one.state === 'in place')?.trust,
    isVerifiable: verifiable.includes(agent),
  }));
  // An agent of which only settings are left comes last.
  const isThere = ({ program }: { readonly program: string | undefined }) => Number(program !== undefined);
  return {
    agents: agents.toSorted((one, other) => isThere(other) - isThere(one)),
    known: machine.targets.map(({ title }) => title),
  };
}

/** `undefined` when there is neither a noted Node nor one on PATH. */
export function nodeOfHooks(cwd: string, host: InstallHost): string | undefined {
  const { places, stateFolder } = openMachine(host, cwd);
  const noted = notedNode({ hook: hookProgramBeside(host.commandFile), stateFolder });
  return noted ?? findProgram('node', { path: places.env.PATH ?? '', cwd: places.root });
}
