// Jobs of a pipeline: each is a fresh clone on another machine, with an empty state folder. Agents write their ledger outside of
// all of them.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { AttemptRecord } from '../../src/kernel/attempt.ts';
import { foreword, type Ran } from '../foreword.ts';
import { type Field, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
export interface Job {
  readonly clone: string;
  command(...words: string[]): Promise<Ran>;
  /** Kills what `killedRun` started. */
  kill(): void;
  /** True when it ended by itself. */
  killedRun(afterMs: number, ...more: string[]): Promise<boolean>;
  /** By task, from the export. */
  attempts(): Promise<Readonly<Record<string, readonly AttemptRecord[]>>>;
  git(...words: string[]): string;
}

let jobs = 0;

/** Another machine: another path, another home, nothing but the clone. */
export function newJob(field: Field, ...cloning: string[]): Job {
  jobs += 1;
  const home = join(field.folder, `machine-${jobs}`);
  const clone = join(home, `clone-${jobs}`);
  mkdirSync(home);
  const env = { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', FOREWORD_CHECKOUTS: home };
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: clone, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  execFileSync('git', ['clone', '-q', ...cloning, `file://${field.project}`, clone], { env, stdio: 'ignore' });
  const config = field.args.slice(2);
  const command = (...words: string[]) => foreword([...words, ...config], { cwd: clone, env });
  let running: number | undefined;
  const kill = () => {
    if (running !== undefined) end(-running);
  };
  return {
    clone,
    git,
    kill,
    command,
    attempts: async () => {
      const lines = (await command('export')).stdout.trimEnd().split('\n');
      const all = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'attempt');
      return Object.fromEntries(
        TASKS.map((id) => [id, all.filter(({ task }) => task === id).map(({ record }) => record)]),
      );
    },
    killedRun: async (afterMs, ...more) => {
      const words = [MAIN, 'run', ...(more[0]?.endsWith('.json') ? [] : ['tasks.json']), ...more, ...config];
      const child = spawn(process.execPath, words, { cwd: clone, env, stdio: 'ignore', detached: true });
      const exit = new Promise<boolean>((resolve) => child.once('exit', () => resolve(true)));
      running = child.pid;
      const isOver = await Promise.race([exit, pause(afterMs, false)]);
      if (!isOver) kill();
      await exit;
      running = undefined;
      if (child.signalCode === null) return true;
      // Agents have groups of their own; a runner ends them too.
      for (const pid of field.living()) end(pid);
      return false;
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/** The first attempt leaves something wrong, and one that finds it there does it right: the state of a failed attempt must
 *  travel. */
function twice(id: string): object {
  const file = `done-${id}.txt`;
  const script = `if test -e ${file}; then echo done > ${file}; else echo wrong > ${file}; fi`;
  const deeds = [
    ['sleep', 100],
    ['shell', script],
    ['sleep', 100],
  ];
  const check = { file_contains: { path: file, pattern: '^done$' } };
  return {
    task_id: id,
    intent: `Make ${id}`,
    instructions: `do: ${JSON.stringify(deeds)}`,
    acceptance_criteria: [{ text: 'the file says done', check }],
  };
}

export const TASKS = ['a', 'b', 'c'];

/** A project that has the tasks. */
export function pipelineField(settings: object = {}): Field {
  const run = { maxAgentFailures: 1000, ...settings };
  const field = makeField({ agents: { first: ['follows'] }, tasks: [], settings: { run } });
  writeFileSync(join(field.project, 'tasks.json'), JSON.stringify(TASKS.map(twice)));
  commit(field, 'tasks');
  return field;
}

export function commit(field: Field, message: string): void {
  field.git('add', '--all');
  field.git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', message);
}

/** Tasks by the commits on the branch, oldest first. */
export function landed(job: Job): readonly string[] {
  const [branch = ''] = job.git('for-each-ref', '--format=%(refname)', 'refs/heads/foreword/').split('\n');
  const log = job.git('log', '--reverse', '--format=%B', branch).split('\n');
  return log.flatMap((line) => /^Foreword-Task: (.*)$/.exec(line)?.[1] ?? []);
}
