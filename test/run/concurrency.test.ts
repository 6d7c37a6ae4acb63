// Several tasks at once, each in a worktree of its own: what passed is in the project afterwards, and nothing else.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { foreword } from '../foreword.ts';
import { scaled } from '../scale.ts';
import { type Field, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const AGENTS = { first: ['follows'] } as const;
let field: Field;
afterEach(() => field.remove());

type Deed = readonly [string, ...(string | number)[]];

/** Done when `path` holds `pattern`. */
function task(id: string, deeds: readonly Deed[], done: { path: string; pattern: string }, more: object = {}): object {
  return {
    task_id: id,
    intent: `Make ${id}`,
    instructions: `do: ${JSON.stringify(deeds)}`,
    acceptance_criteria: [{ text: 'it is done', check: { file_contains: done } }],
    retry_policy: { max_retries: 0 },
    ...more,
  };
}

const writes = (id: string, ms = 0, more: object = {}) =>
  task(
    id,
    [
      ['sleep', ms],
      ['write', `${id}.txt`, `${id}\n`],
    ],
    { path: `${id}.txt`, pattern: `^${id}$` },
    more,
  );

function git(...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: field.folder, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', args, { cwd: field.project, env, encoding: 'utf8' }).trimEnd();
}

const commit = () => {
  git('add', '--all', '--', ':!.foreword');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'more');
};
const put = (path: string, text: string) => writeFileSync(join(field.project, path), text);
const text = (path: string) => readFileSync(resolve(field.project, path), 'utf8');
const has = (path: string) => existsSync(join(field.project, path));
const worktrees = () => git('worktree', 'list', '--porcelain').match(/^worktree .*$/gm)?.length;
const status = () =>
  git('status', '--porcelain', '--untracked-files=all')
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith('.foreword/.gitignore'));
const reason = async (id: string) =>
  JSON.parse((await field.command('status', '--json')).stdout).tasks.find(
    (each: { task_id: string }) => each.task_id === id,
  ).reason as string;

