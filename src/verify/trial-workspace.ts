// Workspace of one trial of one agent: a separate home and project, the loopback model, and the built command. Its environment
// holds nothing of the person's home.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import type { ManagedBlock } from '../sessions/channels/file/managed-block.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { runProcess } from '../system/processes/run-process.ts';
import { type AgentDriver, AgentNotReady, type DriverPorts, driveAgent } from './agent-driver.ts';
import type { GivenRequest } from './arrival.ts';
import type { DrivableAgent } from './choose-agents.ts';
import type { Recipe } from './lab/recipe.ts';
import { makeScratch, type Scratch } from './lab/scratch.ts';
import type { RecordedRequest } from './model/record.ts';
import { type Model, startModel } from './model/server.ts';

/** What a trial needs from other features; app/ passes it in. */
export interface TrialPorts extends DriverPorts {
  readonly blocks: BlockFiles;
}

/** Managed blocks in the instruction files of a project. */
export interface BlockFiles {
  /** The instruction files of the project. */
  existing(root: string): readonly string[];
  write(
    root: string,
    path: string,
    block: ManagedBlock,
  ): { readonly kind: 'written' | 'unchanged' } | { readonly kind: 'refused'; readonly reason: string };
}

export interface WorkspaceOptions {
  readonly agent: DrivableAgent;
  readonly recipe: Recipe;
  /** The agent's program, and the first folders of its PATH. */
  readonly program: string;
  readonly path: readonly string[];
  /** Made here; `close` removes it unless it is kept. */
  readonly folder: string;
  /** The words that run foreword. */
  readonly command: readonly [string, ...string[]];
  readonly isKept: boolean;
  readonly ports: TrialPorts;
}

const COMMAND_MS = 60_000;
/** A first start in an empty home is slow; on a busy machine the next channel would be tried too early. */
const SETTINGS = 'injection: { readinessTimeoutMs: 90000 }\n';

export class TrialWorkspace {
  readonly agent: WorkspaceOptions['agent'];
  readonly recipe: Recipe;
  readonly model: Model;
  readonly scratch: Scratch;
  readonly ports: TrialPorts;
  readonly #options: WorkspaceOptions;
  #driver: AgentDriver | undefined;
  #isClosed = false;

  private constructor(options: WorkspaceOptions, model: Model, scratch: Scratch) {
    this.agent = options.agent;
    this.recipe = options.recipe;
    this.model = model;
    this.scratch = scratch;
    this.ports = options.ports;
    this.#options = options;
  }

  static async open(options: WorkspaceOptions): Promise<TrialWorkspace> {
    const model = await startModel({ directives: false, standing: { kind: 'acknowledge' } });
    const { recipe, folder, path } = options;
    const workspace = new TrialWorkspace(options, model, makeScratch(recipe, { folder, modelUrl: model.url, path }));
    workspace.write('.foreword/config.yaml', SETTINGS);
    workspace.write('readme.txt', 'A project to try an agent in.\n');
    return workspace;
  }

  /** A file of the project. */
  write(path: string, text: string): void {
    const file = join(this.scratch.project, path);
    mkdirSync(join(file, '..'), { recursive: true });
    replaceFile(file, text);
  }

  /** Makes the project a git repository and commits its files. */
  async commit(): Promise<void> {
    const who = ['-c', 'user.name=verify', '-c', 'user.email=verify@example.com', '-c', 'commit.gpgsign=false'];
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...who, 'commit', '-q', '-m', 'first'],
    ])
      await this.#run(['git', ...args]);
  }

  /** Runs our command in the project, as a person would. Throws when its exit code is not 0. */
  async foreword(...args: readonly string[]): Promise<string> {
    const [program, ...first] = this.#options.command;
    return this.#run([program, ...first, ...args]);
  }

  async #run(command: readonly [string, ...string[]]): Promise<string> {
    const { project, env } = this.scratch;
    const ended = await runProcess({ command, cwd: project, env, timeoutMs: COMMAND_MS });
    if (ended.exitCode === 0) return ended.stdout.text;
    const [program, ...args] = command;
    const output = (ended.startError ?? (ended.stderr.text || ended.stdout.text)).trim().slice(-500);
    throw new ForewordError('internal', `${program} ${args.join(' ').slice(0, 200)} failed in the scratch: ${output}`);
  }

  /** Starts the agent itself in a terminal, without foreword. */
  async openAgent(further: readonly string[] = []): Promise<AgentDriver> {
    const [, ...own] = this.agent.interactive.command;
    return this.#drive([this.#options.program, ...own, ...this.scratch.terminalArgs, ...further]);
  }

  /** One prompt to the agent itself, without a terminal and without foreword. */
  async oneshot(prompt: string): Promise<void> {
    const [first = '', ...rest] = this.scratch.oneshotArgs(prompt);
    await this.#run([this.#options.program, first, ...(this.recipe.vouchArgs ?? []), ...rest]);
  }

  /** Starts the agent with `foreword start`. */
  async start(...flags: readonly string[]): Promise<AgentDriver> {
    const { command } = this.#options;
    return this.#drive([...command, 'start', this.agent.name, ...flags, '--', ...this.scratch.terminalArgs]);
  }

  async #drive(command: readonly [string, ...string[]]): Promise<AgentDriver> {
    const { project, env } = this.scratch;
    const start = { command, cwd: project, env, agent: this.agent.interactive };
    // Nobody would end an agent that begins after the stop.
    if (!this.#isClosed) this.#driver = await driveAgent(start, this.#options.ports);
    if (this.#driver === undefined || this.#isClosed) {
      await this.#driver?.end();
      throw new AgentNotReady('was stopped before it began');
    }
    return this.#driver;
  }

  /** The first turn since then, already recorded or yet to come; `undefined` when the time is up. Throws `AgentNotReady` when
   *  the agent ends before it. */
  async turn(since: number, timeoutMs: number): Promise<RecordedRequest | undefined> {
    const turn = this.model.waitFor((request) => request.isMain && request.at >= since, timeoutMs);
    return this.#driver === undefined ? turn : this.#driver.during(turn);
  }

  given(): readonly GivenRequest[] {
    return this.model.requests().map(givenOf);
  }

  /** The agent's screen, for a reason that a person can act on. */
  shown(): string {
    return this.#driver?.shown() ?? '';
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#driver?.end();
    await this.model.close();
    if (!this.#options.isKept) await this.scratch.remove();
  }
}

/** Without the model's own replies: their return proves nothing. */
export function givenOf({ at, isMain, texts }: RecordedRequest): GivenRequest {
  return { at, isMain, texts: texts.filter(({ role }) => role !== 'assistant').map(({ text }) => text) };
}
