// `foreword verify --boxed`: tries each agent once in the box that a run would give it, without network, and stores the results for
// this person. `foreword run` starts it for an agent whose version has not been tried yet.

import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boxDataOf } from './box-data.ts';
import { type TrialBoxes, tryTurn } from './boxed-turn.ts';
import { chooseAgents, type DrivableAgent, requireInstalled } from './choose-agents.ts';
import { recipeFor } from './lab/recipe.ts';
import { versionOf } from './measure.ts';
import type { AgentProgram } from './programs.ts';
import { type BoxedTrial, keepResults, knownProgram } from './results.ts';
import { isolate, programsOf, untilStopped, type VerifyHost, type VerifyRequest } from './verify.ts';

export interface BoxesRequest extends Omit<VerifyRequest, 'progress'> {
  readonly trying: (agent: string, version: string) => void;
  readonly tried: (trial: BoxedTrial) => void;
}

export type BoxesHost = Omit<VerifyHost, 'measure' | 'ports'> & {
  readonly ports: Pick<VerifyHost['ports'], 'clock'>;
  readonly boxes: TrialBoxes;
};

export interface TriedBoxes {
  readonly trials: readonly BoxedTrial[];
  /** Why there is no box on this machine. */
  readonly missing?: string;
  readonly kept?: string;
  readonly isInterrupted: boolean;
}

/** As `verifyAgents`. */
export async function verifyBoxes(request: BoxesRequest, host: BoxesHost): Promise<number | TriedBoxes> {
  const agents = chooseAgents(request.agents);
  const found = programsOf(agents, host);
  requireInstalled(request.agents, found);
  const isIsolated = await isolate(request, host);
  if (typeof isIsolated === 'number') return isIsolated;
  return untilStopped((signal) => tryAll({ request, host, agents, found, signal }));
}

interface Trying {
  readonly request: BoxesRequest;
  readonly host: BoxesHost;
  readonly agents: readonly DrivableAgent[];
  readonly found: readonly AgentProgram[];
  readonly signal: AbortSignal;
}

async function tryAll({ request, host, agents, found, signal }: Trying): Promise<TriedBoxes> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-boxed-')));
  const kept = request.isKept ? { kept: folder } : {};
  const trials: BoxedTrial[] = [];
  try {
    for (const one of found) {
      const agent = agents.find(({ name }) => name === one.agent);
      if (agent === undefined || signal.aborted) continue;
      const trial = await tryOne({ request, host, agents, found, signal }, agent, { found: one, folder });
      if (typeof trial === 'string') return { trials, missing: trial, ...kept, isInterrupted: signal.aborted };
      if (signal.aborted) continue;
      trials.push(trial);
      request.tried(trial);
      keep(trial, one.program, { request, host });
    }
  } finally {
    if (!request.isKept) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  return { trials, ...kept, isInterrupted: signal.aborted };
}

/** Why there is no box, as text. */
async function tryOne(
  { request, host, signal }: Trying,
  agent: DrivableAgent,
  { found, folder }: { readonly found: AgentProgram; readonly folder: string },
): Promise<BoxedTrial | string> {
  const recipe = recipeFor(agent.name);
  if (recipe === undefined) throw new Error(`there is no recipe for ${agent.name}`);
  const version = await versionOf({ agent, found, folder }, recipe);
  request.trying(agent.name, version);
  const { clock } = host.ports;
  const startedAt = clock.now();
  const scratch = join(folder, `${agent.name}-${startedAt}`);
  const { isKept } = request;
  const result = await tryTurn({ agent, recipe, found, folder: scratch, isKept, boxes: host.boxes, signal });
  if (result.kind === 'missing') return result.why;
  const at = new Date(startedAt).toISOString();
  const trial = { agent: agent.name, version, at, data: boxDataOf(agent), ms: Math.round(clock.now() - startedAt) };
  return result.kind === 'passed' ? trial : { ...trial, why: result.why };
}

function keep(trial: BoxedTrial, program: string, { request, host }: Pick<Trying, 'request' | 'host'>): void {
  const known = knownProgram(trial.agent, trial.version, program);
  try {
    const aside = keepResults(host.stateFolder, { boxed: [trial], programs: known === undefined ? [] : [known] });
    if (aside !== undefined) request.note(`the earlier results could not be read; they were moved to ${aside}`);
  } catch (error) {
    request.note(`the results could not be stored: ${error instanceof Error ? error.message : String(error)}`);
  }
}
