// A project with tasks and scripted agents, run by the built command as a user does.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptRecord } from '../../src/kernel/attempt.ts';
import { temporaryFolder } from '../bundle.ts';
import { foreword, type Ran } from '../foreword.ts';

const AGENT = join(import.meta.dirname, '../agents/scripted.mjs');

export interface LedgerLine {
  readonly behaviour: string;
  readonly task: string;
  readonly handover: string;
  readonly pid: number;
}

export interface Field {
  readonly folder: string;
  readonly project: string;
  readonly args: readonly string[];
  run(...more: string[]): Promise<Ran>;
  command(...args: string[]): Promise<Ran>;
  /** Every start of an agent, written by the agents themselves. */
  ledger(): readonly LedgerLine[];
  attempts(task: string): Promise<readonly AttemptRecord[]>;
  statuses(): Promise<Readonly<Record<string, string>>>;
  /** Changes an agent's description in the configuration. */
  change(agent: string, change: (described: { oneshot: object }) => object): void;
  remove(): void;
}

export interface FieldOptions {
  /** Agent's name → behaviour and its arguments; in the order of the lineup. */
  readonly agents: Readonly<Record<string, readonly string[]>>;
  readonly tasks: readonly object[];
  readonly settings?: object;
  readonly isGit?: boolean;
  readonly store?: string;
}

export function makeField(options: FieldOptions): Field {
  const folder = temporaryFolder('run');
  const project = join(folder, 'project');
  mkdirSync(join(project, '.foreword'), { recursive: true });
  writeFileSync(join(project, 'readme.txt'), 'a project\n');
  if (options.isGit !== false) initGit(project);
  const ledger = join(folder, 'ledger.jsonl');
  const agents = Object.fromEntries(
    Object.entries(options.agents).map(([name, [behaviour = '', ...more]]) => [
      name,
      { oneshot: { command: [process.execPath, AGENT, behaviour, ledger, ...more], prompt: 'stdin' } },
    ]),
  );
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ lineup: Object.keys(options.agents), agents, ...options.settings }));
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify(options.tasks));
  const common = ['--config', config, ...(options.store === undefined ? [] : ['--store', options.store])];
  const args = ['run', join(folder, 'tasks.json'), ...common];
  // Not the project itself, in which our state would show as new files.
  const at = { cwd: project, env: { HOME: folder } };
  const command = (...words: string[]) => foreword([...words, ...common], at);
  return {
    folder,
    project,
    args,
    run: (...more) => foreword([...args, ...more], at),
    command,
    ledger: () =>
      existsSync(ledger)
        ? readFileSync(ledger, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
    attempts: async (task) => JSON.parse((await command('history', task, '--json')).stdout).attempts,
    statuses: async () =>
      Object.fromEntries(
        JSON.parse((await command('status', '--json')).stdout).tasks.map(
          (task: { task_id: string; status: string }) => [task.task_id, task.status],
        ),
      ),
    change: (agent, change) => {
      const written = JSON.parse(readFileSync(config, 'utf8'));
      written.agents[agent] = change(written.agents[agent]);
      writeFileSync(config, JSON.stringify(written));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A task that is done when its file says so. */
export function fileTask(id: string, more: object = {}): object {
  const check = { file_contains: { path: `done-${id}.txt`, pattern: '^done$' } };
  return {
    task_id: id,
    intent: `Make ${id}`,
    instructions: `Write done-${id}.txt`,
    acceptance_criteria: [{ text: 'the file says done', check }],
    ...more,
  };
}

function initGit(project: string): void {
  const env = {
    PATH: process.env.PATH,
    HOME: project,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 't',
    GIT_AUTHOR_EMAIL: 't@example.com',
    GIT_COMMITTER_NAME: 't',
    GIT_COMMITTER_EMAIL: 't@example.com',
  };
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'first'],
  ])
    execFileSync('git', args, { cwd: project, env });
}
