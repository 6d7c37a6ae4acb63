// The boxes of a run: whether there are any on this machine, which agents get one, and the room that each runs in.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Agent } from '../../kernel/agent.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { RunProcess } from '../../kernel/process.ts';
import { personState } from '../../system/files/project-state.ts';
import { findProgram } from '../../system/processes/find-program.ts';
import { isOwnerAlive, ownerName } from '../../system/processes/owner.ts';
import { realPath } from '../sandboxes/mounts.ts';
import { type AgentBoxes, type AgentRoom, type BoxChoice, type CheckoutBox, openRoom, type TryBoxed } from './box.ts';
import { type Journal, sweepPlaceholders } from './placeholders.ts';
import { allRemoved, removePrivateFolders } from './private-folders.ts';
import { type BoxSetup, layoutFor, runBoxed } from './run-boxed.ts';
import { boxFault } from './self-test.ts';

export interface BoxOptions {
  readonly confine: 'auto' | 'required' | 'off';
  /** `~/` is the home. */
  readonly allow: readonly string[];
  readonly readable: readonly string[];
  readonly run: RunProcess;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The project: nothing of its repository is taken for bwrap. */
  readonly root: string;
  /** Our state folder. */
  readonly state: string;
  readonly journal: Journal;
  /** The file that foreword was started from: what agents' hooks run lies beside it. */
  readonly commandFile: string | undefined;
  readonly tryBoxed?: TryBoxed | undefined;
  emit(event: NewEvent): Promise<void>;
}

/** Looks for a box when the first one is asked for. */
export function openBoxes(options: BoxOptions): AgentBoxes {
  let finding: Promise<FoundBox> | undefined;
  const found = () => {
    finding ??= findBox(options);
    return finding;
  };
  const choices = new Map<string, Promise<BoxChoice>>();
  const choose = (agent: Agent) => {
    const known = choices.get(agent.name) ?? announced(options, agent, decide(options, agent, found));
    choices.set(agent.name, known);
    return known;
  };
  const places = new Map<string, Promise<BoxSetup | string>>();
  const setupFor = (place: CheckoutBox | undefined) => {
    const key = place?.top ?? '';
    const known = places.get(key) ?? found().then((box) => usableSetup(options, box, place));
    places.set(key, known);
    return known;
  };
  const folders = new Set<string>();
  let count = 0;
  return {
    choose,
    isRequired: options.confine === 'required',
    open: async (agent, { cwd, box: place }) => {
      const choice = agent === undefined ? await forCheck(options, found) : await choose(agent);
      const without = (why: string) => openRoom(cwd, why, options.run);
      if (choice.kind !== 'boxed') return choice.kind === 'none' ? without(choice.why) : closedRoom(cwd, choice.why);
      const setup = await setupFor(place);
      if (place === undefined || typeof setup === 'string') return without(String(setup));
      // What a killed run left in it.
      if (!folders.has(place.folder)) await removePrivateFolders(place.folder);
      folders.add(place.folder);
      return {
        cwd: place.cwd,
        isBoxed: true,
        run: (request, shown = {}, signal) => {
          count += 1;
          const folder = join(place.folder, String(count));
          return runBoxed(setup, { box: agent?.box, place, request, shown: { ...shown, folder } }, signal);
        },
      };
    },
    close: allRemoved,
  };
}

/** The setup of boxes around this project, or why there is none; that ends a sentence. Throws when one is required. */
async function usableSetup(
  { confine, state, emit }: BoxOptions,
  found: FoundBox,
  place: CheckoutBox | undefined,
): Promise<BoxSetup | string> {
  const setup =
    found.kind === 'missing' || place === undefined
      ? 'the checkout cannot be mounted'
      : setupAround(found.setup, place, state);
  if (typeof setup !== 'string') return setup;
  if (confine === 'required') throw cannotBox(`no box can be made: ${setup}`);
  await emit({ kind: 'agent-unboxed', agent: 'every agent', isRefused: false, why: setup });
  return setup;
}

function setupAround(setup: BoxSetup, place: CheckoutBox, folder: string): BoxSetup | string {
  const request = { command: ['/bin/sh'], cwd: place.cwd, env: {}, timeoutMs: 0 } as const;
  const layout = layoutFor(setup, { box: undefined, place, request, shown: { folder } });
  return typeof layout === 'string' ? layout : setup;
}

/** `why` ends a sentence. */
export function cannotBox(why: string): ForewordError {
  return new ForewordError('missing-program', `Agents must run in a box (run.confine: required), and ${why}.`, {
    hint: 'foreword doctor shows which agents can be boxed. With run.confine: auto they would run without a box.',
  });
}

export type FoundBox =
  | { readonly kind: 'ready'; readonly setup: BoxSetup; readonly level: string }
  | { readonly kind: 'missing'; readonly why: string };

