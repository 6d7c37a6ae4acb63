// A real agent with a home and a project of its own, the loopback model it talks to, and the built command beside it. The
// model's records are the oracle: what stands there, the model was given. Run by scripts/test-agents.mjs, which names the
// agents in FOREWORD_TEST_AGENTS and starts everything where there is no network.

import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LabProgram, labPrograms } from '../../scripts/lab/install.mjs';
import { AGENTS as KNOWN } from '../../src/agents/index.ts';
import type { LabCall, LabQuestion } from '../../src/kernel/agent-lab.ts';
import { hasLoopbackOnly } from '../../src/system/network-namespace.ts';
import { type Recipe, recipeFor } from '../../src/verify/lab/recipe.ts';
import { makeScratch, type Scratch } from '../../src/verify/lab/scratch.ts';
import type { RecordedRequest } from '../../src/verify/model/record.ts';
import { type Model, startModel } from '../../src/verify/model/server.ts';
import type { ModelStep } from '../../src/verify/model/steps.ts';
import type { Ran } from '../foreword.ts';

const ROOT = join(import.meta.dirname, '../..');
export const COMMAND = join(ROOT, 'dist/command/start.cjs');

/** Without network, on a busy machine, OpenCode shows nothing for up to 40 s; the usual 30 s would lead to the next channel. */
const READINESS_MS = 90_000;

/** No command of these tests takes longer; one that hangs is ended and its test fails. */
const LONGEST_MS = 180_000;

export const CONTEXT_FILES: Readonly<Record<string, string>> = {
  'CONSTITUTION.md': '# Constitution\n\nNever push to main.\n',
  'TASKS.md': '# Tasks\n\n- [ ] health endpoint\n',
  'AGENT_PLAYBOOK.md': '# Playbook\n\nRun the tests first.\n',
};

/** The agents to test, as the script names them. */
export const AGENTS: readonly string[] = (process.env.FOREWORD_TEST_AGENTS ?? '')
  .split(',')
  .filter((name) => name !== '');

/** Whether our hooks come with its launch; those of the others come from a file of the home. */
export function takesLaunchHooks(name: string): boolean {
  return KNOWN.find((agent) => agent.name === name)?.interactive?.launch?.hook !== undefined;
}

/** A first prompt as a person would write it: the agent's own way to name one, without what ends options. */
export function ownPrompt(name: string, text: string): readonly string[] {
  const template = KNOWN.find((agent) => agent.name === name)?.interactive?.launch?.prompt ?? [text];
  return template.filter((part) => part !== '--').map((part) => part.replace('{text}', () => text));
}

/** What `foreword sessions --json` says of one session, as far as these tests look at it. */
export interface SessionView {
  readonly id: string;
  readonly agent: string;
  readonly readiness: string;
  readonly hint?: string;
  readonly agentPid: number;
  readonly tmux?: { readonly socket: string; readonly session: string };
  readonly waiting: readonly { readonly id: string; readonly reason: string }[];
}

export interface FieldOptions {
  /** Neither context files nor anything of ours. */
  readonly isBare?: boolean;
  /** Further agents with the same home, project and model. */
  readonly beside?: readonly string[];
}

export class RealField {
  readonly recipe: Recipe;
  readonly program: LabProgram;
  readonly model: Model;
  readonly scratch: Scratch;

  private constructor(recipe: Recipe, program: LabProgram, model: Model, scratch: Scratch) {
    this.recipe = recipe;
    this.program = program;
    this.model = model;
    this.scratch = scratch;
  }

  static async make(
    agent: string,
    asks: readonly LabQuestion[] = [],
    { isBare = false, beside = [] }: FieldOptions = {},
  ): Promise<RealField> {
    if (!hasLoopbackOnly()) throw new Error('real agents run without network only: npm run test:agents');
    const [{ recipe, program }, ...others] = [find(agent), ...beside.map(find)];
    const model = await startModel({ directives: false, standing: { kind: 'acknowledge' } });
    const folder = mkdtempSync(join(tmpdir(), `foreword-real-${agent}-`));
    const path = pathOf([program, ...others.map((other) => other.program)]);
    const made = makeScratch(recipe, { folder, modelUrl: model.url, path, asks });
    const envs = others.map((other) => makeScratch(other.recipe, { folder, modelUrl: model.url }).env);
    const own = { FOREWORD_CHECKOUTS: folder, FOREWORD_INJECTION_READINESS_TIMEOUT_MS: String(READINESS_MS) };
    const scratch = { ...made, env: Object.assign({}, ...envs, made.env, own) };
    const field = new RealField(recipe, program, model, scratch);
    writeFileSync(join(scratch.project, 'readme.txt'), 'a project\n');
    if (!isBare) field.#writeContext();
    field.git('init', '-q');
    field.git('add', '.');
    field.git('-c', 'user.name=lab', '-c', 'user.email=lab@example.com', 'commit', '-qm', 'first');
    if (!isBare) await field.must('save', '--task', 'api_health', '--next', 'register the route');
    return field;
  }

