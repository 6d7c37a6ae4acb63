// The trial of an agent in its box: one turn against the loopback model, in which it writes a file and runs a command. It has a
// home of its own with dummy keys, so it proves how the box and the agent work together; it proves nothing about the person's login,
// plug-ins and settings.

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, commandFor } from '../kernel/agent.ts';
import type { AgentBox } from '../kernel/agent-box.ts';
import type { LabCall } from '../kernel/agent-lab.ts';
import type { ProcessEnd, ProcessRequest } from '../kernel/process.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { replaceFile } from '../system/files/atomic.ts';
import type { Recipe } from './lab/recipe.ts';
import { makeScratch, type Scratch } from './lab/scratch.ts';
import { startModel } from './model/server.ts';
import type { ModelStep } from './model/steps.ts';
import { newestTurn } from './model/turn.ts';
import type { AgentProgram } from './programs.ts';

/** Boxes of runs/; app/ passes them in. */
export interface TrialBoxes {
  /** A box around this home; `missing` where none can be made. */
  open(options: {
    readonly home: string;
    readonly variables: Readonly<Record<string, string>>;
    /** For what the boxes keep. */
    readonly folder: string;
  }): Promise<TrialBox | { readonly kind: 'missing'; readonly why: string }>;
}

export interface TrialBox {
  readonly kind: 'ready';
  run(
    program: {
      readonly box: AgentBox | undefined;
      /** The checkout, and the project's path at which it is mounted. */
      readonly tree: string;
      readonly top: string;
      readonly request: ProcessRequest;
    },
    signal: AbortSignal,
  ): Promise<ProcessEnd>;
}

export interface TurnOptions {
  readonly agent: Agent;
  readonly recipe: Recipe;
  readonly found: AgentProgram;
  /** Made for its scratch, and removed afterwards unless it is kept. */
  readonly folder: string;
  readonly isKept: boolean;
  readonly boxes: TrialBoxes;
  readonly signal: AbortSignal;
}

/** `missing`: there is no box on this machine, so nothing was tried. Other reasons end a sentence that begins with the agent's name. */
export type TurnResult =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'missing'; readonly why: string };

/** The slowest of seven agents took 5 s on a machine with nothing else to do. */
const LONGEST_MS = 90_000;
const PROMPT = 'Write the two files.';
const WRITTEN = 'written-by-tool.txt';
const PRINTED = 'written-by-command.txt';

export async function tryTurn(options: TurnOptions): Promise<TurnResult> {
  const { agent, recipe, found, folder, boxes, signal } = options;
  const model = await startModel({ directives: false, standing: { kind: 'text', text: 'Done.' } });
  const scratch = makeScratch(recipe, { folder, modelUrl: model.url, path: found.path });
  try {
    const tree = makeTree(folder, scratch);
    const calls = [
      recipe.fileCall(join(scratch.project, WRITTEN), 'tool'),
      recipe.commandCall(`printf command > ${PRINTED}`),
    ];
    model.standing({
      kind: 'reply',
      reply: ({ texts }) => (newestTurn(texts).hasToolResult ? { kind: 'text', text: 'Done.' } : calling(calls)),
    });
    const box = await boxes.open({ home: scratch.home, variables: scratch.env, folder: join(folder, 'boxes') });
    if (box.kind === 'missing') return box;
    const request = requestOf(agent, found, scratch);
    const end = await box.run({ box: agent.box, tree, top: scratch.project, request }, signal);
    const why = failureOf(end, tree, model.requests().length);
    return why === undefined ? { kind: 'passed' } : { kind: 'failed', why };
  } finally {
    await model.close();
    if (!options.isKept) await scratch.remove();
  }
}

/** What is mounted at the project's path. */
function makeTree(folder: string, { project }: Scratch): string {
  const tree = join(folder, 'checkout');
  mkdirSync(tree);
  for (const place of [tree, project]) replaceFile(join(place, 'readme.txt'), 'A project to try an agent in.\n');
  return tree;
}

function calling(calls: readonly LabCall[]): ModelStep {
  return { kind: 'call', calls: calls.map(({ tool, input }) => ({ name: tool, input })) };
}

/** As a run would start it. */
function requestOf(agent: Agent, { program }: AgentProgram, { env, project }: Scratch): ProcessRequest {
  const { oneshot } = agent;
  if (oneshot === undefined) throw new Error(`${agent.name} has no way to run without a terminal`);
  const command = oneshot.boxed?.command ?? oneshot.command;
  const asked = commandFor({ ...oneshot, command }, { prompt: PROMPT, promptFile: '', session: randomUUID() });
  const [, ...args] = asked.command;
  return {
    command: [program, ...args],
    cwd: project,
    env: { ...env, ...oneshot.set },
    ...(asked.input === undefined ? {} : { input: asked.input }),
    timeoutMs: LONGEST_MS,
  };
}

function failureOf(end: ProcessEnd, tree: string, requests: number): string | undefined {
  const lacking = [
    ...(contentOf(join(tree, WRITTEN)) === 'tool' ? [] : ['write a file']),
    ...(contentOf(join(tree, PRINTED)) === 'command' ? [] : ['run a command']),
  ];
  if (lacking.length === 0 && end.exitCode === 0) return undefined;
  const asked = requests === 0 ? ' and never called its model' : '';
  return `${lacking.length === 0 ? 'failed' : `could not ${lacking.join(' and ')}`} in its box${asked}: ${lastWords(end)}`;
}

const MOST_SHOWN = 300;

function lastWords({ startError, stderr, stdout, exitCode, signal, endedBy }: ProcessEnd): string {
  const text = (startError ?? (stderr.text.trim() || stdout.text)).trim().split('\n').at(-1) ?? '';
  const how = endedBy ?? (exitCode === null ? (signal ?? 'it did not start') : `exit status ${exitCode}`);
  return text === '' ? how : oneLine(text, MOST_SHOWN);
}

function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
