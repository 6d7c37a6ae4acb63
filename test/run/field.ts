// A project with tasks and scripted agents, run by the built command as a user does.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** What one start of an agent read. */
export interface ReadPrompt {
  readonly behaviour: string;
  readonly task: string;
  readonly cwd: string;
  readonly prompt: string;
}

export interface Field {
  readonly folder: string;
  readonly project: string;
  readonly args: readonly string[];
  run(...more: string[]): Promise<Ran>;
  /** With other environment variables. */
  runWith(env: Readonly<Record<string, string>>, ...more: string[]): Promise<Ran>;
  command(...args: string[]): Promise<Ran>;
  /** Every start of an agent, written by the agents themselves. */
  ledger(): readonly LedgerLine[];
  /** Processes of this machine that are scripted agents of this field, or boxes of them. */
  living(): readonly number[];
  prompts(): readonly ReadPrompt[];
  attempts(task: string): Promise<readonly AttemptRecord[]>;
  statuses(): Promise<Readonly<Record<string, string>>>;
  /** Git of the person in the project. */
  git(...args: string[]): string;
  /** The branch of the only run; without git its commit in our own repository. */
  branch(): string;
  /** A file at the end of that branch; `undefined` when it is not there. */
  onBranch(path: string): string | undefined;
  /** Paths that the branch has and its base has not, or otherwise. */
  changedOnBranch(): readonly string[];
  /** Subjects of the commits on the branch, oldest first. */
  subjects(): readonly string[];
  /** Changes an agent's description in the configuration. */
  change(agent: string, change: (described: { oneshot: object }) => object): void;
  setTasks(tasks: readonly object[]): void;
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
  const isGit = options.isGit !== false;
  if (isGit) initGit(project);
  // Agents write it from their box, in which nothing else of the folder is.
  const notes = join(folder, 'ledger');
  mkdirSync(notes);
  const ledger = join(notes, 'ledger.jsonl');
  const linesOf = <T>(file: string): readonly T[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          // Another process may have made the file and not written to it yet.
          .filter(Boolean)
          .map((line) => JSON.parse(line) as T)
      : [];
  const agents = Object.fromEntries(
    Object.entries(options.agents).map(([name, [behaviour = '', ...more]]) => [
      name,
      { oneshot: { command: [process.execPath, AGENT, behaviour, ledger, ...more], prompt: 'stdin' } },
    ]),
  );
  const config = join(folder, 'config.json');
  const { run = {}, ...settings }: { readonly run?: object } = options.settings ?? {};
  const lineup = Object.keys(options.agents);
  writeFileSync(config, JSON.stringify({ lineup, agents, ...settings, run: { allow: [notes], ...run } }));
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify(options.tasks));
  const common = ['--config', config, ...(options.store === undefined ? [] : ['--store', options.store])];
  const args = ['run', join(folder, 'tasks.json'), ...common];
  // Not the project itself, in which our state would show as new files.
  const at = { cwd: project, env: { HOME: folder } };
  const gitIn = (cwd: string, ...words: string[]) => {
    const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', words, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  };
  const projects = join(folder, '.local/state/foreword/projects');
  const work = () => join(projects, readdirSync(projects).find((name) => name.startsWith('p')) ?? '', 'work.git');
  const repository = () => (isGit ? project : work());
  const refs = (pattern: string) =>
    gitIn(repository(), 'for-each-ref', '--format=%(refname)', pattern).split('\n').filter(Boolean);
  const branch = () => {
    const found = isGit ? refs('refs/heads/foreword/') : refs('refs/foreword/*/tip');
    if (found.length !== 1) throw new Error(`not one branch of a run: ${found.join(', ')}`);
    return found[0] as string;
  };
  const base = () => refs('refs/foreword/*/base')[0] ?? '';
  const command = (...words: string[]) => foreword([...words, ...common], at);
  return {
    folder,
    project,
    args,
    run: (...more) => foreword([...args, ...more], at),
    runWith: (env, ...more) => foreword([...args, ...more], { ...at, env: { ...at.env, ...env } }),
    command,
    ledger: () => linesOf(ledger),
    living: () => processesWith(ledger),
    prompts: () => linesOf(`${ledger}.prompts`),
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
    git: (...words) => gitIn(project, ...words),
    branch,
    onBranch: (path) => {
      try {
        return gitIn(repository(), 'cat-file', 'blob', `${branch()}:${path}`);
      } catch {
        return undefined;
      }
    },
    changedOnBranch: () => gitIn(repository(), 'diff', '--name-only', base(), branch()).split('\n').filter(Boolean),
    subjects: () =>
      gitIn(repository(), 'log', '--reverse', '--format=%s', branch(), `^${base()}`).split('\n').filter(Boolean),
    setTasks: (tasks) => writeFileSync(join(folder, 'tasks.json'), JSON.stringify(tasks)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Processes of this machine with this in their command line. */
export function processesWith(word: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        // Ended while we looked.
        return false;
      }
    });
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
