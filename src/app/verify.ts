// Joins `foreword verify` to what is real: the agents of this machine, their recipes, the loopback model, a network
// namespace, and the file in which results are kept.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AGENTS } from '../agents/index.ts';
import { DIALECTS } from '../hooks/dialects.ts';
import type { Agent, Interactive } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import { environment } from '../system/environment.ts';
import { stateFolder } from '../system/files/project-state.ts';
import type { Arrival } from '../verify/arrival.ts';
import { hasLoopbackOnly, inNamespace } from '../verify/lab/namespace.ts';
import { recipeFor, recipes } from '../verify/lab/recipe.ts';
import { measureAgent } from '../verify/measure.ts';
import type { Measurement, Tried } from '../verify/measurement.ts';
import { type AgentProgram, findAgents } from '../verify/programs.ts';
import { keepResults, knownProgram } from '../verify/results.ts';

export interface VerifyRequest {
  /** All that are found when empty. */
  readonly agents: readonly string[];
  readonly isKept: boolean;
  /** Go on where the system cannot keep the agents off the network. */
  readonly allowsNetwork: boolean;
  readonly note: (text: string) => void;
  readonly progress: Progress;
}

/** What happens, for whoever watches. */
export interface Progress {
  /** `version` is missing while it is asked for. */
  agent(name: string, version: string | undefined): void;
  trying(tried: readonly Tried[]): void;
  arrived(name: string, tried: Tried, arrival: Arrival): void;
}

export interface Verified {
  readonly measurements: readonly Measurement[];
  /** Whether the agents could reach nothing but loopback. */
  readonly isIsolated: boolean;
  /** Where the scratch folders are, when they are kept. */
  readonly kept?: string;
  readonly isInterrupted: boolean;
}

type Drivable = Agent & { readonly interactive: Interactive };

/** A status when everything was done by a second process inside a network of its own; the results otherwise. Throws
 *  `bad-usage` for a name nobody knows or can run, `missing-program` where no agent, or no namespace, is there. */
export async function verify(request: VerifyRequest): Promise<number | Verified> {
  const wanted = request.agents.length === 0 ? recipes.map(({ agent }) => agent) : [...new Set(request.agents)];
  const agents = wanted.map(drivable);
  const found = programsOf(agents);
  const missing = request.agents.filter((name) => !found.some(({ agent }) => agent === name));
  if (found.length === 0 || missing.length > 0) throw notInstalled(missing);
  const isIsolated = isInside();
  if (!isIsolated) {
    const namespace = inNamespace();
    if (namespace.isAvailable) return runInside(namespace.wrap([process.execPath, ...ownWords()]));
    if (!request.allowsNetwork) throw noNamespace(namespace.reason);
    request.note(
      `the agents can reach the network: ${namespace.reason}. Their settings lead to loopback and hold no key.`,
    );
  }
  return measureAll(request, agents, found, isIsolated);
}

async function measureAll(
  { isKept, progress, note }: VerifyRequest,
  agents: readonly Drivable[],
  found: readonly AgentProgram[],
  isIsolated: boolean,
): Promise<Verified> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-verify-')));
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const measurements: Measurement[] = [];
  try {
    for (const one of found) {
      const agent = agents.find(({ name }) => name === one.agent);
      if (agent === undefined || stopping.signal.aborted) continue;
      progress.agent(agent.name, undefined);
      const measurement = await measureAgent({
        agent,
        found: one,
        folder,
        command: [process.execPath, ...ownWords(1)],
        isKept,
        isOffered: (tried) => isOffered(agent, tried),
        signal: stopping.signal,
        onVersion: (version) => progress.agent(agent.name, version),
        onTrying: (tried) => progress.trying(tried),
        onArrival: (tried, arrival) => progress.arrived(agent.name, tried, arrival),
      });
      measurements.push(measurement);
      // Half a measurement would stand for a whole one.
      if (!stopping.signal.aborted) keep(measurement, one, note);
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop);
    if (!isKept) await removeForGood(folder);
  }
  const isInterrupted = stopping.signal.aborted;
  return { measurements, isIsolated, isInterrupted, ...(isKept ? { kept: folder } : {}) };
}

