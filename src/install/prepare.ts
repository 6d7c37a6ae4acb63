// Prepares init and uninstall: chooses the agents, makes the plan, and adds notes for the person. Nothing is written before
// `apply` and `finish` are called.

import { dirname, join } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import { ensureFolder } from '../system/files/own-folder.ts';
import { type Applied, applyPlan } from './apply.ts';
import { CONTEXT_FILES, PROJECT_FILES, type Starter } from './context-files.ts';
import { forgetNode, noteNode } from './hook-node.ts';
import { hookProgramBeside, hookWords, isProgram, isThrowaway } from './hook-program.ts';
import { chooseTargets, type InstallHost, type InstallMachine, openMachine } from './machine.ts';
import { type InstallPlan, planInstall } from './plan.ts';
import type { Change } from './plan-file.ts';
import { planUninstall } from './plan-uninstall.ts';
import { SCOPES, type Scope, type Target } from './target.ts';

export interface InstallRequest {
  readonly cwd?: string | undefined;
  /** Names of agents; when absent, those found on the machine. */
  readonly agents?: readonly string[] | undefined;
  /** When absent, uninstall uses both. */
  readonly scope?: Scope | undefined;
  /** Whether the files of .context/ are written too. */
  readonly contextFiles?: boolean;
}

export interface PreparedInstall {
  readonly plan: InstallPlan;
  /** The chosen agents, and those that were not found. */
  readonly agents: readonly string[];
  readonly absent: readonly string[];
  /** The title of an agent, for people. */
  titleOf(agent: string): string;
  /** A path as the person writes it, with `~`. */
  shortened(path: string): string;
  /** The person's state folder. */
  readonly stateFolder: string;
  apply(changes: readonly Change[]): Promise<Applied>;
  /** The work beside the files of agents; to be called after the person agreed, or when nothing has to be changed. */
  finish(): void;
}

/** Throws `bad-usage` for an unknown agent, `missing-program` without a hook program. */
export function prepareInstall(request: InstallRequest, host: InstallHost): PreparedInstall {
  const machine = openMachine(host, request.cwd);
  const hook = hookProgramBeside(host.commandFile);
  if (!isProgram(hook)) {
    throw new ForewordError('missing-program', `The hook program ${hook} is missing or not executable.`, {
      hint: 'Install foreword again.',
    });
  }
  const scope = request.scope ?? 'user';
  const targets = chooseTargets(machine, request.agents);
  const starters = startersFor(machine, scope, { withContext: request.contextFiles === true });
  const plan = planInstall({ ...machine, targets, scope, words: hookWords(hook), starters });
  const isEmpty = starters.length > 0 && request.contextFiles !== true && !hasContext(machine);
  const notes = [
    ...(isThrowaway(hook)
      ? [
          `${hook} is in the cache of npx, which npm may clear. Install foreword with npm install --global and run init again.`,
        ]
      : []),
    ...plan.notes,
    ...(isEmpty
      ? [
          'The gate shows agents the files of .context/ before their first tool. This project has none: create them with foreword init --context-files.',
        ]
      : []),
  ];
  return {
    ...prepared(machine, targets, { ...plan, notes }),
    absent: request.agents === undefined ? namesOf(machine.targets.filter((one) => !targets.includes(one))) : [],
    finish: () => noteNode({ hook, stateFolder: machine.stateFolder }, host.node),
  };
}

/** Throws `bad-usage` for an unknown agent. */
export function prepareUninstall(request: InstallRequest, host: InstallHost): PreparedInstall {
  const machine = openMachine(host, request.cwd);
  const targets = request.agents === undefined ? machine.targets : chooseTargets(machine, request.agents);
  const scopes = request.scope === undefined ? SCOPES : [request.scope];
  const withStarters = request.agents === undefined && scopes.includes('project');
  return {
    ...prepared(machine, targets, planUninstall({ ...machine, targets, scopes, withStarters })),
    absent: [],
    finish: () => {
      if (machine.records.all().every(({ agent }) => agent === undefined)) forgetNode(machine);
    },
  };
}

function prepared(
  machine: InstallMachine,
  targets: readonly Target[],
  plan: InstallPlan,
): Omit<PreparedInstall, 'absent' | 'finish'> {
  const { places, files, records, recordFolder, stateFolder } = machine;
  return {
    plan,
    agents: namesOf(targets),
    stateFolder,
    titleOf: (name) => machine.targets.find(({ agent }) => agent === name)?.title ?? name,
    shortened: (path) => (path.startsWith(`${places.home}/`) ? `~${path.slice(places.home.length)}` : path),
    apply: (changes) => applyPlan(changes, { files, records, lockFolder: recordFolder, ensureFolder }),
  };
}

function namesOf(targets: readonly Target[]): readonly string[] {
  return targets.map(({ agent }) => agent);
}

/** In the user scope only inside a project: a home folder is never a project. */
function startersFor(
  { places: { home, root }, files }: InstallMachine,
  scope: Scope,
  { withContext }: { readonly withContext: boolean },
): readonly Starter[] {
  const isProject = ['.git', '.foreword', '.context'].some((name) => files.list(root).includes(name));
  const isHome = root === home || files.follow(home).ok === false || dirname(root) === root;
  const starters = scope === 'project' || (isProject && !isHome) ? PROJECT_FILES : [];
  return withContext ? [...starters, ...CONTEXT_FILES] : starters;
}

function hasContext({ files, places }: InstallMachine): boolean {
  return files.list(join(places.root, '.context')).length > 0;
}
