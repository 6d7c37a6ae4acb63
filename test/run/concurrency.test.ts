// Several tasks at once, each in a checkout of its own: what passed is on the run's branch afterwards, and nothing else.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { foreword } from '../foreword.ts';
import { longTest } from '../long.ts';
import { IS_LONG } from '../scale.ts';
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
const text = (path: string) => readFileSync(join(field.project, path), 'utf8');
const status = () =>
  git('status', '--porcelain', '--untracked-files=all')
    .split('\n')
    .filter((line) => line !== '');

function ends(): readonly { task: string; startedAt: number; endedAt: number; cwd: string }[] {
  const lines = readFileSync(join(field.folder, 'ledger', 'ledger.jsonl.ends'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('twelve tasks, four at once: all their files are on the branch, each a commit, and the project is as it was', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
  // In boxes all would see the same path.
  const settings = { run: { confine: 'off' } };
  field = makeField({ agents: AGENTS, tasks: ids.map((id) => writes(id, 600)), settings });
  const head = git('rev-parse', 'HEAD');
  const { status: code, stdout, stderr } = await field.run('--concurrency', '4');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^On branch foreword\/tasks-[0-9a-f]{4}: 12 commits\. foreword diff shows them, foreword merge takes them over\.$/m,
  );
  for (const id of ids) expect(field.onBranch(`${id}.txt`)).toBe(id);
  expect(field.subjects().toSorted()).toEqual(ids.map((id) => `Make ${id}`).sort());
  const runs = ends();
  const most = Math.max(
    ...runs.map((run) => runs.filter((r) => r.startedAt <= run.startedAt && r.endedAt > run.startedAt).length),
  );
  expect(most).toBeGreaterThanOrEqual(3);
  expect(most).toBeLessThanOrEqual(4);
  expect(new Set(runs.map((run) => run.cwd)).size).toBe(4);
  expect(status()).toEqual([]);
  expect([git('rev-parse', 'HEAD'), git('diff', '--cached', '--name-only')]).toEqual([head, '']);
});

test('two tasks on the same line: one is completed, the other is done once more on top of it', async () => {
  const both = (id: string, ms: number) =>
    task(
      id,
      [
        ['write', 'readme.txt', `${id} was here\n`],
        ['write', `${id}.txt`, `${id}\n`],
        ['sleep', ms],
      ],
      { path: 'readme.txt', pattern: `${id} was here` },
    );
  field = makeField({ agents: AGENTS, tasks: [both('a', 300), both('b', 1500)] });
  const { status: code, stdout } = await field.run('--concurrency', '2');
  expect([code, await field.statuses()]).toEqual([0, { a: 'completed', b: 'completed' }]);
  // No check failed.
  expect(stdout).not.toMatch(/validation(_| )fail/);
  expect(stdout).toContain('b: validation passed, but its work is in conflict with what was completed meanwhile');
  expect(stdout).toMatch(/b: attempt 1 by \w+ failed: conflict /);
  expect([field.onBranch('readme.txt'), field.subjects()]).toEqual(['b was here', ['Make a', 'Make b']]);
  expect((await field.attempts('b')).map((attempt) => attempt.validationErrors)).toEqual([
    ['merge: passed, but in conflict with changes made meanwhile: readme.txt'],
    [],
  ]);
  expect(status()).toEqual([]);
});

longTest('two tasks on different lines of one file: both are in it', async () => {
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
  expect(`${field.onBranch('lines.txt')}\n`).toBe(lines.replace('line 2.', 'a').replace('line 17.', 'b'));
  expect(text('lines.txt')).toBe(lines);
});

test('work that passes alone and fails together with what was merged meanwhile is not committed', async () => {
  // Each is right as long as the other is not there.
  const only = (id: string, other: string, ms: number) => ({
    ...(writes(id, ms) as object),
    acceptance_criteria: [
      { text: 'it is there', check: { file_exists: `${id}.txt` } },
      { text: 'alone', check: { not_file_exists: `${other}.txt` } },
    ],
  });
  field = makeField({ agents: AGENTS, tasks: [only('a', 'b', 100), only('b', 'a', 1200)] });
  expect((await field.run('--concurrency', '2')).status).toBe(1);
  expect(await field.statuses()).toEqual({ a: 'completed', b: 'failed' });
  expect([field.subjects(), field.changedOnBranch()]).toEqual([['Make a'], ['a.txt']]);
  expect(field.ledger()).toHaveLength(2);
});

test('a failed task leaves nothing anywhere but its attempt, and says how to see it', async () => {
  field = makeField({
    agents: AGENTS,
    tasks: [task('bad', [['write', 'bad.txt', 'x\n']], { path: 'bad.txt', pattern: '^good$' }), writes('good')],
  });
  expect((await field.run('--concurrency', '2')).status).toBe(1);
  expect(await field.statuses()).toEqual({ bad: 'failed', good: 'completed' });
  expect([status(), field.changedOnBranch()]).toEqual([[], ['good.txt']]);
  const { tasks } = JSON.parse((await field.command('status', '--json')).stdout);
  expect(tasks[0]).toMatchObject({ task_id: 'bad', commands: expect.arrayContaining(['foreword diff bad']) });
  expect((await field.attempts('bad'))[0]?.commit).toMatch(/^[0-9a-f]{40}$/);
});

test('a task that depends on another sees its work', async () => {
  const after = task('b', [['copy', 'a.txt', 'b.txt']], { path: 'b.txt', pattern: '^a$' }, { depends_on: ['a'] });
  field = makeField({ agents: AGENTS, tasks: [writes('a', 200), after, writes('c', 200)] });
  expect((await field.run('--concurrency', '3')).status).toBe(0);
  expect(field.onBranch('b.txt')).toBe('a');
});

test('work of the person that is not committed is named, not seen by the tasks, and stays as it is', async () => {
  const see = task(
    'see',
    [
      ['copy', 'readme.txt', 'seen-readme.txt'],
      ['delete', 'src/old.txt'],
      ['executable', 'run.sh'],
      ['link', 'readme.txt', 'readme-link'],
      ['write', 'node_modules/x/answer.txt', '42\n'],
      ['copy', 'node_modules/x/kept.txt', 'seen-module.txt'],
    ],
    { path: 'seen-readme.txt', pattern: '^a project$' },
  );
  field = makeField({ agents: AGENTS, tasks: [see, writes('other')] });
  for (const folder of ['src', 'node_modules/x']) mkdirSync(join(field.project, folder), { recursive: true });
  put('.gitignore', 'node_modules/\nsecret.txt\n');
  put('src/old.txt', 'old\n');
  put('node_modules/x/kept.txt', 'kept\n');
  put('run.sh', '#!/bin/sh\n');
  put('gone.txt', 'gone\n');
  commit();
  put('readme.txt', 'changed by me\n');
  put('src/new.txt', 'new\n');
  put('secret.txt', 's\n');
  put('staged.txt', 'staged\n');
  git('add', 'staged.txt');
  git('rm', '-q', '--cached', 'gone.txt');
  const before = [git('diff', '--cached'), status(), git('stash', 'list')];
  const { status: code, stdout } = await field.run('--concurrency', '2');
  expect([code, stdout]).toEqual([0, expect.stringContaining('see: completed')]);
  expect(stdout).toContain('agents do not see 4 uncommitted files: gone.txt, readme.txt, src/new.txt, staged.txt\n');
  expect(field.changedOnBranch()).toEqual([
    'other.txt',
    'readme-link',
    'run.sh',
    'seen-module.txt',
    'seen-readme.txt',
    'src/old.txt',
  ]);
  expect(field.onBranch('seen-module.txt')).toBe('kept');
  expect([git('diff', '--cached'), status(), git('stash', 'list')]).toEqual(before);
  expect([text('readme.txt'), text('src/new.txt'), text('secret.txt')]).toEqual(['changed by me\n', 'new\n', 's\n']);
  expect(existsSync(join(field.project, 'node_modules/x/answer.txt'))).toBe(false);
});

longTest('an ignored file of the person is not seen by a task that stops ignoring it', async () => {
  const deeds: Deed[] = [
    ['write', '.gitignore', '# nothing\n'],
    ['write', 'local.env', 'mine\n'],
  ];
  field = makeField({ agents: AGENTS, tasks: [task('a', deeds, { path: 'local.env', pattern: '^mine$' })] });
  put('.gitignore', 'local.env\n');
  commit();
  put('local.env', 'theirs\n');
  expect((await field.run('--concurrency', '2')).status).toBe(0);
  expect([text('local.env'), text('.gitignore')]).toEqual(['theirs\n', 'local.env\n']);
  expect(field.onBranch('local.env')).toBe('mine');
});

test.each(Array.from({ length: IS_LONG ? 20 : 1 }, (_, index) => index))(
  'killed at any moment and started again: all completed, each task one commit (%i)',
  async () => {
    const ids = Array.from({ length: IS_LONG ? 12 : 6 }, (_, index) => `t${String(index).padStart(2, '0')}`);
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
      const env = { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder };
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
      // Once with one at a time: what was begun in a checkout is gone on with there.
      if (kills === 2) expect((await field.run('--only', ids.at(-1) ?? '')).status).toBe(0);
    }
    expect(kills).toBeGreaterThan(0);
    const { status: code } = await field.run('--concurrency', '4');
    expect([code, new Set(Object.values(await field.statuses()))]).toEqual([0, new Set(['completed'])]);
    for (const id of ids) expect(field.onBranch(`${id}.txt`)).toBe(id);
    const all = ids.reduce((so, id, index) => so.replace(`line ${index * 5}.`, id), lines);
    expect(`${field.onBranch('lines.txt')}\n`).toBe(all);
    expect(field.subjects().toSorted()).toEqual(ids.map((id) => `Make ${id}`));
    expect([status(), text('lines.txt')]).toEqual([[], lines]);
    git('fsck', '--strict');
  },
  600_000,
);

