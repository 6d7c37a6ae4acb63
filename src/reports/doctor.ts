// Doctor: what was found on a machine, and one sentence with a fix for each thing that a run or a hook lacks. Pure;
// examine.ts looks at the machine.

import type { Durability } from '../kernel/stores.ts';
import type { SandboxFinding } from '../runs/sandboxes/sandbox.ts';
import type { StateFinding } from '../system/files/gone-state.ts';
import type { Measurement } from '../verify/measurement.ts';
import type { BoxFinding } from './box-finding.ts';
import type { HookComplaints } from './hook-log.ts';
import { type PlugInFindings, plugInProblems } from './plug-in-rows.ts';

export interface Findings {
  /** `unknown` where it cannot be opened; `detail` has the reason. */
  readonly store: Durability | Readonly<Record<'kind' | 'level', 'unknown'> & { detail: string }>;
  readonly state: StateFinding;
  readonly sandbox: string;
  /** Of agents in runs. */
  readonly box: BoxFinding;
  readonly agents: readonly string[];
  /** What each of them prints for --version; `unknown` when it prints nothing in time. */
  readonly versions: Readonly<Record<string, string>>;
  readonly hooks: readonly HookFinding[];
  /** Our plug-in in the agents that have it. */
  readonly plugIns: PlugInFindings;
  /** The Node that the hooks run with; `undefined` when they find none. */
  readonly hookNode: string | undefined;
  /** What the log of the hooks holds of the last day; absent when that is nothing. */
  readonly hookLog: HookComplaints | undefined;
  /** Context files that the gate cannot show. */
  readonly unshown: readonly UnshownFile[];
  /** The newest matching result of `foreword verify` for each agent. */
  readonly measured: readonly VersionMeasurement[];
  /** Its version, or why sessions cannot run in it. */
  readonly tmux: string;
  /** Whether a terminal of our own can be opened. */
  readonly terminal: string;
  /** Each a sentence: what this system lacks. Nothing can be done about it, so it is no problem. */
  readonly absences: readonly string[];
  /** Each with its fix; empty when a run has all it needs. */
  readonly problems: readonly string[];
}

/** What is known of our hooks in one file of an agent. */
export interface HookFinding {
  readonly agent: string;
  readonly title: string;
  readonly file: string;
  readonly state: 'in place' | 'absent' | 'stale' | 'changed by hand' | 'unreadable';
  readonly detail?: string;
  readonly cure?: string;
  /** Whether the agent will run them; absent for an agent that does not ask. */
  readonly trust?: string;
  /** Its events at which nobody can see that it lost a text of ours. */
  readonly unseen?: readonly string[];
  /** How many were run, and those that did not do their work. */
  readonly ran?: number;
  readonly faults?: readonly { readonly event: string; readonly why: string }[];
}

export interface UnshownFile {
  readonly path: string;
  readonly reason: string;
}

export interface VersionMeasurement extends Measurement {
  /** Another version is installed now. */
  readonly isStale: boolean;
}

/** What was found on the machine. */
export interface ExaminedMachine extends Omit<Findings, 'store' | 'sandbox' | 'agents' | 'problems'> {
  readonly store: Durability | { readonly problem: string };
  readonly sandbox: SandboxFinding;
  readonly installed: ReadonlySet<string>;
  readonly lineup: readonly string[];
}

export function findingsOf(machine: ExaminedMachine): Findings {
  const {
    store,
    state,
    sandbox,
    box,
    installed,
    versions,
    hooks,
    plugIns,
    hookNode,
    hookLog,
    unshown,
    measured,
    tmux,
    terminal,
    absences,
  } = machine;
  return {
    store: 'problem' in store ? { kind: 'unknown', level: 'unknown', detail: store.problem } : store,
    state,
    sandbox: sandbox.kind === 'ready' ? sandbox.sandbox.level : `none: ${sandbox.reason}`,
    box,
    agents: [...installed].sort(),
    versions,
    hooks,
    plugIns,
    hookNode,
    hookLog,
    unshown,
    measured,
    tmux,
    terminal,
    absences,
    problems: problemsOf(machine),
  };
}

function problemsOf({
  installed,
  lineup,
  sandbox,
  store,
  hooks,
  plugIns,
  hookNode,
  unshown,
}: ExaminedMachine): readonly string[] {
  const hasHooks = hooks.some(({ state }) => state === 'in place');
  return [
    ...(lineup.some((name) => installed.has(name))
      ? []
      : [`No agent of the lineup (${lineup.join(', ')}) is installed. Install one, or set lineup.`]),
    ...(sandbox.kind === 'missing' ? [`Criteria without a check cannot be verified. ${sandbox.hint}`] : []),
    ...('problem' in store ? [store.problem] : []),
    ...(hasHooks && hookNode === undefined
      ? ['The hooks find no Node, so they do nothing. Run foreword init again.']
      : []),
    ...hooks.filter(({ state }) => state !== 'in place' && state !== 'absent').map(brokenHook),
    ...hooks.flatMap(untrustedHook),
    ...hooks.filter(({ state, cure }) => state === 'in place' && cure !== undefined).flatMap(switchedOffHook),
    ...hooks.flatMap(failedHook),
    ...plugInProblems(plugIns),
    ...unshown.map(
      ({ path, reason }) => `${path} cannot be shown to agents: ${reason} Fix the file, or take it out of gate.files.`,
    ),
  ];
}

const UNTRUSTED: Readonly<Record<string, string>> = {
  'waits for review': 'does not run our hooks yet: it asks you to trust them the next time it starts.',
  modified: 'does not run our hooks: they changed since you trusted them. It asks again the next time it starts.',
  disabled: 'does not run one of our hooks or more: you disabled it there. Enable it in /hooks.',
  'folder not trusted':
    'does not run the hooks of this project: you have not trusted its folder there. Start it here and trust the folder.',
  off: 'runs no hooks: they are switched off in its settings.',
};

function untrustedHook({ title, trust = '' }: HookFinding): readonly string[] {
  const why = UNTRUSTED[trust];
  return why === undefined ? [] : [`${title} ${why}`];
}

function switchedOffHook({ title, file, detail, cure }: HookFinding): readonly string[] {
  return detail === undefined ? [] : [`Hooks of ${title} (${file}): ${detail}. ${cure ?? ''}`];
}

/** Several with one reason are one problem. */
function failedHook({ title, file, faults = [] }: HookFinding): readonly string[] {
  const [first] = faults;
  if (first === undefined) return [];
  const more = faults.length === 1 ? '' : `, and ${faults.length - 1} more`;
  return [`Hooks of ${title} (${file}) do not work: ${first.event}: ${first.why}${more}. Run foreword init again.`];
}

function brokenHook({ title, file, detail, state, cure }: HookFinding): string {
  return `Hooks of ${title} (${file}): ${detail ?? state}. ${cure ?? ''}`.trim();
}
