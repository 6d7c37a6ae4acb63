// What `foreword doctor` finds: real levels, tested where they can be tested, and what would mend what is missing.

import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import type { Agent } from '../kernel/agent.ts';
import { asError } from '../kernel/errors.ts';
import type { Durability } from '../kernel/stores.ts';
import { findSandbox } from '../runs/sandboxes/index.ts';
import { environment } from '../system/environment.ts';
import { stateFolder } from '../system/files/state-folder.ts';
import { childEnvironment } from '../system/processes/environment.ts';
import { findProgram } from '../system/processes/find-program.ts';
import { runProcess } from '../system/processes/run-process.ts';
import { type Measurement, versionIn } from '../verify/measurement.ts';
import { type KnownProgram, keepResults, knownProgram, readResults } from '../verify/results.ts';
import { checkInstalled, type InstalledHooks, nodeOfHooks } from './install.ts';
import type { Project } from './project.ts';
import { agentsOf, installedAgents } from './run.ts';

export interface Findings {
  /** `unknown` where it cannot be opened; the detail says why. */
  readonly store: Durability | Readonly<Record<'kind' | 'level', 'unknown'> & { detail: string }>;
  readonly sandbox: string;
  readonly agents: readonly string[];
  /** What each of them answers to --version; `unknown` when it answers nothing in time. */
  readonly versions: Readonly<Record<string, string>>;
  readonly hooks: readonly InstalledHooks[];
  /** What they run with; `undefined` when they find none. */
  readonly hookNode: string | undefined;
  /** What `foreword verify` found out about each of them, the newest that fits. */
  readonly measured: readonly Measured[];
  /** Its version, or why sessions cannot run in it. */
  readonly tmux: string;
  /** Whether a terminal of our own can be opened. */
  readonly terminal: string;
  /** Each with its cure; empty when a run has all it needs. */
  readonly problems: readonly string[];
}

export interface Measured extends Measurement {
  /** Another version is installed now. */
  readonly isStale: boolean;
}

/** An agent that starts slowly says its version within this. */
const VERSION_MS = 8000;

export async function examine(project: Project): Promise<Findings> {
  const { level, readOnly } = project.config.sandbox;
  const agents = agentsOf(project);
  const installed = installedAgents(agents, project.root);
  const [finding, versions, tmux, terminal] = await Promise.all([
    findSandbox({
      level,
      readOnly,
      run: runProcess,
      searchPath: environment().PATH ?? '',
      workTree: project.root,
    }),
    versionsOf(
      agents.filter((agent) => installed.has(agent.name)),
      project.root,
    ),
    tmuxVersion(project.root),
    terminalState(),
  ]);
  const usable = project.config.lineup.filter((name) => installed.has(name));
  const store = await storeOf(project);
  const hooks = checkInstalled({ cwd: project.cwd });
  const hookNode = nodeOfHooks({ cwd: project.cwd });
  const measured = measuredOf(agents, versions, project.root);
  return {
    store: 'problem' in store ? { kind: 'unknown', level: 'unknown', detail: store.problem } : store,
    sandbox: finding.kind === 'ready' ? finding.sandbox.level : `none: ${finding.reason}`,
    agents: [...installed].sort(),
    versions,
    hooks,
    hookNode,
    measured,
    tmux,
    terminal,
    problems: [
      ...(usable.length === 0
        ? [`No agent of the lineup (${project.config.lineup.join(', ')}) is installed. Install one, or set lineup.`]
        : []),
      ...(finding.kind === 'missing' ? [`Criteria without a check cannot be verified. ${finding.hint}`] : []),
      ...('problem' in store ? [store.problem] : []),
      ...(hookNode === undefined && hooks.some((one) => one.state === 'in place')
        ? ['The hooks find no Node, so they say nothing. Run foreword init again.']
        : []),
      ...hooks.flatMap((one) => {
        const isWrong = one.state !== 'in place' && one.state !== 'absent';
        return isWrong
          ? [`Hooks of ${one.title} (${one.file}): ${one.detail ?? one.state}. ${one.cure ?? ''}`.trim()]
          : [];
      }),
      ...hooks.flatMap((one) =>
        one.trust === 'waits for review'
          ? [`${one.title} does not run our hooks yet: it asks you to trust them the next time it starts.`]
          : [],
      ),
    ],
  };
}

