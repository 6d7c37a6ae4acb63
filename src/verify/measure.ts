// Measures one agent: its version, then one sitting after the other, each in a field of its own.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Agent, Interactive } from '../kernel/agent.ts';
import type { Arrival } from './arrival.ts';
import { Field } from './field.ts';
import type { Recipe } from './lab/recipe.ts';
import { recipeFor } from './lab/recipe.ts';
import { makeScratch } from './lab/scratch.ts';
import { type Measurement, type Tried, versionIn } from './measurement.ts';
import type { AgentProgram } from './programs.ts';
import { NotSeated } from './seat.ts';
import { SITTINGS, type Sitting } from './sittings.ts';

export interface MeasureOptions {
  readonly agent: Agent & { readonly interactive: Interactive };
  readonly found: AgentProgram;
  /** Made and used for its scratches alone. */
  readonly folder: string;
  /** The words that run foreword. */
  readonly command: readonly [string, ...string[]];
  readonly isKept: boolean;
  readonly isOffered: (tried: Tried) => boolean;
  /** Aborted: no further sitting begins, and the one under way ends with its agent. */
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
  const tell = (tried: Tried, arrival: Arrival): void => {
    arrivals[tried] = arrival;
    options.onArrival(tried, arrival);
  };
  for (const sitting of SITTINGS) {
    const wanted = sitting.tries.filter(isOffered);
    for (const tried of sitting.tries) if (!isOffered(tried)) tell(tried, { kind: 'not offered' });
    if (wanted.length === 0 || signal.aborted) continue;
    options.onTrying(wanted);
    const told = (tried: Tried, arrival: Arrival): void => {
      if (isOffered(tried)) tell(tried, arrival);
    };
    const reason = await attempt(options, recipe, sitting, told);
    if (signal.aborted) break;
    for (const tried of wanted)
      if (arrivals[tried] === undefined) tell(tried, { kind: 'not measured', reason: reason ?? 'it was not tried' });
  }
  return { agent: agent.name, version, at: new Date().toISOString(), arrivals };
}

/** Why the rest of the sitting could not be made; `undefined` when it was. */
async function attempt(
  options: MeasureOptions,
  recipe: Recipe,
  sitting: Sitting,
  told: (tried: Tried, arrival: Arrival) => void,
): Promise<string | undefined> {
  const { agent, found, command, isKept, signal } = options;
  const folder = join(options.folder, `${agent.name}-${SITTINGS.indexOf(sitting) + 1}`);
  const field = await Field.open({ agent, recipe, program: found.program, path: found.path, folder, command, isKept });
  const leave = once(() => field.leave());
  const stop = (): void => void leave().catch(() => undefined);
  signal.addEventListener('abort', stop);
  try {
    await sitting.run(field, told);
    return undefined;
  } catch (error) {
    if (error instanceof NotSeated) return `${agent.name} ${error.message}`;
    return error instanceof Error ? error.message : String(error);
  } finally {
    signal.removeEventListener('abort', stop);
    await leave();
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** In a scratch, like everything else: some agents write into their home before they say anything. */
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
