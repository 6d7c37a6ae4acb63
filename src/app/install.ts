// Joins init and uninstall to the machine: its agents, its files, the person's state folder, and the hook program that
// stands beside this command.

import { accessSync, constants, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Applied, applyPlan } from '../install/apply.ts';
import { type InstalledHooks, installedHooks } from '../install/check.ts';
import { CONTEXT_FILES, PROJECT_FILES, type Starter } from '../install/context-files.ts';
import { DISK } from '../install/disk.ts';
import { forgetNode, notedNode, noteNode } from '../install/hook-node.ts';
import { type Plan, planInstall } from '../install/plan.ts';
import type { Change } from '../install/plan-file.ts';
import { planUninstall } from '../install/plan-uninstall.ts';
import { openRecords } from '../install/records.ts';
import { type Places, SCOPES, type Scope, type Target } from '../install/target.ts';
import { TARGETS } from '../install/targets.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { HookEvent } from '../kernel/hook-events.ts';
import { nearest } from '../kernel/nearest.ts';
import { environment } from '../system/environment.ts';
import { ensureFolder, findRoot } from '../system/files/project.ts';
import { stateFolder } from '../system/files/state-folder.ts';
import { findProgram } from '../system/processes/find-program.ts';

export type { Applied } from '../install/apply.ts';
export type { InstalledHooks } from '../install/check.ts';
export type { Plan } from '../install/plan.ts';
export type { Change } from '../install/plan-file.ts';
export type { Scope } from '../install/target.ts';

export const AGENT_NAMES: readonly string[] = TARGETS.map(({ agent }) => agent);

export interface InstallRequest {
  readonly cwd?: string | undefined;
  /** Names; those found on the machine when absent. */
  readonly agents?: readonly string[] | undefined;
  /** Absent for uninstall: both. */
  readonly scope?: Scope | undefined;
  /** Whether the files of .context/ are made too. */
  readonly contextFiles?: boolean;
  /** The hook program; the one beside this command when absent. */
  readonly hook?: string | undefined;
}

export interface PreparedInstall {
  readonly plan: Plan;
  /** The agents it is about, and those that were looked for and not found. */
  readonly agents: readonly string[];
  readonly absent: readonly string[];
  /** How an agent is called for people. */
  titleOf(agent: string): string;
  /** A path as the person writes it, with `~`. */
  shortened(path: string): string;
  /** Where we keep what belongs to the person. */
  readonly stateFolder: string;
  apply(changes: readonly Change[]): Promise<Applied>;
  /** What belongs to it besides the files of agents; to be called when all is agreed to, or nothing is to be done. */
  finish(): void;
}

/** Throws `bad-usage` for an agent that nobody knows, `missing-program` without a hook program. */
export function prepareInstall(request: InstallRequest): PreparedInstall {
  const machine = machineOf(request.cwd);
  const hook = request.hook ?? hookProgram();
  if (!isProgram(hook)) {
    throw new ForewordError('missing-program', `The hook program ${hook} is not there or cannot be run.`, {
      hint: 'Install foreword again.',
    });
  }
  const scope = request.scope ?? 'user';
  const targets = targetsOf(request.agents, machine.places);
  const starters = startersFor(machine.places, scope, request.contextFiles === true);
  const plan = planInstall({ ...machine, targets, scope, words: wordsFor(hook), starters });
  const isThrowaway = /[\\/]_npx[\\/]/.test(hook);
  const hasNothingToShow = starters.length > 0 && request.contextFiles !== true && !hasContext(machine.places.root);
  const notes = [
    ...(isThrowaway
      ? [
          `${hook} lies in the cache of npx, which is emptied now and then. Install foreword with npm install --global, and run init again.`,
        ]
      : []),
    ...plan.notes,
    ...(hasNothingToShow
      ? [
          'Before the first tool agents are shown the files of .context/. There are none here: foreword init --context-files begins them.',
        ]
      : []),
  ];
  const node = { path: process.execPath, version: process.version };
  return prepared(
    machine,
    targets,
    { ...plan, notes },
    {
      absent: request.agents === undefined ? TARGETS.filter((one) => !targets.includes(one)) : [],
      finish: () => noteNode({ hook, stateFolder: machine.stateFolder }, node),
    },
  );
}

export function prepareUninstall(request: InstallRequest): PreparedInstall {
  const machine = machineOf(request.cwd);
  const targets = request.agents === undefined ? TARGETS : targetsOf(request.agents, machine.places);
  const scopes = request.scope === undefined ? SCOPES : [request.scope];
  const withStarters = request.agents === undefined && scopes.includes('project');
  return prepared(machine, targets, planUninstall({ ...machine, targets, scopes, withStarters }), {
    absent: [],
    finish: () => {
      if (machine.records.all().every(({ agent }) => agent === undefined)) forgetNode(machine);
    },
  });
}

