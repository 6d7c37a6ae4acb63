// Field: a home and a project that nothing else uses, the loopback model, and the built command beside them, for one sitting
// of one agent. Nothing of the person's home is in its environment.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Interactive } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { runProcess } from '../system/processes/run-process.ts';
import type { GivenRequest } from './arrival.ts';
import type { Recipe } from './lab/recipe.ts';
import { makeScratch, type Scratch } from './lab/scratch.ts';
import type { RecordedRequest } from './model/record.ts';
import { type Model, startModel } from './model/server.ts';
import { type Seat, takeSeat } from './seat.ts';

export interface FieldOptions {
  readonly agent: Agent & { readonly interactive: Interactive };
  readonly recipe: Recipe;
  /** The agent's program, and the folders its PATH begins with. */
  readonly program: string;
  readonly path: readonly string[];
  /** Made, and removed by `leave` unless it is kept. */
  readonly folder: string;
  /** The words that run foreword. */
  readonly command: readonly [string, ...string[]];
  readonly isKept: boolean;
}

const COMMAND_MS = 60_000;
/** A first start in an empty home is slow; on a busy machine the next way in would be tried before the one in question. */
const SETTINGS = 'injection: { readinessTimeoutMs: 90000 }\n';

export class Field {
  readonly agent: FieldOptions['agent'];
  readonly recipe: Recipe;
  readonly model: Model;
  readonly scratch: Scratch;
  readonly #options: FieldOptions;
  #seat: Seat | undefined;

  private constructor(options: FieldOptions, model: Model, scratch: Scratch) {
    this.agent = options.agent;
    this.recipe = options.recipe;
    this.model = model;
    this.scratch = scratch;
    this.#options = options;
  }

  static async open(options: FieldOptions): Promise<Field> {
    const model = await startModel({ directives: false, standing: { kind: 'acknowledge' } });
    const { recipe, folder, path } = options;
    const field = new Field(options, model, makeScratch(recipe, { folder, modelUrl: model.url, path }));
    field.write('.foreword/config.yaml', SETTINGS);
    field.write('readme.txt', 'A project to try an agent in.\n');
    return field;
  }

  /** A file of the project. */
  write(path: string, text: string): void {
    const file = join(this.scratch.project, path);
    mkdirSync(join(file, '..'), { recursive: true });
    replaceFile(file, text);
  }

  /** Makes the project a repository with what is in it. */
  async commit(): Promise<void> {
    const who = ['-c', 'user.name=verify', '-c', 'user.email=verify@example.com', '-c', 'commit.gpgsign=false'];
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...who, 'commit', '-q', '-m', 'first'],
    ])
      await this.#run(['git', ...args]);
  }

  /** Our command, in the project, as a person would run it. Throws when it does not end with 0. */
  async foreword(...args: readonly string[]): Promise<string> {
    const [program, ...first] = this.#options.command;
    return this.#run([program, ...first, ...args]);
  }

  async #run(command: readonly [string, ...string[]]): Promise<string> {
    const { project, env } = this.scratch;
    const ended = await runProcess({ command, cwd: project, env, timeoutMs: COMMAND_MS });
    if (ended.exitCode === 0) return ended.stdout.text;
    const [program, ...args] = command;
    const said = (ended.startError ?? (ended.stderr.text || ended.stdout.text)).trim().slice(-500);
    throw new ForewordError('internal', `${program} ${args.join(' ').slice(0, 200)} failed in the scratch: ${said}`);
  }

  /** The agent itself in a terminal, without foreword. */
  async sitDown(further: readonly string[] = []): Promise<Seat> {
    const [, ...own] = this.agent.interactive.command;
    return this.#sit([this.#options.program, ...own, ...this.scratch.terminalArgs, ...further]);
  }

  /** The agent by `foreword start`. */
  async start(...flags: readonly string[]): Promise<Seat> {
    const { command } = this.#options;
    return this.#sit([...command, 'start', this.agent.name, ...flags, '--', ...this.scratch.terminalArgs]);
  }

  async #sit(command: readonly [string, ...string[]]): Promise<Seat> {
    const { project, env } = this.scratch;
    this.#seat = await takeSeat({ command, cwd: project, env, agent: this.agent.interactive });
    return this.#seat;
  }

  /** The first turn since then, already there or yet to come; nothing when time is up. */
  async turn(since: number, timeoutMs: number): Promise<RecordedRequest | undefined> {
    return this.model.waitFor((request) => request.isMain && request.at >= since, timeoutMs);
  }

  given(): readonly GivenRequest[] {
    return this.model.requests().map(givenOf);
  }

  /** What the agent's terminal shows; for a reason that a person can act on. */
  shown(): string {
    return this.#seat?.shown() ?? '';
  }

  async leave(): Promise<void> {
    await this.#seat?.end();
    await this.model.close();
    if (!this.#options.isKept) await this.scratch.remove();
  }
}

/** The model's own words coming back prove nothing. */
function givenOf({ at, isMain, texts }: RecordedRequest): GivenRequest {
  return { at, isMain, texts: texts.filter(({ role }) => role !== 'assistant').map(({ text }) => text) };
}
