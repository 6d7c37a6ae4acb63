// Doctor: what was found on a machine, and one sentence with a fix for each thing that a run or a hook lacks. Pure;
// examine.ts looks at the machine.

import type { Durability } from '../kernel/stores.ts';
import type { SandboxFinding } from '../runs/sandboxes/sandbox.ts';
import type { StateFinding } from '../system/files/gone-state.ts';
import type { Measurement } from '../verify/measurement.ts';

export interface Findings {
  /** `unknown` where it cannot be opened; `detail` has the reason. */
  readonly store: Durability | Readonly<Record<'kind' | 'level', 'unknown'> & { detail: string }>;
  readonly state: StateFinding;
  readonly sandbox: string;
  readonly agents: readonly string[];
  /** What each of them prints for --version; `unknown` when it prints nothing in time. */
  readonly versions: Readonly<Record<string, string>>;
  readonly hooks: readonly HookFinding[];
  /** The Node that the hooks run with; `undefined` when they find none. */
  readonly hookNode: string | undefined;
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
  const { store, state, sandbox, installed, versions, hooks, hookNode, measured, tmux, terminal, absences } = machine;
  return {
    store: 'problem' in store ? { kind: 'unknown', level: 'unknown', detail: store.problem } : store,
    state,
    sandbox: sandbox.kind === 'ready' ? sandbox.sandbox.level : `none: ${sandbox.reason}`,
    agents: [...installed].sort(),
    versions,
    hooks,
    hookNode,
    measured,
    tmux,
    terminal,
    absences,
    problems: problemsOf(machine),
  };
}

function problemsOf({ installed, lineup, sandbox, store, hooks, hookNode }: ExaminedMachine): readonly string[] {
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
    ...hooks
      .filter(({ trust }) => trust === 'waits for review')
      .map(({ title }) => `${title} does not run our hooks yet: it asks you to trust them the next time it starts.`),
  ];
}

function brokenHook({ title, file, detail, state, cure }: HookFinding): string {
  return `Hooks of ${title} (${file}): ${detail ?? state}. ${cure ?? ''}`.trim();
}