longTest('two supervisors, two at once each: every task once, and everything on one branch', async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `t${index}`);
  field = makeField({ agents: AGENTS, tasks: ids.map((id) => writes(id, 50)) });
  const codes = await Promise.all([field.run('--concurrency', '2'), field.run('--concurrency', '2')]);
  expect(codes.map((ran) => [ran.status, ran.stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(field.ledger()).toHaveLength(10);
  expect(field.changedOnBranch().toSorted()).toEqual(ids.map((id) => `${id}.txt`).sort());
  expect(status()).toEqual([]);
});

test('a project in a folder of a larger repository is worked on there, with paths from its own root', async () => {
  const [inside, beyond] = [writes('a', 0, { targets: ['a.txt'] }), writes('b', 0, { targets: ['b.txt'] })];
  const outside = task('c', [['write', '../../c.txt', 'c\n']], { path: 'readme.md', pattern: 'x' });
  field = makeField({ agents: AGENTS, tasks: [inside, beyond, outside] });
  const inner = join(field.project, 'packages/inner');
  mkdirSync(join(inner, '.foreword'), { recursive: true });
  writeFileSync(join(inner, 'readme.md'), 'x\n');
  commit();
  writeFileSync(join(inner, 'new.txt'), 'not committed\n');
  const at = { cwd: inner, env: { HOME: field.folder } };
  const { status: code, stderr, stdout } = await foreword([...field.args, '--concurrency', '2'], at);
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('agents do not see 1 uncommitted file: new.txt\n');
  expect(field.changedOnBranch()).toEqual(['packages/inner/a.txt', 'packages/inner/b.txt']);
  expect(ends().every((end) => end.cwd.endsWith('/packages/inner'))).toBe(true);
  const { attempts } = JSON.parse((await foreword(['history', 'c', '--json'], at)).stdout);
  expect(attempts[0]).toMatchObject({ files_created: ['../../c.txt'] });
  expect(attempts[0].validationErrors[0]).toBe('policy: outside the targets of the task: ../../c.txt');
});

longTest('several at once work before the first commit too, and without a repository', async () => {
  field = makeField({ agents: AGENTS, tasks: [writes('a'), writes('b')], isGit: false });
  expect((await field.run('--concurrency', 'many')).stderr).toContain('whole number from 1 to 32');
  const { status: code, stdout, stderr } = await field.run('--concurrency', '2');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^On branch foreword\/tasks-[0-9a-f]{4}: 2 commits\. foreword diff shows them, foreword merge takes them over\.$/m,
  );
  expect(field.changedOnBranch()).toEqual(['a.txt', 'b.txt']);
  field.remove();

  field = makeField({ agents: AGENTS, tasks: [writes('a'), writes('b')], isGit: false });
  git('init', '-q');
  const unborn = await field.run('--concurrency', '2');
  expect([unborn.status, unborn.stderr]).toEqual([0, '']);
  const [branch = ''] = git('for-each-ref', '--format=%(refname)').split('\n');
  expect(git('ls-tree', '-r', '--name-only', branch)).toBe('a.txt\nb.txt');
  expect(status()).toEqual(['?? readme.txt']);
});