  #writeContext(): void {
    for (const folder of ['.foreword', '.context']) mkdirSync(join(this.scratch.project, folder));
    for (const [name, text] of Object.entries(CONTEXT_FILES))
      writeFileSync(join(this.scratch.project, '.context', name), text);
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.scratch.project, env: this.scratch.env, encoding: 'utf8' });
  }

  foreword(...args: string[]): Promise<Ran> {
    return this.#run([process.execPath, COMMAND, ...args]);
  }

  /** The command, which must end with 0. */
  async must(...args: string[]): Promise<Ran> {
    const ran = await this.foreword(...args);
    if (ran.status === 0) return ran;
    throw new Error(`foreword ${args.join(' ')} ended with ${ran.status}:\n${ran.stdout}${ran.stderr}`);
  }

  /** One prompt to the agent itself, without a terminal and without foreword. `further` come before the recipe's last
   *  argument, the prompt. */
  oneshot(prompt: string, further: readonly string[] = []): Promise<Ran> {
    const [first = '', ...rest] = this.scratch.oneshotArgs(prompt);
    return this.#run([this.program.program, first, ...further, ...rest]);
  }

  /** The same, with arguments before all of those. */
  resume(prompt: string, further: readonly string[]): Promise<Ran> {
    return this.#run([this.program.program, ...further, ...this.scratch.oneshotArgs(prompt)]);
  }

  /** The agent itself with these arguments alone. */
  started(args: readonly string[]): Promise<Ran> {
    return this.#run([this.program.program, ...args]);
  }

  /** One prompt to another agent of this field. */
  beside(agent: string) {
    const { recipe, program } = find(agent);
    return {
      oneshot: (prompt: string, further: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
        const [first = '', ...rest] = recipe.oneshotArgs(prompt);
        return this.#run([program.program, first, ...further, ...rest], env);
      },
    };
  }

  async #run([program = '', ...args]: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const child = spawn(program, args, {
      cwd: this.scratch.project,
      env: { ...this.scratch.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part) => {
      stdout += part;
    });
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    const timer = setTimeout(() => child.kill('SIGTERM'), LONGEST_MS);
    // Not `close`: what the command leaves running may hold its streams.
    const status = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', resolve);
    });
    clearTimeout(timer);
    return { status, stdout, stderr };
  }

  /** Starts the agent in the background and answers its session. */
  start(...flags: string[]): Promise<{ readonly id: string; readonly ran: Ran; readonly ms: number }> {
    return this.startWith(this.scratch.terminalArgs, flags);
  }

  /** The same with arguments of one's own for the agent. */
  async startWith(
    args: readonly string[],
    flags: readonly string[],
  ): Promise<{ readonly id: string; readonly ran: Ran; readonly ms: number }> {
    const startedAt = Date.now();
    const ran = await this.foreword('start', this.recipe.agent, '--detach', ...flags, '--', ...args);
    const id = /\bs[0-9a-f]{8}\b/.exec(ran.stdout + ran.stderr)?.[0] ?? '';
    return { id, ran, ms: Date.now() - startedAt };
  }

  async sessions(): Promise<readonly SessionView[]> {
    return JSON.parse((await this.must('sessions', '--json')).stdout).sessions;
  }

  /** The turns of the agent so far. */
  turns(): readonly RecordedRequest[] {
    return this.model.requests().filter((request) => request.isMain);
  }

  /** Adds a step to the model's script. */
  next(...steps: readonly ModelStep[]): void {
    this.model.next(...steps);
  }

  /** A bare project has no store, and a look at the sessions would make one. */
  async endSessions(): Promise<void> {
    if (!existsSync(join(this.scratch.project, '.foreword'))) return;
    for (const { id } of await this.sessions()) await this.foreword('sessions', '--stop', id);
    await until(async () => (await this.sessions()).length === 0, 20_000);
  }

  /** Ends every session by its id and removes the home and the project. */
  async leave(): Promise<void> {
    try {
      await this.endSessions();
    } finally {
      await this.model.close();
      await this.scratch.remove();
    }
  }
}

/** The folders of all, a newer Node before ours: who needs it does not start with an older one. */
function pathOf(programs: readonly LabProgram[]): string[] {
  const own = dirname(process.execPath);
  const folders = [...new Set(programs.flatMap(({ path }) => path))];
  return [...folders.filter((folder) => folder !== own), ...folders.filter((folder) => folder === own)];
}

function find(agent: string): { readonly recipe: Recipe; readonly program: LabProgram } {
  const recipe = recipeFor(agent);
  const program = labPrograms()[agent];
  if (recipe === undefined || program === undefined) throw new Error(`${agent} is not installed`);
  return { recipe, program };
}

/** Tool calls of the recipe as one step of the model. */
export function calling(...calls: readonly LabCall[]): ModelStep {
  return { kind: 'call', calls: calls.map(({ tool, input }) => ({ name: tool, input })) };
}

/** How often a text stands anywhere in a request, roles, attachments and tool results alike; what the model said itself
 *  does not count. */
export function timesGiven(request: RecordedRequest | undefined, text: string): number {
  const given = request?.texts.filter(({ role }) => role !== 'assistant').map((entry) => entry.text) ?? [];
  return given.join('\n').split(text).length - 1;
}

/** The different marks of one kind in what the model was given with a request. */
export function marksIn(request: RecordedRequest | undefined, what: 'startup' | 'gate'): string[] {
  const pattern = what === 'gate' ? /\[foreword gate fw_\w+\]/g : /\[foreword startup fw_\w+\]/g;
  const given = request?.texts.filter(({ role }) => role !== 'assistant') ?? [];
  return [...new Set(given.flatMap(({ text }) => text.match(pattern) ?? []))];
}

/** How many texts of a request hold it. */
export function textsWith(request: RecordedRequest | undefined, text: string): number {
  return request?.texts.filter((entry) => entry.role !== 'assistant' && entry.text.includes(text)).length ?? 0;
}

export async function until(condition: () => Promise<boolean> | boolean, timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(200)) if (await condition()) return true;
  return false;
}

/** A figure for the closing lines of the script. */
export function figure(agent: string, what: string, ms: number): void {
  const file = process.env.FOREWORD_TEST_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ agent, what, ms })}\n`);
}
