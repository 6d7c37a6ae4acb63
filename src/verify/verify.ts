// `foreword verify`: chooses the agents, makes sure that they cannot reach the network, measures one after the other, and
// stores the results for this person.

import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { HOOKS } from '../agents/hooks.ts';
import type { Clock } from '../kernel/clock.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { Environment } from '../system/environment.ts';
import type { Arrival } from './arrival.ts';
import { chooseAgents, type DrivableAgent, isOffered, requireInstalled } from './choose-agents.ts';
import type { Isolation } from './isolation.ts';
import type { MeasureOptions } from './measure.ts';
import type { Measurement, Tried } from './measurement.ts';
import { type AgentProgram, findAgents } from './programs.ts';
import { keepResults, knownProgram } from './results.ts';
import type { TrialPorts } from './trial-workspace.ts';

export interface VerifyRequest {
  /** When empty, all that are found. */
  readonly agents: readonly string[];
  readonly isKept: boolean;
  /** Try the hooks of `foreword init` alone, for at most 30 s each agent; the results are not stored. */
  readonly isQuick?: boolean;
  /** Continue when the system cannot keep the agents off the network. */
  readonly allowsNetwork: boolean;
  readonly note: (text: string) => void;
  readonly progress: VerifyProgress;
}

/** Progress, for the person who waits. */
export interface VerifyProgress {
  /** `version` is `undefined` until it is known. */
  agent(name: string, version: string | undefined): void;
  cannotStart(name: string, why: string): void;
  /** Nothing more of it is tried. */
  givenUp(why: string): void;
  trying(tried: readonly Tried[]): void;
  arrived(name: string, tried: Tried, arrival: Arrival): void;
}

export interface Verified {
  readonly measurements: readonly Measurement[];
  /** Whether the agents could reach only loopback. */
  readonly isIsolated: boolean;
  /** Where the scratch folders are, when they are kept. */
  readonly kept?: string;
  readonly isInterrupted: boolean;
}

/** Facts about this process, and ports of other features. */
export interface VerifyHost {
  readonly env: Environment;
  readonly cwd: string;
  readonly stateFolder: string;
  /** The words that run foreword, and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly args: readonly string[];
  readonly isolation: Isolation;
  readonly ports: TrialPorts;
  measure(options: MeasureOptions): Promise<Measurement>;
}

/** Returns an exit code when a second process in its own network namespace did everything; otherwise the results. Throws
 *  `bad-usage` for an unknown or unsupported agent, `missing-program` without an agent or without namespaces. */
export async function verifyAgents(request: VerifyRequest, host: VerifyHost): Promise<number | Verified> {
  const agents = chooseAgents(request.agents);
  const found = programsOf(agents, host);
  requireInstalled(request.agents, found);
  const isIsolated = await isolate(request, host);
  if (typeof isIsolated === 'number') return isIsolated;
  const measured = await untilStopped((signal) => measureAll({ request, host, agents, found, signal }));
  return { ...measured, isIsolated };
}

/** Whether this process can reach only loopback; an exit code when another one, which can, did everything. */
export async function isolate(
  request: Pick<VerifyRequest, 'allowsNetwork' | 'note'>,
  { isolation, command, args }: Pick<VerifyHost, 'isolation' | 'command' | 'args'>,
): Promise<number | boolean> {
  if (isolation.isInside()) return true;
  const namespace = isolation.namespace();
  if (namespace.isAvailable) return isolation.run(namespace.wrap([...command, ...args]));
  if (!request.allowsNetwork) throw noNamespace(namespace.reason);
  request.note(
    `the agents can reach the network: ${namespace.reason}. Their settings point to loopback and hold no API key.`,
  );
  return false;
}

export function programsOf(
  agents: readonly DrivableAgent[],
  { env, cwd }: Pick<VerifyHost, 'env' | 'cwd'>,
): readonly AgentProgram[] {
  const lab = env.FOREWORD_LAB;
  return findAgents(
    agents.map(({ name, interactive }) => ({ agent: name, name: interactive.command[0] })),
    { path: env.PATH ?? '', cwd, lab: lab !== undefined && isAbsolute(lab) ? lab : undefined },
  );
}

function noNamespace(reason: string): ForewordError {
  return new ForewordError(
    'missing-program',
    `Nothing was measured: foreword verify starts agents only without network, which is not possible here: ${reason}.`,
    {
      hint: 'Use --allow-network to start them anyway; their settings point to loopback and hold no API key.',
    },
  );
}

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first signal that would end this process aborts the work, which then cleans up. */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  for (const signal of STOPPING) process.on(signal, stop);
  try {
    return await work(stopping.signal);
  } finally {
    for (const signal of STOPPING) process.off(signal, stop);
  }
}

interface Measuring {
  readonly request: VerifyRequest;
  readonly host: VerifyHost;
  readonly agents: readonly DrivableAgent[];
  readonly found: readonly AgentProgram[];
  readonly signal: AbortSignal;
}

async function measureAll(measuring: Measuring): Promise<Omit<Verified, 'isIsolated'>> {
  const { request, host, signal } = measuring;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-verify-')));
  const measurements: Measurement[] = [];
  try {
    for (const one of measuring.found) {
      const agent = measuring.agents.find(({ name }) => name === one.agent);
      if (agent === undefined || signal.aborted) continue;
      const measurement = await measureOne(measuring, agent, { found: one, folder });
      measurements.push(measurement);
      // Half a measurement would be taken for a whole one.
      if (!signal.aborted && request.isQuick !== true) keep(measurement, one.program, measuring);
    }
  } finally {
    if (!request.isKept) await removeForGood(folder, host.ports.clock);
  }
  return { measurements, isInterrupted: signal.aborted, ...(request.isKept ? { kept: folder } : {}) };
}

function measureOne(
  { request: { isKept, isQuick, progress }, host, signal }: Measuring,
  agent: DrivableAgent,
  where: Pick<MeasureOptions, 'found' | 'folder'>,
): Promise<Measurement> {
  progress.agent(agent.name, undefined);
  return host.measure({
    ...where,
    agent,
    command: host.command,
    isKept,
    isQuick: isQuick === true,
    isOffered: (tried) => isOffered(agent, HOOKS[agent.name], tried),
    ports: host.ports,
    signal,
    onVersion: (version) => progress.agent(agent.name, version),
    onCannotStart: (why) => progress.cannotStart(agent.name, why),
    onGivenUp: (why) => progress.givenUp(why),
    onTrying: (tried) => progress.trying(tried),
    onArrival: (tried, arrival) => progress.arrived(agent.name, tried, arrival),
  });
}

function keep(measurement: Measurement, program: string, { request: { note }, host }: Measuring): void {
  const known = knownProgram(measurement.agent, measurement.version, program);
  const programs = known === undefined ? [] : [known];
  try {
    const aside = keepResults(host.stateFolder, { measurements: [measurement], programs });
    if (aside !== undefined) note(`the earlier results could not be read; they were moved to ${aside}`);
  } catch (error) {
    note(`the results could not be stored: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A hook that an agent started when it exited may write into its home a moment later. */
const STRAGGLER_MS = 2500;
const LOOK_MS = 250;

async function removeForGood(folder: string, clock: Clock): Promise<void> {
  for (const end = clock.now() + STRAGGLER_MS; clock.now() < end; await clock.wait(LOOK_MS))
    if (existsSync(folder)) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