function ends(): readonly { task: string; startedAt: number; endedAt: number; cwd: string }[] {
  const lines = readFileSync(join(field.folder, 'ledger.jsonl.ends'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('twelve tasks, four at once: all their files are in the project, and no worktree is left', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
  field = makeField({ agents: AGENTS, tasks: ids.map((id) => writes(id, 600)) });
  const head = git('rev-parse', 'HEAD');
  const { status: code, stderr } = await field.run('--concurrency', '4');
  expect([code, stderr]).toEqual([0, '']);
  for (const id of ids) expect(text(`${id}.txt`)).toBe(`${id}\n`);
  const runs = ends();
  const most = Math.max(
    ...runs.map((run) => runs.filter((r) => r.startedAt <= run.startedAt && r.endedAt > run.startedAt).length),
  );
  expect(most).toBeGreaterThanOrEqual(3);
  expect(most).toBeLessThanOrEqual(4);
  expect(new Set(runs.map((run) => run.cwd)).size).toBe(12);
  expect(worktrees()).toBe(1);
  expect(existsSync(join(field.project, '.git/worktrees'))).toBe(false);
  expect(status()).toEqual(ids.map((id) => `?? ${id}.txt`).sort());
  expect([git('rev-parse', 'HEAD'), git('diff', '--cached', '--name-only')]).toEqual([head, '']);
});

test('two tasks on the same line: one is completed, the other waits for review with its work, the project has the first whole', async () => {
  const both = (id: string, ms: number) =>
    task(
      id,
      [
        ['replace', 'readme.txt', 'a project', `${id} was here`],
        ['write', `${id}.txt`, `${id}\n`],
        ['sleep', ms],
      ],
      { path: 'readme.txt', pattern: `${id} was here` },
    );
  field = makeField({ agents: AGENTS, tasks: [both('a', 300), both('b', 1500)] });
  const { status: code, stdout } = await field.run('--concurrency', '2');
  expect(code).toBe(1);
  expect(await field.statuses()).toEqual({ a: 'completed', b: 'needs-review' });
  expect([text('readme.txt'), has('a.txt'), has('b.txt')]).toEqual(['a was here\n', true, false]);
  const why = await reason('b');
  expect(why).toMatch(
    /^passed, but in conflict with changes made meanwhile: readme\.txt; the work is kept in \/.*\/\.local\/state\/foreword\/projects\/p[0-9a-f]{16}\/runs\/b-/,
  );
  expect(stdout).toContain(why);
  const kept = /kept in (\S+)$/.exec(why)?.[1] ?? '';
  expect(text(join(kept, 'readme.txt'))).toBe('b was here\n');
  expect(worktrees()).toBe(2);
  // The next run begins anew, on what is there now. What it was to replace is gone, so it fails and changes nothing.
  await field.run('--concurrency', '2');
  expect(text('readme.txt')).toBe('a was here\n');
});

test('two tasks on different lines of one file: both are in it', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}.\n`).join('');
  const on = (id: string, line: string, ms: number) =>
    task(
      id,
      [
        ['replace', 'lines.txt', line, id],
        ['sleep', ms],
      ],
      { path: 'lines.txt', pattern: `^${id}$` },
    );
  field = makeField({ agents: AGENTS, tasks: [on('a', 'line 2.', 200), on('b', 'line 17.', 1200)] });
  put('lines.txt', lines);
  commit();
  expect((await field.run('--concurrency', '2')).status).toBe(0);
  expect(text('lines.txt')).toBe(lines.replace('line 2.', 'a').replace('line 17.', 'b'));
  expect(worktrees()).toBe(1);
});

test('a failed task leaves nothing in the project, and says where its work is', async () => {
  field = makeField({
    agents: AGENTS,
    tasks: [task('bad', [['write', 'bad.txt', 'x\n']], { path: 'bad.txt', pattern: '^good$' }), writes('good')],
  });
  expect((await field.run('--concurrency', '2')).status).toBe(1);
  expect(await field.statuses()).toEqual({ bad: 'failed', good: 'completed' });
  expect(status()).toEqual(['?? good.txt']);
  const kept = /kept in (\S+)$/.exec(await reason('bad'))?.[1] ?? '';
  expect(text(join(kept, 'bad.txt'))).toBe('x\n');
});

test('a task that depends on another sees its work', async () => {
  const after = task('b', [['copy', 'a.txt', 'b.txt']], { path: 'b.txt', pattern: '^a$' }, { depends_on: ['a'] });
  field = makeField({ agents: AGENTS, tasks: [writes('a', 200), after, writes('c', 200)] });
  expect((await field.run('--concurrency', '3')).status).toBe(0);
  expect(text('b.txt')).toBe('a\n');
});

test('work of the person that is not committed is seen by the tasks and stays as it is', async () => {
  const see = task(
    'see',
    [
      ['copy', 'readme.txt', 'seen-readme.txt'],
      ['copy', 'src/new.txt', 'seen-new.txt'],
      ['delete', 'src/old.txt'],
      ['executable', 'run.sh'],
      ['link', 'readme.txt', 'readme-link'],
      ['write', 'node_modules/x/answer.txt', '42\n'],
    ],
    { path: 'seen-new.txt', pattern: '^new$' },
  );
  field = makeField({ agents: AGENTS, tasks: [see, writes('other')] });
  for (const folder of ['src', 'node_modules/x']) mkdirSync(join(field.project, folder), { recursive: true });
  put('.gitignore', 'node_modules/\nsecret.txt\n');
  put('src/old.txt', 'old\n');
  put('run.sh', '#!/bin/sh\n');
  put('gone.txt', 'gone\n');
  commit();
  put('readme.txt', 'changed by me\n');
  put('src/new.txt', 'new\n');
  put('secret.txt', 's\n');
  put('staged.txt', 'staged\n');
  git('add', 'staged.txt');
  git('rm', '-q', '--cached', 'gone.txt');
  const staged = git('diff', '--cached');
  const { status: code, stdout } = await field.run('--concurrency', '2');
  expect([code, stdout]).toEqual([0, expect.stringContaining('see: completed')]);
  expect([text('seen-readme.txt'), text('seen-new.txt')]).toEqual(['changed by me\n', 'new\n']);
  expect([text('readme.txt'), text('src/new.txt'), text('secret.txt')]).toEqual(['changed by me\n', 'new\n', 's\n']);
  expect([has('src/old.txt'), readlinkSync(join(field.project, 'readme-link'))]).toEqual([false, 'readme.txt']);
  expect(statSync(join(field.project, 'run.sh')).mode & 0o111).toBe(0o111);
  expect(lstatSync(join(field.project, 'node_modules')).isDirectory()).toBe(true);
  expect(text('node_modules/x/answer.txt')).toBe('42\n');
  expect(git('diff', '--cached')).toBe(staged);
});

test('an ignored file of the person is not overwritten by a task that stops ignoring it', async () => {
  const deeds: Deed[] = [
    ['write', '.gitignore', '# nothing\n'],
    ['write', 'local.env', 'mine\n'],
  ];
  field = makeField({ agents: AGENTS, tasks: [task('a', deeds, { path: 'local.env', pattern: '^mine$' })] });
  put('.gitignore', 'local.env\n');
  commit();
  put('local.env', 'theirs\n');
  expect((await field.run('--concurrency', '2')).status).toBe(1);
  expect(await reason('a')).toContain('meanwhile: local.env;');
  expect([text('local.env'), text('.gitignore')]).toEqual(['theirs\n', 'local.env\n']);
});

test.each(Array.from({ length: scaled(20) }, (_, index) => index))(
  'killed at any moment and started again: all completed, nothing doubled, no worktree left (%i)',
  async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `t${String(index).padStart(2, '0')}`);
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}.\n`).join('');
    const tasks = ids.map((id, index) =>
      task(
        id,
        [
          ['replace', 'lines.txt', `line ${index * 5}.`, id],
          ['sleep', 50],
          ['write', `${id}.txt`, `${id}\n`],
        ],
        { path: 'lines.txt', pattern: `^${id}$` },
      ),
    );
    field = makeField({ agents: AGENTS, tasks, settings: { run: { maxAgentFailures: 1000 } } });
    put('lines.txt', lines);
    commit();
    let kills = 0;
    for (;;) {
      const env = { PATH: process.env.PATH, HOME: field.folder };
      const args = [MAIN, ...field.args, '--concurrency', '4'];
      const child = spawn(process.execPath, args, { cwd: field.project, env, stdio: 'ignore' });
      const exit = new Promise<boolean>((resolve) => child.once('exit', () => resolve(true)));
      // Later each time, so that a slow machine comes to an end too.
      const afterMs = 300 + Math.random() * 900 + kills * 100;
      const moment = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), afterMs));
      if (await Promise.race([exit, moment])) break;
      child.kill('SIGKILL');
      await exit;
      kills += 1;
      // Once with one at a time: what was begun in a worktree is gone on with there.
      if (kills === 2) expect((await field.run('--only', 't11')).status).toBe(0);
    }
    expect(kills).toBeGreaterThan(0);
    const { status: code } = await field.run('--concurrency', '4');
    expect([code, new Set(Object.values(await field.statuses()))]).toEqual([0, new Set(['completed'])]);
    for (const id of ids) expect(text(`${id}.txt`)).toBe(`${id}\n`);
    expect(text('lines.txt')).toBe(ids.reduce((all, id, index) => all.replace(`line ${index * 5}.`, id), lines));
    expect(worktrees()).toBe(1);
    expect(status()).toEqual([' M lines.txt', ...ids.map((id) => `?? ${id}.txt`)]);
  },
  600_000,
);