function keep(measurement: Measurement, { program }: AgentProgram, note: (text: string) => void): void {
  const { agent, version } = measurement;
  const known = knownProgram(agent, version, program);
  const programs = known === undefined ? [] : [known];
  try {
    const aside = keepResults(stateFolder(environment(), homedir()), { measurements: [measurement], programs });
    if (aside !== undefined) note(`the results kept so far could not be read; they are now ${aside}`);
  } catch (error) {
    note(`the results are not kept: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A hook that an agent started when it ended writes into its home a moment later. */
const STRAGGLER_MS = 2500;

async function removeForGood(folder: string): Promise<void> {
  for (const end = Date.now() + STRAGGLER_MS; Date.now() < end; await sleep(250))
    if (existsSync(folder)) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** What we use with this agent. */
function isOffered(agent: Drivable, tried: Tried): boolean {
  const { ladder, launch } = agent.interactive;
  const dialect = DIALECTS[agent.name];
  switch (tried) {
    case 'hook-session-start':
      return dialect?.events['session-start'] !== undefined;
    case 'hook-prompt':
      return dialect?.events.prompt !== undefined;
    case 'hook-first-tool':
      return dialect !== undefined && dialect.events[dialect.gate] !== undefined;
    case 'start-hook':
      return ladder.includes('hook') && launch?.hook !== undefined;
    case 'start-flag':
      return ladder.includes('flag') && launch?.prompt !== undefined;
    case 'start-typed':
      return ladder.includes('typed');
    case 'file':
      return ladder.includes('file');
  }
}

function drivable(name: string): Drivable {
  const agent = AGENTS.find((one) => one.name === name);
  const able = recipes.map((recipe) => recipe.agent);
  if (agent?.interactive !== undefined && recipeFor(name) !== undefined)
    return { ...agent, interactive: agent.interactive };
  if (agent !== undefined)
    throw new ForewordError('bad-usage', `${name} cannot be run against a model of ours.`, {
      hint: `These can: ${able.join(', ')}.`,
    });
  const meant = nearest(name, able);
  throw new ForewordError('bad-usage', `There is no agent "${name}".`, {
    hint: meant === undefined ? `There are ${able.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

function programsOf(agents: readonly Drivable[]): readonly AgentProgram[] {
  const env = environment();
  const lab = env.FOREWORD_LAB;
  return findAgents(
    agents.map(({ name, interactive }) => ({ agent: name, name: interactive.command[0] })),
    { path: env.PATH ?? '', cwd: process.cwd(), lab: lab !== undefined && isAbsolute(lab) ? lab : undefined },
  );
}

function notInstalled(missing: readonly string[]): ForewordError {
  const able = recipes.map(({ agent }) => agent).join(', ');
  const what = missing.length === 0 ? 'No agent that can be verified is' : `${missing.join(', ')} is not`;
  return new ForewordError('missing-program', `${what} installed: it is not on the PATH.`, {
    hint: `Verified can be ${able}. FOREWORD_LAB names a folder with agents besides those of the PATH.`,
  });
}

function noNamespace(reason: string): ForewordError {
  return new ForewordError(
    'missing-program',
    `Agents are started without network only, and this cannot be had: ${reason}.`,
    {
      hint: 'With --allow-network they are started all the same; their settings lead to loopback and hold no key.',
    },
  );
}

function isInside(): boolean {
  try {
    return hasLoopbackOnly();
  } catch {
    // No such table: this is no Linux.
    return false;
  }
}

/** How this program was started, without Node itself; `count` of its words. */
function ownWords(count = Number.POSITIVE_INFINITY): readonly string[] {
  return [...process.execArgv, ...process.argv.slice(1, 1 + count)];
}

/** The same again inside. What ends it from the terminal reaches it too; it cleans up, and we wait for that. */
async function runInside([program, ...args]: readonly [string, ...string[]]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  const stay = (): void => undefined;
  process.on('SIGINT', stay);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (status, signal) => resolve(status ?? (signal === 'SIGINT' ? 130 : 1)));
    });
  } finally {
    process.off('SIGINT', stay);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, pass);
  }
}
