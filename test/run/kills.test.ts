// kill -9 at any moment of `run` and of everything that a person does with its work. Afterwards the same command is run again to its
// end: nothing is lost, nothing doubled, the person's repository is as git says, and `clean` finds what is left.

import { spawn } from 'node:child_process';
import { existsSync, lutimesSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { Ran } from '../foreword.ts';
import { scaled } from '../scale.ts';
import { type Field, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let field: Field;
afterEach(() => field.remove());

/** How long each command takes here, so that the moment is anywhere in it. */
const usual: Record<string, number> = { run: 2500, clean: 900 };
const moments: string[] = [];

/** Starts the command and kills it; half of the time with everything that it started in its own process group. */
async function killed(...words: string[]): Promise<void> {
  const [name = ''] = words;
  const args = [MAIN, ...words, ...field.args.slice(2)];
  const env = { PATH: process.env.PATH ?? '', HOME: field.folder, FOREWORD_CHECKOUTS: field.folder };
  const child = spawn(process.execPath, args, { cwd: field.project, env, stdio: 'ignore', detached: true });
  const exit = new Promise<boolean>((resolve) => child.once('exit', () => resolve(true)));
  const afterMs = Math.random() * (usual[name] ?? 600);
  const isGroup = Math.random() < 0.5;
  const isOver = await Promise.race([exit, pause(afterMs, false)]);
  if (!isOver) process.kill(isGroup ? -(child.pid as number) : (child.pid as number), 'SIGKILL');
  await exit;
  moments.push(
    `${words.slice(0, 2).join(' ')}: ${isOver ? 'over' : `${Math.round(afterMs)} ms${isGroup ? ', all' : ''}`}`,
  );
}

async function again(...words: string[]): Promise<Ran> {
  const [name = ''] = words;
  const begun = performance.now();
  const ran = await field.command(...words);
  usual[name] = Math.min(performance.now() - begun, 4000);
  return ran;
}

/** Whatever the killed one did, it is done now. */
async function killedAndDone(command: readonly string[], isDone: RegExp): Promise<void> {
  await killed(...command);
  const ran = await again(...command);
  if (ran.status !== 0) expect(ran.stderr, moments.join('\n')).toMatch(isDone);
}

function taskFile(name: string): string {
  const task = (id: string, criterion: unknown, ms: number) => ({
    task_id: `${name}-${id}`,
    intent: `Make ${name}-${id}`,
    instructions: `do: ${JSON.stringify([
      ['sleep', ms],
      ['write', `${name}-${id}.txt`, `${id}\n`],
    ])}`,
    acceptance_criteria: [criterion],
  });
  const there = (id: string) => ({ text: 'it is there', check: { file_exists: `${name}-${id}.txt` } });
  const tasks = [
    ...['a', 'b', 'c'].map((id) => task(id, there(id), 100)),
    ...['v', 'w'].map((id) => task(id, 'it is beautiful', 0)),
  ];
  const path = join(field.folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(tasks));
  return path;
}

const IDS = ['a', 'b', 'c', 'v', 'w'];
const branchOf = (name: string) =>
  field.git('for-each-ref', '--format=%(refname:short)', `refs/heads/foreword/${name}-*`).split('\n').filter(Boolean);

/** Tasks of the round by the commits on the branch that hold their work, sorted, without those that were taken back. */
function commits(name: string, branch: string): readonly string[] {
  const log = field.git('log', '-z', '--reverse', '--format=%H%n%B', branch).split('\0');
  const reverted = new Set(log.flatMap((entry) => /^Foreword-Reverts: (.*)$/m.exec(entry)?.[1] ?? []));
  return log
    .filter((entry) => !reverted.has(entry.split('\n')[0] ?? ''))
    .flatMap((entry) => /^Foreword-Task: (.*)$/m.exec(entry)?.[1] ?? [])
    .filter((id) => id.startsWith(`${name}-`))
    .toSorted();
}

async function checkRecords(name: string): Promise<void> {
  for (const id of IDS) {
    const attempts = await field.attempts(`${name}-${id}`);
    expect(attempts.map(({ attemptNumber }) => attemptNumber)).toEqual(attempts.map((_, index) => index + 1));
    expect(attempts.every(({ commit }) => commit !== undefined)).toBe(true);
    // An attempt is recorded before its agent starts, so none of them is missing.
    const starts = field.ledger().filter(({ task }) => task === `${name}-${id}`).length;
    expect(starts, moments.join('\n')).toBeLessThanOrEqual(attempts.length);
  }
}

const person = () => [
  field.git('rev-parse', 'HEAD'),
  field.git('status', '--porcelain'),
  field.git('stash', 'list'),
  field.git('diff', '--cached', '--name-only'),
];

/** A merge that was killed with git in it is git's to end; foreword says how. */
async function mergedAtLast(branch: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const ran = await again('merge');
    if (ran.status === 0) return;
    const lock = join(field.project, '.git/index.lock');
    const text = ran.stdout + ran.stderr;
    if (/Every run of this project is merged/.test(text)) return;
    expect([tries, text]).toEqual([expect.toSatisfy((n: number) => n < 3), expect.any(String)]);
    if (existsSync(lock)) {
      expect(text).toMatch(/index\.lock/);
      rmSync(lock);
    } else if (/git merge --abort/.test(text)) field.git('merge', '--abort');
    else {
      expect(text).toMatch(/uncommitted work/);
      field.git('reset', '--hard', '--quiet', 'HEAD');
      field.git('clean', '-fdq', '--', ':!.foreword');
    }
    expect(field.git('rev-parse', '--verify', branch)).toMatch(/^[0-9a-f]{40}$/);
  }
}

/** Nothing is young any more. */
function age(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) age(path);
    else lutimesSync(path, 0, 0);
  }
}

