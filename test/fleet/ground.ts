// A fleet for tests: a real Redis server, a bare repository, and machines with their own homes and clones, on which the built
// command runs as a person would run it.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../bundle.ts';
import { foreword, type Ran } from '../foreword.ts';
import { isolatedEnvironment, type RealGit, realGit } from '../git/real-git.ts';
import { RedisServer } from '../stores/redis-server.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const AGENT = join(import.meta.dirname, '../agents/scripted.mjs');
const SKEW = join(import.meta.dirname, 'skew.cjs');

export interface Ground {
  readonly folder: string;
  readonly server: RedisServer;
  readonly shared: RealGit;
  /** The file with the settings of all machines. */
  readonly config: string;
  /** The address of the server, with its password. */
  readonly store: string;
  machine(name: string, of?: MachineOptions): GroundMachine;
  /** A hook of the remote, as a shell script. */
  hook(script: string): void;
  /** Tasks by the trailers on the branch of the only run, oldest first. */
  ledger(): readonly string[];
  /** Processes of this machine that are agents of this fleet. */
  living(): readonly number[];
  remove(): Promise<void>;
}

export interface MachineOptions {
  /** How wrong its clock is. */
  readonly skewMs?: number;
  /** Its own way to the server. */
  readonly store?: string;
}

export interface GroundMachine {
  readonly name: string;
  readonly home: string;
  readonly clone: RealGit;
  command(...words: string[]): Promise<Ran>;
  /** With the id of the fleet; ended by the test. */
  worker(fleet: string, ...words: string[]): GroundWorker;
}

export interface GroundWorker {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output(): string;
}

export interface GroundOptions {
  /** Agent's name → behaviour and its arguments, on machines that name none of their own. */
  readonly agents: Readonly<Record<string, readonly string[]>>;
  readonly tasks: readonly object[];
  readonly settings?: object;
  readonly server?: readonly string[];
  readonly password?: string;
  /** In place of the address of the server that is started. */
  readonly store?: string | undefined;
  /** The same, from the port of the server that is started. */
  readonly address?: (port: number) => string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function makeGround(options: GroundOptions): Promise<Ground> {
  const folder = temporaryFolder('fleet');
  const server = await RedisServer.start(options.server);
  const shared = realGit(join(folder, 'shared.git'));
  shared.run('init', '--quiet', '--bare', '--initial-branch=main');
  const first = realGit(join(folder, 'first'), isolatedEnvironment(folder));
  first.run('init', '--quiet', '--initial-branch=main');
  first.write('readme.txt', 'a project\n');
  first.write('tasks.json', JSON.stringify(options.tasks));
  first.commit('begin');
  first.run('push', '--quiet', shared.root, 'main');
  const notes = join(folder, 'ledger');
  mkdirSync(notes);
  const agents = Object.fromEntries(
    Object.entries(options.agents).map(([name, [behaviour = '', ...more]]) => [
      name,
      { oneshot: { command: commandOf([behaviour, ...more], join(notes, 'starts.jsonl')), prompt: 'stdin' } },
    ]),
  );
  const { password } = options;
  const started = password === undefined ? server.url : server.url.replace('//', `//:${password}@`);
  const store = options.store ?? options.address?.(server.port) ?? started;
  const machines: GroundWorker[] = [];
  const { run = {}, ...settings }: { readonly run?: object } = options.settings ?? {};
  const config = join(folder, 'config.json');
  const lineup = Object.keys(options.agents);
  // Boxes are tested elsewhere; each start in one costs half a second.
  const runs = { confine: 'off', ...run };
  writeFileSync(config, JSON.stringify({ lineup, agents, ...settings, run: runs }));
  return {
    folder,
    server,
    shared,
    config,
    store,
    machine: (name, { skewMs = 0, store: own = store } = {}) => {
      const home = join(folder, name);
      mkdirSync(home, { recursive: true });
      const clone = realGit(join(home, 'clone'), isolatedEnvironment(home));
      if (!existsSync(join(clone.root, '.git'))) clone.run('clone', '--quiet', shared.root, '.');
      const common = ['--store', own, '--config', config];
      const skewed = skewMs === 0 ? {} : { NODE_OPTIONS: `--require=${SKEW}`, SKEW_MS: String(skewMs) };
      const env = { HOME: home, FOREWORD_CHECKOUTS: join(home, 'checkouts'), ...skewed, ...options.env };
      return {
        name,
        home,
        clone,
        command: (...words) => foreword([...words, ...common], { cwd: clone.root, env }),
        worker: (fleet, ...words) => {
          const child = spawn(process.execPath, [MAIN, 'worker', '--fleet', fleet, ...common, ...words], {
            cwd: clone.root,
            env: { PATH: process.env.PATH, ...env },
            stdio: ['ignore', 'pipe', 'pipe'],
          });
          let text = '';
          for (const stream of [child.stdout, child.stderr])
            stream.on('data', (part: Buffer) => (text += part.toString()));
          const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
          const worker = { child, ended, output: () => text };
          machines.push(worker);
          return worker;
        },
      };
    },
    hook: (script) => {
      const file = join(shared.root, 'hooks/pre-receive');
      mkdirSync(join(shared.root, 'hooks'), { recursive: true });
      writeFileSync(file, `#!/bin/sh\n${script}\n`);
      chmodSync(file, 0o755);
    },
    ledger: () => {
      const branches = shared.run('for-each-ref', '--format=%(refname:short)', 'refs/heads/foreword/').split('\n');
      const format = '--format=%(trailers:key=Foreword-Task,valueonly)';
      return shared
        .run('log', '--reverse', format, branches[0] ?? '', '^main')
        .split('\n')
        .filter(Boolean);
    },
    living: () => processesWith(join(notes, 'starts.jsonl')),
    remove: async () => {
      for (const { child, ended } of machines) {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGCONT');
          child.kill('SIGKILL');
          await ended;
        }
      }
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A behaviour of the scripted agent, or a program of its own, which gets the name of the ledger as its last word. */
function commandOf([behaviour = '', ...more]: readonly string[], ledger: string): readonly string[] {
  if (behaviour === 'bash') return [behaviour, ...more, ledger];
  return [process.execPath, AGENT, behaviour, ledger, ...more];
}

function processesWith(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word) && pid !== process.pid;
      } catch {
        return false;
      }
    });
}

/** A task whose file the agent `works` writes. */
export function fleetTask(task_id: string, more: object = {}): object {
  const check = { file_exists: `done-${task_id}.txt` };
  return {
    task_id,
    intent: `Do ${task_id}`,
    instructions: `do ${task_id}`,
    acceptance_criteria: [{ text: 'done', check }],
    ...more,
  };
}

/** Waits for what a program does in its own time. */
export async function until(look: () => boolean): Promise<void> {
  for (let waited = 0; !look() && waited < 60_000; waited += 50) await pause(50);
  if (!look()) throw new Error(`this did not come true within a minute: ${look.toString()}`);
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
