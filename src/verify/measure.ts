// Measures one agent: its version, then one trial after the other, each in its own workspace.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { AgentCannotStart, AgentHangs, AgentNotReady } from './agent-driver.ts';
import type { Arrival } from './arrival.ts';
import type { DrivableAgent } from './choose-agents.ts';
import { keptIn } from './kept-steps.ts';
import { type Recipe, recipeFor } from './lab/recipe.ts';
import { makeScratch } from './lab/scratch.ts';
import {
  CANNOT_START,
  type CacheKept,
  type CacheReceipt,
  type Measurement,
  type Tried,
  versionIn,
} from './measurement.ts';
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
  /** Only the first trial, the hooks of `foreword init`, and no longer than `QUICK_MS`. */
  readonly isQuick?: boolean;
  readonly ports: TrialPorts;
  /** When aborted, no further trial begins, and the running one ends with its agent. */
  readonly signal: AbortSignal;
  readonly onVersion: (version: string) => void;
  /** Continues a sentence that begins with the agent's name. */
  readonly onCannotStart: (why: string) => void;
  /** Nothing more is tried; `why` is a sentence. */
  readonly onGivenUp: (why: string) => void;
  readonly onTrying: (tried: readonly Tried[]) => void;
  readonly onArrival: (tried: Tried, arrival: Arrival) => void;
}

/** Longer than any agent takes for --version on a busy machine; one that takes longer hangs. */
const VERSION_MS = 10_000;
/** Of `isQuick`, its version included: somebody waits for it at a terminal. */
export const QUICK_MS = 30_000;

export async function measureAgent(given: MeasureOptions): Promise<Measurement> {
  if (given.isQuick !== true) return measure(given, new AbortController().signal);
  const { clock } = given.ports;
  const [over, done] = [new AbortController(), new AbortController()];
  const counted = clock.wait(QUICK_MS, done.signal).then(() => {
    if (!done.signal.aborted) over.abort();
  });
  try {
    return await measure({ ...given, signal: AbortSignal.any([given.signal, over.signal]) }, over.signal);
  } finally {
    done.abort();
    await counted;
  }
}

/** `over`: aborted when the time for it is. */
async function measure(options: MeasureOptions, over: AbortSignal): Promise<Measurement> {
  const { agent, signal, isOffered } = options;
  const recipe = recipeFor(agent.name);
  if (recipe === undefined) throw new Error(`there is no recipe for ${agent.name}`);
  const asked = await askVersion(options, recipe);
  const { version } = asked;
  options.onVersion(version);
  const arrivals: Partial<Record<Tried, Arrival>> = {};
  const cache: Partial<Record<Tried, CacheReceipt>> = {};
  const keep = (tried: Tried, arrival: Arrival): void => {
    arrivals[tried] = arrival;
    options.onArrival(tried, arrival);
  };
  const measured = (): Measurement => {
    return { agent: agent.name, version, at: new Date(options.ports.clock.now()).toISOString(), arrivals, cache };
  };
  /** What is known stays. */
  const giveUp = (reason: string, of = TRIALS): Measurement => {
    for (const tried of of.flatMap(({ tries }) => tries))
      arrivals[tried] ??= isOffered(tried) ? { kind: 'not measured', reason } : { kind: 'not offered' };
    return measured();
  };
  const cannotStart = (why: string): Measurement => {
    options.onCannotStart(why);
    return giveUp(`${CANNOT_START}${agent.name} ${why}`);
  };
  if (asked.fault !== undefined) return cannotStart(asked.fault);
  const trials = options.isQuick === true ? TRIALS.slice(0, 1) : TRIALS;
  for (const trial of trials) {
    const wanted = trial.tries.filter(isOffered);
    for (const tried of trial.tries) if (!isOffered(tried)) keep(tried, { kind: 'not offered' });
    if (wanted.length === 0 || signal.aborted) continue;
    options.onTrying(wanted);
    const report = (tried: Tried, arrival: Arrival): void => {
      if (isOffered(tried)) keep(tried, arrival);
    };
    const { fault, kept } = await attempt(options, { recipe, trial }, report);
    if (kept !== undefined && trial.isOneConversation === true) {
      const without = await keptWithout(options, { recipe, trial });
      for (const tried of wanted) cache[tried] = without === undefined ? kept : { ...kept, without };
    }
    if (over.aborted || signal.aborted) break;
    const isKnown = Object.values(arrivals).some(({ kind }) => kind !== 'not offered' && kind !== 'not measured');
    if (fault instanceof AgentCannotStart && !isKnown) return cannotStart(fault.message);
    const said = fault?.message;
    const reason = fault instanceof AgentNotReady ? `${agent.name} ${said}` : said;
    if (fault instanceof AgentHangs && !isKnown && reason !== undefined) {
      options.onGivenUp(reason);
      return giveUp(reason);
    }
    for (const tried of wanted)
      if (arrivals[tried] === undefined) keep(tried, { kind: 'not measured', reason: reason ?? 'it was not tried' });
  }
  const isOpen = trials.some(({ tries }) => tries.some((tried) => arrivals[tried] === undefined));
  if (!over.aborted || !isOpen) return measured();
  const late = `took longer than ${QUICK_MS / 1000} s`;
  options.onGivenUp(late);
  return giveUp(late, trials);
}

