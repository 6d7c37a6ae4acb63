// Looks up what doctor reports: versions of agents and tmux, the store, the sandbox, a terminal, hooks. Each probe is
// independent: one that fails is a finding and does not stop the others.

import { execFile } from 'node:child_process';
import type { Agent } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import { asError } from '../kernel/errors.ts';
import type { Durability } from '../kernel/stores.ts';
import type { Terminal, TerminalStart } from '../kernel/terminal.ts';
import type { SandboxFinding } from '../runs/sandboxes/sandbox.ts';
import type { Environment } from '../system/environment.ts';
import type { StateFinding } from '../system/files/gone-state.ts';
import { personState } from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { childEnvironment } from '../system/processes/environment.ts';
import { findProgram, pathOutside } from '../system/processes/find-program.ts';
import { versionOfProgram } from '../system/processes/program-version.ts';
import type { BoxFinding } from './box-finding.ts';
import { type Findings, findingsOf, type HookFinding, type UnshownFile, type VersionMeasurement } from './doctor.ts';
import { recentComplaints } from './hook-log.ts';
import type { PlugInFindings } from './plug-in-rows.ts';

export interface ExamineRequest {
  readonly root: string;
  readonly lineup: readonly string[];
  readonly env: Environment;
  readonly agents: readonly Agent[];
  /** Names of the agents whose program is there. */
  readonly installed: ReadonlySet<string>;
  readonly stateFolder: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Lookups in other folders, passed in by app/. */
export interface ExamineProbes {
  sandbox(): Promise<SandboxFinding>;
  box(): Promise<BoxFinding>;
  /** May throw. */
  store(): Promise<Durability>;
  /** Where state lies. May throw. */
  state(): StateFinding;
  /** Runs each of them once. */
  hooks(): Promise<readonly HookFinding[]>;
  plugIns(): Promise<PlugInFindings>;
  /** Those that the gate cannot show. */
  contextFiles(): readonly UnshownFile[];
  /** The Node that hooks will run with. */
  hookNode(): string | undefined;
  /** `versions`: what each agent printed for --version. */
  measured(versions: Readonly<Record<string, string>>): readonly VersionMeasurement[];
  /** What this system lacks. */
  absences(): readonly string[];
  /** Throws where the native part is not there for this platform. */
  openTerminal(start: TerminalStart): Promise<Pick<Terminal, 'onExit'>>;
}

/** An agent that starts slowly prints its version within this. */
const VERSION_MS = 8000;

export async function examine(request: ExamineRequest, probes: ExamineProbes): Promise<Findings> {
  const { installed, lineup } = request;
  const [sandbox, box, versions, tmux, terminal, hooks, plugIns] = await Promise.all([
    probes.sandbox(),
    probes.box(),
    versionsOf(request),
    tmuxVersion(request),
    terminalState(probes),
    probes.hooks(),
    probes.plugIns(),
  ]);
  const [store, state] = [await storeState(probes), stateFound(probes)];
  const [hookNode, measured, unshown] = [probes.hookNode(), probes.measured(versions), probes.contextFiles()];
  const log = readTextFile(personState(request.stateFolder).hookLog);
  const hookLog = log.kind === 'text' ? recentComplaints(log.text, request.clock.now()) : undefined;
  const absences = probes.absences();
  return findingsOf({
    installed,
    lineup,
    sandbox,
    box,
    versions,
    tmux,
    terminal,
    store,
    state,
    hooks,
    plugIns,
    hookNode,
    hookLog,
    unshown,
    measured,
    absences,
  });
}

async function storeState(probes: ExamineProbes): Promise<Durability | { readonly problem: string }> {
  try {
    return await probes.store();
  } catch (error) {
    const { message, hint } = asError(error);
    return { problem: [message, hint].filter((part) => part !== undefined).join(' ') };
  }
}

/** What is wrong with the state folder is found with the store. */
function stateFound(probes: ExamineProbes): StateFinding {
  try {
    return probes.state();
  } catch {
    return { gone: [] };
  }
}

async function versionsOf(request: ExamineRequest): Promise<Readonly<Record<string, string>>> {
  const agents = request.agents.filter(({ name }) => request.installed.has(name));
  const found = await Promise.all(
    agents.map(async (agent): Promise<[string, string]> => {
      const program = programOf(agent.oneshot?.command[0] ?? '', request);
      if (program === undefined) return [agent.name, 'unknown'];
      // Some write into their home before they print anything.
      const known = versionOfProgram(program);
      const env = ownEnvironment(request, agent.env);
      return [agent.name, known ?? (await firstLine(program, ['--version'], env))];
    }),
  );
  return Object.fromEntries(found);
}

async function tmuxVersion(request: ExamineRequest): Promise<string> {
  const program = programOf('tmux', request);
  if (program === undefined) return 'not installed: --tmux and --detach need it';
  return firstLine(program, ['-V'], ownEnvironment(request, []));
}

/** Asking for a version must not run the repository's own interpreter. */
function ownEnvironment({ env, root }: ExamineRequest, names: readonly string[]): Record<string, string> {
  return childEnvironment({ base: { ...env, PATH: pathOutside({ path: env.PATH ?? '', cwd: root }) }, names });
}

function programOf(name: string, { env, root }: ExamineRequest): string | undefined {
  return findProgram(name, { path: env.PATH ?? '', cwd: root });
}

async function terminalState({ openTerminal }: ExamineProbes): Promise<string> {
  try {
    const command = ['/bin/sh', '-c', ':'] as const;
    const terminal = await openTerminal({ command, cwd: '/', env: { TERM: 'dumb' }, size: { cols: 80, rows: 24 } });
    await new Promise<void>((resolve) => terminal.onExit(() => resolve()));
    return 'works';
  } catch (error) {
    return `cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The first line that the program prints; `unknown` when there is none, or it takes too long. */
function firstLine(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, [...args], { cwd: '/', env, timeout: VERSION_MS, maxBuffer: 64 * 1024 }, (_error, stdout) => {
      const [line = ''] = stdout.trim().split('\n');
      resolve(line === '' ? 'unknown' : line.slice(0, 80));
    });
  });
}