test('two supervisors, two at once each: every task once, and everything in the project', async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `t${index}`);
  field = makeField({ agents: AGENTS, tasks: ids.map((id) => writes(id, 50)) });
  const codes = await Promise.all([field.run('--concurrency', '2'), field.run('--concurrency', '2')]);
  expect(codes.map((ran) => [ran.status, ran.stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(field.ledger()).toHaveLength(10);
  expect(status()).toEqual(ids.map((id) => `?? ${id}.txt`).sort());
  expect(worktrees()).toBe(1);
});

test('a project in a folder of a larger repository is worked on there', async () => {
  field = makeField({ agents: AGENTS, tasks: [writes('a'), writes('b')] });
  const inner = join(field.project, 'packages/inner');
  mkdirSync(join(inner, '.foreword'), { recursive: true });
  writeFileSync(join(inner, 'new.txt'), 'not committed\n');
  const { status: code, stderr } = await foreword([...field.args, '--concurrency', '2'], { cwd: inner });
  expect([code, stderr]).toEqual([0, '']);
  expect([text('packages/inner/a.txt'), text('packages/inner/b.txt')]).toEqual(['a\n', 'b\n']);
  expect(ends().every((end) => end.cwd.endsWith('/packages/inner'))).toBe(true);
  expect(worktrees()).toBe(1);
});

test('without a repository, or before its first commit, it is refused with what to do', async () => {
  field = makeField({ agents: AGENTS, tasks: [writes('a')], isGit: false });
  const { status: code, stderr } = await field.run('--concurrency', '2');
  expect([code, stderr]).toEqual([2, expect.stringContaining('--concurrency 1')]);
  git('init', '-q');
  expect((await field.run('--concurrency', '2')).stderr).toContain('first commit');
  expect((await field.run('--concurrency', 'many')).stderr).toContain('whole number from 1 to 32');
  expect((await field.run('--concurrency', '1')).status).toBe(0);
});
