// Prepares init and uninstall: chooses the agents, makes the plan, and adds notes for the person. Nothing is written before
// `apply` and `finish` are called.

import { dirname, join } from 'node:path';
import { agree, partsText } from '../config/agreed.ts';
import { ForewordError } from '../kernel/errors.ts';
import { ensureFolder } from '../system/files/own-folder.ts';
import { findProgram } from '../system/processes/find-program.ts';
import { type Applied, applyPlan } from './apply.ts';
import { CONFIG_FILE, CONTEXT_FILES, PROJECT_FILES, type Starter, withLineup } from './context-files.ts';
import { forgetNode, noteNode } from './hook-node.ts';
import { hookProgramBeside, hookWords, isProgram, isThrowaway } from './hook-program.ts';
import { lineupFault, lineupNotes, proposeLineup } from './lineup.ts';
import { chooseTargets, type InstallHost, type InstallMachine, openMachine } from './machine.ts';
import { type InstallPlan, planInstall } from './plan.ts';
import type { Change } from './plan-file.ts';
import { planUninstall } from './plan-uninstall.ts';
import { installSummary, type SummaryLine, uninstallSummary } from './summary.ts';
import { OWN_SCOPES, type Scope, type Target } from './target.ts';

export interface InstallRequest {
  readonly cwd?: string | undefined;
  /** Names of agents; when absent, those found on the machine. */
  readonly agents?: readonly string[] | undefined;
  /** When absent, uninstall uses those of the person. */
  readonly scope?: Scope | undefined;
  /** The agents of foreword run, in their order; proposed when absent. */
  readonly lineup?: readonly string[] | undefined;
  /** Whether the files of .context/ are written too. */
  readonly contextFiles?: boolean;
  /** Files that git ignores, as team.ts asked it. */
  readonly ignored?: readonly string[];
  /** Of uninstall: also the hooks of other projects. */
  readonly isEverywhere?: boolean;
}

export interface PreparedInstall {
  readonly plan: InstallPlan;
  /** What it does, in at most five lines. */
  readonly summary: readonly SummaryLine[];
  /** The lineup in it; absent when the plan writes none. */
  readonly lineup?: readonly string[];
  /** The same with another lineup. Throws `bad-usage` when it cannot be one. */
  withLineup?(lineup: readonly string[]): PreparedInstall;
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

/** What differs between init and uninstall. */
type Shared = Omit<PreparedInstall, 'absent' | 'finish' | 'summary'>;

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
  const chosen = chooseTargets(machine, request.agents);
  // Whoever has no foreword must not notice the entries of the team, unless a person wants that.
  const loud = scope === 'team' && request.agents === undefined ? chosen.filter((one) => one.announces) : [];
  const targets = chosen.filter((one) => !loud.includes(one));
  // The agents of this machine are not those of the team.
  const proposed = scope === 'team' ? [] : proposeLineup(host.candidates, host.usualLineup);
  const lineup = request.lineup ?? proposed;
  const fault = request.lineup === undefined ? undefined : lineupFault(request.lineup, host.candidates);
  if (fault !== undefined) throw new ForewordError('bad-usage', `That cannot be the lineup: ${fault}.`);
  const usual = startersFor(machine, scope, { withContext: request.contextFiles === true });
  const starters = withLineup(usual, lineup);
  const { ignored = [] } = request;
  const plan = planInstall({ ...machine, targets, scope, words: hookWords(hook), starters, ignored });
  const isEmpty = starters.length > 0 && request.contextFiles !== true && !hasContext(machine);
  const notes = [
    ...(isThrowaway(hook) && scope !== 'team'
      ? [
          `${hook} is in the cache of npx, which npm may clear. Install foreword with npm install --global and run init again.`,
        ]
      : []),
    ...plan.notes,
    ...(scope === 'team' ? pathNotes(machine) : lineupNotes(host.candidates)),
    ...(isEmpty
      ? [
          'Rules of your own: agents are given the files of .context/ together with the result of their first tool. This project has none; foreword init --context-files creates them.',
        ]
      : []),
  ];
  const skipped = [...plan.skipped, ...loud.map((one) => ({ agent: one.agent, why: loudness(one) }))];
  const shared = prepared(machine, targets, { ...plan, notes, skipped });
  const config = plan.changes.find(({ file }) => file === join(machine.places.root, CONFIG_FILE));
  return {
    ...shared,
    summary: installSummary({ ...shared, ...plan, inPlace: plan.inPlace.map(({ agent }) => agent), scope, lineup }),
    ...(config === undefined || lineup.length === 0
      ? {}
      : { lineup, withLineup: (other) => prepareInstall({ ...request, lineup: other }, host) }),
    apply: async (changes) => {
      const applied = await shared.apply(changes);
      // The person saw this line of the file and agreed to it: it needs no second question.
      if (lineup.length > 0 && applied.done.some((one) => one === config))
        agree(
          { text: partsText({ lineup }), files: [] },
          { root: machine.places.root, stateFolder: machine.stateFolder },
        );
      return applied;
    },
    absent: request.agents === undefined ? namesOf(machine.targets.filter((one) => !chosen.includes(one))) : [],
    finish: () => noteNode({ hook, stateFolder: machine.stateFolder }, host.node),
  };
}

/** Throws `bad-usage` for an unknown agent. */
export function prepareUninstall(request: InstallRequest, host: InstallHost): PreparedInstall {
  const machine = openMachine(host, request.cwd);
  const targets = request.agents === undefined ? machine.targets : chooseTargets(machine, request.agents);
  const scopes = request.scope === undefined ? OWN_SCOPES : [request.scope];
  const withStarters = request.agents === undefined && request.scope !== 'user';
  const shared = prepared(
    machine,
    targets,
    planUninstall({ ...machine, targets, scopes, withStarters, isEverywhere: request.isEverywhere === true }),
  );
  return {
    ...shared,
    summary: uninstallSummary({ ...shared, ...shared.plan, inPlace: [], scope: 'user', lineup: [] }),
    absent: [],
    finish: () => {
      if (machine.records.all().every(({ agent }) => agent === undefined)) forgetNode(machine);
    },
  };
}

function prepared(machine: InstallMachine, targets: readonly Target[], plan: InstallPlan): Shared {
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
  const starters = scope !== 'user' || (isProject && !isHome) ? PROJECT_FILES : [];
  return withContext ? [...starters, ...CONTEXT_FILES] : starters;
}

function loudness({ agent, announces = '' }: Target): string {
  return `it ${announces}, also those without foreword. Whoever ran foreword init has its hooks already; --agents ${agent} writes them anyway`;
}

/** The entries of a team find the command on the PATH, which may not be how this one was started. */
function pathNotes({ places: { env, root } }: InstallMachine): readonly string[] {
  if (findProgram('foreword', { path: env.PATH ?? '', cwd: root }) !== undefined) return [];
  return ['foreword is not on your own PATH, so these entries do nothing here: npm install --global foreword.'];
}

function hasContext({ files, places }: InstallMachine): boolean {
  return files.list(join(places.root, '.context')).length > 0;
}