/** A store that cannot be opened is a finding, not the end of the others. */
async function storeOf(project: Project): Promise<Durability | { readonly problem: string }> {
  try {
    return await (await project.readStores()).durability();
  } catch (error) {
    const { message, hint } = asError(error);
    return { problem: [message, hint].filter((part) => part !== undefined).join(' ') };
  }
}

async function versionsOf(agents: readonly Agent[], cwd: string): Promise<Readonly<Record<string, string>>> {
  const path = environment().PATH ?? '';
  const found = await Promise.all(
    agents.map(async (agent): Promise<[string, string]> => {
      const program = findProgram(agent.oneshot?.command[0] ?? '', { path, cwd });
      return [agent.name, program === undefined ? 'unknown' : await answerOf(program, ['--version'], agent.env)];
    }),
  );
  return Object.fromEntries(found);
}

/** For each installed agent the measurement of its version, else the newest of another one. A version that was just asked
 *  for is noted down, so that `foreword start` need not ask. */
function measuredOf(
  agents: readonly Agent[],
  versions: Readonly<Record<string, string>>,
  cwd: string,
): readonly Measured[] {
  const folder = stateFolder(environment(), homedir());
  const results = readResults(folder);
  const path = environment().PATH ?? '';
  const found = agents.flatMap((agent): { readonly one: Measured; readonly program: KnownProgram | undefined }[] => {
    const version = versionIn(versions[agent.name] ?? '');
    const own = results.measurements.filter((one) => one.agent === agent.name);
    const fits = own.find((one) => one.version === version);
    const newest = fits ?? own.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1);
    if (version === undefined || newest === undefined) return [];
    const program = findProgram(agent.interactive?.command[0] ?? '', { path, cwd });
    const known = program === undefined ? undefined : knownProgram(agent.name, version, program);
    return [{ one: { ...newest, isStale: fits === undefined }, program: known }];
  });
  const fresh = found.flatMap(({ program }) =>
    program === undefined || results.programs.some((one) => isSameProgram(one, program)) ? [] : [program],
  );
  try {
    if (fresh.length > 0) keepResults(folder, { programs: fresh });
  } catch {
    // A note for later; doctor says what it found all the same.
  }
  return found.map(({ one }) => one);
}

function isSameProgram(one: KnownProgram, other: KnownProgram): boolean {
  return one.agent === other.agent && one.path === other.path && one.print === other.print;
}

async function tmuxVersion(cwd: string): Promise<string> {
  const program = findProgram('tmux', { path: environment().PATH ?? '', cwd });
  if (program === undefined) return 'not installed: --tmux and --detach need it';
  return answerOf(program, ['-V'], []);
}

/** The native part is there for some platforms only. */
async function terminalState(): Promise<string> {
  try {
    const { openPty } = await import('../terminals/pty/pty.ts');
    const command = ['/bin/sh', '-c', ':'] as const;
    const terminal = await openPty({ command, cwd: '/', env: { TERM: 'dumb' }, size: { cols: 80, rows: 24 } });
    await new Promise<void>((resolve) => terminal.onExit(() => resolve()));
    return 'works';
  } catch (error) {
    return `cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function answerOf(program: string, args: readonly string[], names: readonly string[]): Promise<string> {
  const env = childEnvironment({ base: environment(), names });
  return new Promise((resolve) => {
    execFile(program, [...args], { env, timeout: VERSION_MS, maxBuffer: 64 * 1024 }, (_error, stdout) => {
      const [line = ''] = stdout.trim().split('\n');
      resolve(line === '' ? 'unknown' : line.slice(0, 80));
    });
  });
}