/** For doctor: the agents found on this machine, and any in whose files something of ours stands. */
export function checkInstalled(request: Pick<InstallRequest, 'cwd' | 'hook'>): readonly InstalledHooks[] {
  const machine = machineOf(request.cwd);
  const found = new Set(targetsOf(undefined, machine.places));
  const states = installedHooks({ ...machine, targets: TARGETS, words: wordsFor(request.hook ?? hookProgram()) });
  return states.filter(({ agent, state }) => state !== 'absent' || [...found].some((target) => target.agent === agent));
}

/** For doctor: the Node that hooks will run with. `undefined` when neither a noted one nor one on PATH is there. */
export function nodeOfHooks(request: Pick<InstallRequest, 'cwd' | 'hook'>): string | undefined {
  const { places, stateFolder: state } = machineOf(request.cwd);
  const noted = notedNode({ hook: request.hook ?? hookProgram(), stateFolder: state });
  return noted ?? findProgram('node', { path: places.env.PATH ?? '', cwd: places.root });
}

function hasContext(root: string): boolean {
  return DISK.list(join(root, '.context')).length > 0;
}

function prepared(
  machine: Machine,
  targets: readonly Target[],
  plan: Plan,
  more: { readonly absent: readonly Target[]; readonly finish: () => void },
): PreparedInstall {
  const { places, files, records, folder } = machine;
  return {
    plan,
    agents: targets.map(({ agent }) => agent),
    absent: more.absent.map(({ agent }) => agent),
    stateFolder: machine.stateFolder,
    titleOf: (name) => TARGETS.find(({ agent }) => agent === name)?.title ?? name,
    shortened: (path) => (path.startsWith(`${places.home}/`) ? `~${path.slice(places.home.length)}` : path),
    apply: (changes) => applyPlan(changes, { files, records, lockFolder: folder, ensureFolder }),
    finish: more.finish,
  };
}

interface Machine {
  readonly places: Places;
  readonly files: typeof DISK;
  readonly records: ReturnType<typeof openRecords>;
  readonly stateFolder: string;
  /** Of the records. */
  readonly folder: string;
}

function machineOf(cwd: string | undefined): Machine {
  const here = resolve(cwd ?? '.');
  if (statSync(here, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ForewordError('bad-usage', `There is no folder ${cwd}.`, { hint: 'Mend --cwd.' });
  }
  const env = environment();
  const state = stateFolder(env, homedir());
  const folder = join(state, 'installed');
  const places = { home: env.HOME || homedir(), root: realpathSync(findRoot(here)), env };
  return { places, files: DISK, records: openRecords(folder), stateFolder: state, folder };
}

function targetsOf(names: readonly string[] | undefined, places: Places): readonly Target[] {
  if (names === undefined) return TARGETS.filter((target) => isFound(target, places));
  return names.map((name) => {
    const target = TARGETS.find(({ agent }) => agent === name);
    if (target !== undefined) return target;
    const guess = nearest(name, AGENT_NAMES);
    throw new ForewordError('bad-usage', `There is no agent "${name}" to put hooks into.`, {
      hint: guess === undefined ? `Known are ${AGENT_NAMES.join(', ')}.` : `Did you mean ${guess}?`,
    });
  });
}

function isFound({ programs, folders }: Target, places: Places): boolean {
  const where = { path: places.env.PATH ?? '', cwd: places.root };
  return (
    programs.some((name) => findProgram(name, where) !== undefined) ||
    folders(places).some((folder) => DISK.isFolder(folder))
  );
}

/** In the user scope only where the person stands in a project: a home is none, whatever is in it. */
function startersFor({ home, root }: Places, scope: Scope, withContext: boolean): readonly Starter[] {
  const isProject = ['.git', '.foreword', '.context'].some((mark) => DISK.list(root).includes(mark));
  const isHome = root === home || DISK.follow(home).ok === false || dirname(root) === root;
  const files = scope === 'project' || (isProject && !isHome) ? PROJECT_FILES : [];
  return withContext ? [...files, ...CONTEXT_FILES] : files;
}

function wordsFor(hook: string): (event: HookEvent, agent: string) => readonly string[] {
  return (event, agent) => [hook, event, agent];
}

/** Beside the command's file. Links to the file itself are followed, those of folders are not: a package manager that
 *  keeps versions apart leads to the newest by a link to the folder, and an update must not leave dead hooks behind. */
function hookProgram(): string {
  let file = resolve(process.argv[1] ?? '.');
  for (let turn = 0; turn < 20 && lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true; turn += 1) {
    file = resolve(dirname(file), readlinkSync(file));
  }
  return join(dirname(file), '../hook/foreword-hook');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
