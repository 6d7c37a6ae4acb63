// Measures one agent: its version, then one trial after the other, each in its own workspace.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { AgentNotReady } from './agent-driver.ts';
import type { Arrival } from './arrival.ts';
import type { DrivableAgent } from './choose-agents.ts';
import { type Recipe, recipeFor } from './lab/recipe.ts';
import { makeScratch } from './lab/scratch.ts';
import { type Measurement, type Tried, versionIn } from './measurement.ts';
import type { AgentProgram } from './programs.ts';
import { type TrialPorts, TrialWorkspace } from './trial-workspace.ts';
import { type ReportArrival, TRIALS, type Trial } from './trials.ts';

export interface MeasureOptions {
  readonly agent: DrivableAgent;
  readonly found: AgentProgram;
  /** Made for its scratches, and used for nothing else. */
  readonly folder: string;
  /** The words that run foreword. */
  readonly command: readonly [string, ...string[]];
  readonly isKept: boolean;
  readonly isOffered: (tried: Tried) => boolean;
  readonly ports: TrialPorts;
  /** When aborted, no further trial begins, and the running one ends with its agent. */
  readonly signal: AbortSignal;
  readonly onVersion: (version: string) => void;
  readonly onTrying: (tried: readonly Tried[]) => void;
  readonly onArrival: (tried: Tried, arrival: Arrival) => void;
}

const VERSION_MS = 20_000;

export async function measureAgent(options: MeasureOptions): Promise<Measurement> {
  const { agent, signal, isOffered } = options;
  const recipe = recipeFor(agent.name);
  if (recipe === undefined) throw new Error(`there is no recipe for ${agent.name}`);
  const version = await versionOf(options, recipe);
  options.onVersion(version);
  const arrivals: Partial<Record<Tried, Arrival>> = {};
  const keep = (tried: Tried, arrival: Arrival): void => {
    arrivals[tried] = arrival;
    options.onArrival(tried, arrival);
  };
  for (const trial of TRIALS) {
    const wanted = trial.tries.filter(isOffered);
    for (const tried of trial.tries) if (!isOffered(tried)) keep(tried, { kind: 'not offered' });
    if (wanted.length === 0 || signal.aborted) continue;
    options.onTrying(wanted);
    const report = (tried: Tried, arrival: Arrival): void => {
      if (isOffered(tried)) keep(tried, arrival);
    };
    const reason = await attempt(options, { recipe, trial }, report);
    if (signal.aborted) break;
    for (const tried of wanted)
      if (arrivals[tried] === undefined) keep(tried, { kind: 'not measured', reason: reason ?? 'it was not tried' });
  }
  return { agent: agent.name, version, at: new Date(options.ports.clock.now()).toISOString(), arrivals };
}

/** Why the trial could not be completed; `undefined` when it was. */
async function attempt(
  options: MeasureOptions,
  { recipe, trial }: { readonly recipe: Recipe; readonly trial: Trial },
  report: ReportArrival,
): Promise<string | undefined> {
  const { agent, found, command, isKept, signal, ports } = options;
  const folder = join(options.folder, `${agent.name}-${TRIALS.indexOf(trial) + 1}`);
  const { program, path } = found;
  const workspace = await TrialWorkspace.open({ agent, recipe, program, path, folder, command, isKept, ports });
  const close = once(() => workspace.close());
  const stop = (): void => void close().catch(() => undefined);
  signal.addEventListener('abort', stop);
  try {
    await trial.run(workspace, report);
    return undefined;
  } catch (error) {
    if (error instanceof AgentNotReady) return `${agent.name} ${error.message}`;
    return error instanceof Error ? error.message : String(error);
  } finally {
    signal.removeEventListener('abort', stop);
    await close();
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** In a scratch too: some agents write into their home before they print anything. */
async function versionOf(options: MeasureOptions, recipe: Recipe): Promise<string> {
  const { found, folder, agent } = options;
  const scratch = makeScratch(recipe, {
    folder: join(folder, `${agent.name}-version`),
    modelUrl: 'http://127.0.0.1:9',
    path: found.path,
  });
  try {
    const answer = await new Promise<string>((resolve) => {
      const limits = { cwd: scratch.project, env: scratch.env, timeout: VERSION_MS, maxBuffer: 64 * 1024 };
      execFile(found.program, ['--version'], limits, (_error, stdout, stderr) => resolve(stdout || stderr));
    });
    return versionIn(answer) ?? 'unknown';
  } finally {
    await scratch.remove();
  }
}