test(`killed at ${scaled(100)} moments: nothing lost, nothing doubled, nothing left that clean does not find`, async () => {
  field = makeField({
    agents: { first: ['follows'] },
    tasks: [],
    settings: { run: { maxAgentFailures: 1000 } },
  });
  field.git('config', 'user.name', 'me');
  field.git('config', 'user.email', 'me@example.invalid');
  for (let round = 0; moments.length < scaled(100); round += 1) {
    const name = `r${round}`;
    const run = ['run', taskFile(name), '--concurrency', '2'] as const;
    const before = person();
    const states = async (...wanted: string[]) => {
      const all = await field.statuses();
      expect(
        IDS.map((id) => `${id} ${all[`${name}-${id}`]}`),
        moments.join('\n'),
      ).toEqual(wanted.map((status, index) => `${IDS[index]} ${status}`));
    };

    await killed(...run);
    // What waits for a person is exit code 1.
    expect((await again(...run)).stderr, moments.join('\n')).toBe('');
    await states('completed', 'completed', 'completed', 'needs-review', 'needs-review');
    const [branch = ''] = branchOf(name);
    expect(branchOf(name)).toHaveLength(1);
    expect(commits(name, branch)).toEqual(['a', 'b', 'c'].map((id) => `${name}-${id}`));

    await killedAndDone(['accept', `${name}-v`], /is completed already|there is nothing to accept/);
    await killedAndDone(['undo', `${name}-a`], /is not completed: it is queued/);
    await killedAndDone(['reject', `${name}-w`, '--because', 'not like this'], /was sent back already/);
    await states('queued', 'completed', 'completed', 'completed', 'queued');
    expect(commits(name, branch)).toEqual(['b', 'c', 'v'].map((id) => `${name}-${id}`));

    await killed(...run);
    expect((await again(...run)).stderr, moments.join('\n')).toBe('');
    await states('completed', 'completed', 'completed', 'completed', 'needs-review');
    await killedAndDone(['accept', `${name}-w`], /is completed already|there is nothing to accept/);
    expect(commits(name, branch)).toEqual(IDS.map((id) => `${name}-${id}`));
    await checkRecords(name);
    expect(person()).toEqual(before);

    await killed('merge');
    await mergedAtLast(branch);
    expect(commits(name, 'HEAD')).toEqual(IDS.map((id) => `${name}-${id}`));
    expect(person().slice(1)).toEqual(['', '', '']);

    await killed('clean');
    const cleaned = await again('clean');
    expect([cleaned.status, cleaned.stderr]).toEqual([0, '']);
    expect(branchOf(name), moments.join('\n')).toEqual([]);
    await vi.waitFor(() => expect(field.living()).toEqual([]), { timeout: 10_000 });
  }
  field.git('fsck', '--strict');
  const projects = join(field.folder, '.local/state/foreword/projects');
  const project = join(projects, readdirSync(projects).find((name) => name.startsWith('p')) ?? '');
  age(join(project, 'work.git'));
  age(join(project, 'checkouts'));
  await field.command('clean');
  expect((await field.command('clean')).stdout).toBe('Nothing to clean.\n');
  expect(
    readdirSync(project)
      .filter((name) => !/^foreword\.db/.test(name))
      .toSorted(),
  ).toEqual(['at-work', 'base-objects', 'checkouts', 'project.json', 'runs', 'trees', 'work.git']);
  expect(readdirSync(join(project, 'checkouts'))).toEqual(['turns']);
  const files = readdirSync(join(project, 'work.git'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => /\.lock$|tmp_|\.tmp$/.test(path))).toEqual([]);
}, 900_000);