/** Never rejects. */
export async function findBox(options: Omit<BoxOptions, 'confine' | 'emit' | 'tryBoxed'>): Promise<FoundBox> {
  const missing = (why: string) => ({ kind: 'missing', why }) as const;
  if (process.platform !== 'linux') return missing('boxes need Linux');
  const { variables, root, run } = options;
  const home = variables.HOME ?? homedir();
  const named = findProgram('bwrap', { path: variables.PATH ?? '', cwd: root });
  const program = named === undefined ? undefined : realPath(named);
  if (program === undefined) return missing('bubblewrap is not installed');
  try {
    const asked = await run({ command: [program, '--version'], cwd: '/', env: {}, timeoutMs: 5_000 });
    const version = /\d+(\.\d+)+/.exec(asked.stdout.text)?.[0];
    if (version === undefined) return missing(`${program} does not print its version`);
    const setup: BoxSetup = {
      program,
      run,
      home,
      variables,
      state: options.state,
      allow: options.allow.map((path) => expanded(path, home)).filter((path) => isAbsolute(path)),
      readable: options.readable.map((path) => expanded(path, home)),
      programs: [process.execPath, ...ownPrograms(options.commandFile)],
      journal: options.journal,
    };
    await sweepPlaceholders(options.journal);
    const fault = await boxFault(setup);
    return fault === undefined
      ? { kind: 'ready', setup, level: `bubblewrap ${version}` }
      : missing(`bubblewrap does not work here: ${fault}`);
  } catch (error) {
    return missing(`bubblewrap could not be tried: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function decide(options: BoxOptions, agent: Agent, found: () => Promise<FoundBox>): Promise<BoxChoice> {
  const { confine } = options;
  if (confine === 'off') return { kind: 'none', why: 'run.confine is off' };
  const without = (why: string): BoxChoice => ({ kind: confine === 'required' ? 'refused' : 'none', why });
  const box = await found();
  if (box.kind === 'missing') return without(box.why);
  if (agent.box === undefined) return without(`it is not known what ${agent.name} needs of the home`);
  const trial = (await options.tryBoxed?.(agent, (version) =>
    options.emit({ kind: 'agent-tried', agent: agent.name, version }),
  )) ?? { kind: 'untried' };
  return trial.kind === 'failed' ? without(`${agent.name} ${trial.why}`) : { kind: 'boxed', level: box.level };
}

/** Checks run what agents wrote. */
async function forCheck({ confine }: BoxOptions, found: () => Promise<FoundBox>): Promise<BoxChoice> {
  if (confine === 'off') return { kind: 'none', why: 'run.confine is off' };
  const box = await found();
  if (box.kind === 'ready') return { kind: 'boxed', level: box.level };
  return { kind: confine === 'required' ? 'refused' : 'none', why: box.why };
}

/** A person who did not ask for it is told once that an agent runs without a box. */
async function announced(
  { confine, emit }: BoxOptions,
  agent: Agent,
  deciding: Promise<BoxChoice>,
): Promise<BoxChoice> {
  const choice = await deciding;
  if (choice.kind !== 'boxed' && confine !== 'off')
    await emit({ kind: 'agent-unboxed', agent: agent.name, isRefused: choice.kind === 'refused', why: choice.why });
  return choice;
}

function closedRoom(cwd: string, why: string): AgentRoom {
  const nothing = { text: '', bytes: 0 };
  const end = { exitCode: null, signal: null, stdout: nothing, stderr: nothing, durationMs: 0 };
  const startError = `It must run in a box (run.confine: required), and ${why}.`;
  return { cwd, isBoxed: false, run: async () => ({ end: { ...end, startError }, box: { level: 'none', why } }) };
}

/** For hooks, and for agents that call foreword themselves. */
function ownPrograms(commandFile: string | undefined): readonly string[] {
  const real = commandFile === undefined ? undefined : realPath(commandFile);
  return real === undefined ? [] : [join(real, '../../hook/foreword-hook'), real].filter((path) => existsSync(path));
}

/** Boxes as a run of this project would have them, to look only. */
export function findBoxFor(at: {
  readonly run: { readonly allow: readonly string[] };
  readonly host: { readonly env: BoxOptions['variables']; readonly stateFolder: string };
  readonly root: string;
  readonly start: RunProcess;
}): Promise<FoundBox> {
  const { run, root, start } = at;
  const { env: variables, stateFolder: state } = at.host;
  const journal = { folder: personState(state).placeholders, owner: ownerName(), isAlive: isOwnerAlive };
  const commandFile = process.argv[1];
  return findBox({ allow: run.allow, readable: [], run: start, variables, root, state, journal, commandFile });
}

function expanded(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}