/** What the same turns keep of one another without foreword: some seconds more. */
async function keptWithout(
  options: MeasureOptions,
  { recipe, trial }: { readonly recipe: Recipe; readonly trial: Trial },
): Promise<CacheKept | undefined> {
  const { without } = trial;
  if (without === undefined || options.isQuick === true || options.signal.aborted) return undefined;
  const bare = { recipe, trial: { ...trial, run: without }, name: `${TRIALS.indexOf(trial) + 1}-without` };
  return (await attempt(options, bare, () => undefined)).kept;
}

/** Why the trial could not be completed, or what its requests kept of one another when it was. */
async function attempt(
  options: MeasureOptions,
  {
    recipe,
    trial,
    name = `${TRIALS.indexOf(trial) + 1}`,
  }: { readonly recipe: Recipe; readonly trial: Trial; readonly name?: string },
  report: ReportArrival,
): Promise<{ readonly fault?: Error; readonly kept?: CacheKept }> {
  const { agent, found, command, isKept, signal, ports } = options;
  const folder = join(options.folder, `${agent.name}-${name}`);
  const { program, path } = found;
  const workspace = await TrialWorkspace.open({ agent, recipe, program, path, folder, command, isKept, ports });
  const close = once(() => workspace.close());
  const stop = (): void => void close().catch(() => undefined);
  signal.addEventListener('abort', stop);
  try {
    await trial.run(workspace, report);
    return { kept: keptIn(workspace.model.requests()) };
  } catch (error) {
    return { fault: error instanceof Error ? error : new Error(String(error)) };
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
export async function versionOf(options: VersionOptions, recipe: Recipe): Promise<string> {
  return (await askVersion(options, recipe)).version;
}

type VersionOptions = Pick<MeasureOptions, 'found' | 'folder' | 'agent'>;

/** `fault`: why it cannot be started at all; continues a sentence that begins with the agent's name. */
async function askVersion(
  { found, folder, agent }: VersionOptions,
  recipe: Recipe,
): Promise<{ readonly version: string; readonly fault?: string }> {
  const scratch = makeScratch(recipe, {
    folder: join(folder, `${agent.name}-version`),
    modelUrl: 'http://127.0.0.1:9',
    path: found.path,
  });
  try {
    return await new Promise((resolve) => {
      const limits = { cwd: scratch.project, env: scratch.env, timeout: VERSION_MS, maxBuffer: 64 * 1024 };
      execFile(found.program, ['--version'], limits, (error, stdout, stderr) => {
        const version = versionIn(stdout || stderr) ?? 'unknown';
        if (error?.killed === true) resolve({ version, fault: `--version did not end within ${VERSION_MS / 1000} s` });
        else if (typeof error?.code === 'string') resolve({ version, fault: `is no program: ${error.message}` });
        else resolve({ version });
      });
    });
  } finally {
    await scratch.remove();
  }
}
