// What agents begin with: the person's last commit, or that with what they have not committed. Uncommitted work never gets into
// the branch of the run, nor into the person's repository.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { everything } from '../checkouts/field.ts';
import { longTest } from '../long.ts';
import { IS_LONG } from '../scale.ts';
import { type Field, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');

const AGENTS = { first: ['follows'] } as const;
const AS = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
/** Apart enough that git merges changes of both. */
const LINES = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
let field: Field;
afterEach(() => field.remove());

type Deed = readonly [string, ...(string | number)[]];

function task(id: string, deeds: readonly Deed[], more: object = {}): object {
  return {
    task_id: id,
    intent: `Make ${id}`,
    instructions: `do: ${JSON.stringify(deeds)}`,
    acceptance_criteria: [{ text: 'it is there', check: { file_exists: 'readme.txt' } }],
    retry_policy: { max_retries: 0 },
    ...more,
  };
}

const check = (command: string) => ({
  acceptance_criteria: [{ text: 'it works', check: { command: ['sh', '-c', command] } }],
});

const put = (path: string, text: string | Buffer) => {
  mkdirSync(dirname(join(field.project, path)), { recursive: true });
  writeFileSync(join(field.project, path), text);
};

const commit = (message: string) => {
  field.git('add', '.');
  field.git(...AS, 'commit', '-qm', message);
};

/** The text of a file with some lines exchanged. */
const text = (changes: Readonly<Record<number, string>> = {}) =>
  `${LINES.map((line, at) => changes[at + 1] ?? line).join('\n')}\n`;

/** A committed file, and changes to it that are not. */
function begin(tasks: readonly object[], settings: object = {}): void {
  field = makeField({ agents: AGENTS, tasks, settings });
  put('code.txt', text());
  put('.gitignore', 'ignored.txt\n');
  commit('code');
  put('code.txt', text({ 2: 'mine' }));
  put('new.txt', 'new\n');
  put('ignored.txt', 'ignored\n');
}

/** Everything of the person but objects and what a run may add. */
const personal = () => everything(field.project, /^\.git\/(objects|refs\/heads\/foreword|refs\/foreword)(\/|$)/);

/** Every object in the person's repository, whether a ref leads to it or not, as one text. */
function allObjects(): string {
  const ids = field.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)').split('\n');
  return ids
    .map((line) => line.split(' '))
    .filter(([, type]) => type === 'blob' || type === 'commit')
    .map(([id = '', type = '']) => field.git('cat-file', type, id))
    .join('\n');
}

/** Whether our own repository holds the file as it is now, not counting what it reads from the person's. */
function isInOurs(path: string): boolean {
  const id = field.git('hash-object', path);
  const projects = join(field.folder, '.local/state/foreword/projects');
  const found = spawnSync('find', [projects, '-path', `*/work.git/objects/${id.slice(0, 2)}/${id.slice(2)}`], {
    encoding: 'utf8',
  });
  const packed = spawnSync(
    'sh',
    ['-c', 'for i in "$1"/*/work.git/objects/pack/*.idx; do git show-index < "$i"; done', 'sh', projects],
    {
      encoding: 'utf8',
    },
  );
  return found.stdout !== '' || packed.stdout.includes(id);
}

/** Ends a run with SIGKILL, unless it was faster. */
async function killWhen(isTime: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...field.args, '--base', 'working'], {
    cwd: field.project,
    env: { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  for (let waited = 0; !isTime() && child.exitCode === null && waited < 20_000; waited += 20) await pause(20);
  child.kill('SIGKILL');
  await ended;
}

const reasonOf = async (id: string): Promise<string> =>
  JSON.parse((await field.command('status', '--json')).stdout).tasks.find(
    (one: { task_id: string }) => one.task_id === id,
  ).reason;

describe('with base head', () => {
  test('one uncommitted file is named at the start, and agents do not see it', async () => {
    field = makeField({ agents: AGENTS, tasks: [task('a', [['shell', 'cat draft.txt > copy.txt']])] });
    put('draft.txt', 'hours of work\n');
    const { stdout, status } = await field.run();
    expect([status, stdout.split('\n')[1]]).toEqual([
      0,
      expect.stringMatching(
        /begins on branch foreword\/tasks-\w{4}; agents do not see 1 uncommitted file: draft\.txt$/,
      ),
    ]);
    expect(field.onBranch('copy.txt')).toBe('');
  });

  longTest(
    'of 2,000 uncommitted files the first five are named, and those that the person ignores are not',
    async () => {
      field = makeField({ agents: AGENTS, tasks: [task('a', [['write', 'x', 'x']])] });
      for (let at = 0; at < 2000; at += 1) put(`f${String(at).padStart(4, '0')}.txt`, '');
      put('.git/info/exclude', '/private\n');
      put('private', 'mine alone\n');
      const { stdout } = await field.run();
      expect(stdout.split('\n')[1]).toMatch(
        /; agents do not see 2000 uncommitted files: f0000\.txt, f0001\.txt, f0002\.txt, f0003\.txt, f0004\.txt and 1995 more$/,
      );
    },
  );
});

describe('with base working', () => {
  const changes = task('a', [['replace', 'code.txt', 'line 18', 'agent']], check('grep -q agent code.txt'));

  test('agents see uncommitted changes, and neither the branch nor an object of the person gets them', async () => {
    begin([
      task('a', [
        ['replace', 'code.txt', 'line 18', 'agent'],
        ['shell', 'cat new.txt ignored.txt | wc -l > seen.txt'],
      ]),
    ]);
    const before = personal();
    const { stdout, stderr, status } = await field.run('--base', 'working');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')[1]).toMatch(/begins on branch foreword\/tasks-\w{4}; agents see 2 uncommitted files$/);
    expect(field.onBranch('code.txt')).toBe(text({ 18: 'agent' }).trimEnd());
    expect(field.onBranch('seen.txt')?.trim()).toBe('1');
    expect(field.changedOnBranch()).toEqual(['code.txt', 'seen.txt']);
    expect(personal()).toEqual(before);
    expect(allObjects()).not.toMatch(/^(mine|new)$/m);
    expect(field.git('rev-parse', `${field.branch()}^`)).toBe(field.git('rev-parse', 'HEAD'));
    const [attempt] = await field.attempts('a');
    expect(attempt).toMatchObject({ files_created: ['seen.txt'], files_updated: ['code.txt'] });
    for (const args of [
      ['diff', 'a'],
      ['diff', 'a', '--attempt', '1'],
    ]) {
      const shown = (await field.command(...args)).stdout;
      expect(shown).toContain('+agent');
      expect(shown).not.toMatch(/^[+-](mine|line 2|new)$/m);
    }
  });

  longTest('later tasks build on uncommitted changes and on completed tasks', async () => {
    const second = task('b', [['replace', 'code.txt', 'line 10', 'second']], {
      ...check('grep -q second code.txt'),
      depends_on: ['a'],
    });
    const third = task('c', [['shell', 'grep -c "mine\\|agent\\|second" code.txt > count.txt']], { depends_on: ['b'] });
    begin([changes, second, third], { run: { base: 'working' } });
    expect((await field.run()).status).toBe(0);
    expect(field.onBranch('code.txt')).toBe(text({ 18: 'agent', 10: 'second' }).trimEnd());
    expect(field.onBranch('count.txt')).toBe('3');
    expect(field.subjects()).toEqual(['Make a', 'Make b', 'Make c']);
  });

  test('tasks at the same time are merged, each without the uncommitted changes', async () => {
    const at = (id: string, line: number) =>
      task(
        id,
        [
          ['sleep', 300],
          ['replace', 'code.txt', `line ${line}`, id],
        ],
        check(`grep -q ${id} code.txt`),
      );
    begin([at('aa', 6), at('bb', 12), at('cc', 18)]);
    expect((await field.run('--base', 'working', '--concurrency', '3')).status).toBe(0);
    expect(field.onBranch('code.txt')).toBe(text({ 6: 'aa', 12: 'bb', 18: 'cc' }).trimEnd());
    expect(allObjects()).not.toMatch(/^mine$/m);
  });

  test('work on the same lines waits until the person has committed, and is accepted then', async () => {
    begin([task('a', [['replace', 'code.txt', 'mine', 'mine and agent']]), task('b', [['write', 'b.txt', 'b\n']])]);
    const { status } = await field.run('--base', 'working');
    expect([status, await field.statuses()]).toEqual([1, { a: 'needs-review', b: 'completed' }]);
    expect(await reasonOf('a')).toBe(
      'passed, but it builds on your uncommitted changes (code.txt): commit them first, then run foreword accept a',
    );
    const refused = await field.command('accept', 'a');
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('builds on changes that you had not committed when the run began: code.txt'),
    ]);
    commit('what I had');
    expect((await field.command('accept', 'a')).status).toBe(0);
    expect(field.onBranch('code.txt')).toBe(text({ 2: 'mine and agent' }).trimEnd());
    expect(field.onBranch('b.txt')).toBe('b');
    expect((await field.command('merge')).status).toBe(0);
    expect(field.git('show', 'HEAD:code.txt')).toBe(text({ 2: 'mine and agent' }).trimEnd());
  });

  test('a check that fails without the uncommitted changes leaves the work for review', async () => {
    begin([task('a', [['write', 'uses.txt', 'new.txt\n']], check('test -e "$(cat uses.txt)"'))]);
    // It fails before the agent too: there is no uses.txt.
    expect((await field.run('--base', 'working')).status).toBe(1);
    expect(await reasonOf('a')).toContain('(without them this fails: it works): commit them first');
    expect(field.git('for-each-ref', 'refs/heads/foreword')).toBe('');
    commit('what I had');
    expect((await field.command('accept', 'a')).status).toBe(0);
    expect(field.changedOnBranch()).toEqual(['uses.txt']);
  });

  longTest('work that takes uncommitted changes back is not completed as if it had done nothing', async () => {
    begin([
      task('reverts', [['replace', 'code.txt', 'mine', 'line 2']], check('grep -q "line 2$" code.txt')),
      task('deletes', [['delete', 'new.txt']], check('test ! -e new.txt')),
      task('edits', [['write', 'new.txt', 'newer\n']]),
    ]);
    await field.run('--base', 'working');
    expect(await field.statuses()).toEqual({ reverts: 'needs-review', deletes: 'needs-review', edits: 'needs-review' });
    expect(await reasonOf('deletes')).toContain('(new.txt): commit them first');
  });

  test('what is left out is named with the reason, and is stored nowhere', async () => {
    begin([task('a', [['shell', 'ls > list.txt; cat code.txt .env >> list.txt']])]);
    put('large.bin', Buffer.alloc(1024 * 1024 + 1, 'x'));
    put('.env', `TOKEN=${SECRET}\n`);
    field.git('add', '.env');
    put('code.txt', text({ 2: SECRET }));
    put('inner/file', 'x');
    field.git('init', '-q', 'inner');
    put('gone/x', 'x');
    symlinkSync('nowhere', join(field.project, 'link'));
    const { stdout } = await field.run('--base', 'working');
    const [, first = ''] = stdout.split('\n');
    expect(first).toContain('; agents see 3 uncommitted files; left out: ');
    for (const named of [
      '.env (holds a secret)',
      'code.txt (holds a secret)',
      'large.bin (1.0 MiB, over 1 MiB)',
      'inner/ (a repository of its own)',
    ])
      expect(first).toContain(named);
    const seen = field.onBranch('list.txt') ?? '';
    expect(seen).toContain('new.txt');
    expect(seen).toContain('line 2\n');
    expect(seen).not.toMatch(/large\.bin|ghp_|inner/);
    const state = join(field.folder, '.local/state');
    expect(spawnSync('grep', ['-rl', SECRET, state], { encoding: 'utf8' }).stdout).toBe('');
    for (const path of ['.env', 'code.txt', 'large.bin']) expect([path, isInOurs(path)]).toEqual([path, false]);
    expect(isInOurs('new.txt')).toBe(true);
  });

  test('deleted, executable and moved files are as in the work tree', async () => {
    begin([task('a', [['shell', 'ls > list.txt; test -x run.sh && ./run.sh >> list.txt']])]);
    put('old.txt', 'old\n');
    commit('more');
    rmSync(join(field.project, 'old.txt'));
    put('run.sh', '#!/bin/sh\necho ran\n');
    chmodSync(join(field.project, 'run.sh'), 0o755);
    put('folder/deep/x.txt', 'x\n');
    expect((await field.run('--base', 'working')).status).toBe(0);
    expect(field.onBranch('list.txt')?.split('\n')).toEqual([
      'code.txt',
      'folder',
      'list.txt',
      'new.txt',
      'readme.txt',
      'run.sh',
      'ran',
    ]);
    expect(field.onBranch('old.txt')).toBe('old');
  });

  test('the snapshot stands: what the person changes during the run is not seen', async () => {
    begin([changes, task('b', [['shell', 'cat new.txt > seen.txt']], { depends_on: ['a'] })]);
    expect((await field.run('--base', 'working', '--only', 'a')).status).toBe(0);
    put('new.txt', 'newer\n');
    const again = await field.run('--base', 'working');
    expect([again.status, again.stdout.split('\n')[1]]).toEqual([0, expect.stringMatching(/goes on on branch \S+$/)]);
    expect(field.onBranch('seen.txt')).toBe('new');
  });

  longTest('undo takes the change of a task back, and the next one begins without it', async () => {
    begin([changes, task('b', [['shell', 'cat code.txt > seen.txt']])]);
    expect((await field.run('--base', 'working', '--only', 'a')).status).toBe(0);
    expect((await field.command('undo', 'a')).status).toBe(0);
    expect((await field.run('--base', 'working', '--only', 'b')).status).toBe(0);
    expect(field.onBranch('seen.txt')).toBe(text({ 2: 'mine' }).trimEnd());
    expect(field.onBranch('code.txt')).toBe(text().trimEnd());
  });

  longTest('with nothing uncommitted it is as with base head', async () => {
    begin([changes]);
    commit('all');
    const { status, stdout } = await field.run('--base', 'working');
    expect([status, stdout.split('\n')[1]]).toEqual([0, expect.stringMatching(/begins on branch \S+$/)]);
    expect(field.changedOnBranch()).toEqual(['code.txt']);
  });

  test('a repository without a commit: new files are completed, changes of uncommitted ones wait', async () => {
    begin([
      task('a', [['copy', 'new.txt', 'copy.txt']], check('test -e copy.txt')),
      task('b', [['write', 'new.txt', 'b\n']]),
    ]);
    rmSync(join(field.project, '.git'), { recursive: true });
    field.git('init', '-q');
    await field.run('--base', 'working');
    expect(await field.statuses()).toEqual({ a: 'completed', b: 'needs-review' });
    expect(field.git('ls-tree', '-r', '--name-only', field.branch())).toBe('copy.txt');
    commit('first');
    expect((await field.command('accept', 'b')).status).toBe(0);
    expect([field.onBranch('new.txt'), field.onBranch('copy.txt')]).toEqual(['b', 'new']);
  });

  test('killed while work is checked without the uncommitted changes: the next run ends it without an agent', async () => {
    begin([]);
    // The one folder that a check in its box can write to.
    const mark = join(field.folder, 'ledger', 'mark');
    // Only without them, and only the first time, it waits to be killed.
    const waits = `test -e new.txt || test -e ${mark} || { touch ${mark}; sleep 60; }; grep -q agent code.txt`;
    field.setTasks([task('a', [['replace', 'code.txt', 'line 18', 'agent']], check(waits))]);
    await killWhen(() => existsSync(mark));
    expect(existsSync(mark)).toBe(true);
    expect((await field.run('--base', 'working')).status).toBe(0);
    expect([field.ledger().length, field.subjects()]).toEqual([1, ['Make a']]);
    expect(field.onBranch('code.txt')).toBe(text({ 18: 'agent' }).trimEnd());
    expect((await field.attempts('a')).map(({ files_updated }) => files_updated)).toEqual([['code.txt']]);
  });

  longTest(
    'killed at any moment, every task is one commit without the uncommitted changes',
    async () => {
      const lines = [6, 9, 12, 15, 18];
      begin(
        lines.map((line) =>
          task(`t${line}`, [['replace', 'code.txt', `line ${line}`, `t${line}`]], check(`grep -q t${line} code.txt`)),
        ),
      );
      for (let kills = 0; kills < (IS_LONG ? 50 : 2); kills += 1) {
        const until = Date.now() + 300 + Math.random() * 900;
        await killWhen(() => Date.now() > until);
      }
      expect((await field.run('--base', 'working')).status).toBe(0);
      expect(field.subjects().toSorted()).toEqual(lines.map((line) => `Make t${line}`).toSorted());
      expect(field.onBranch('code.txt')).toBe(
        text(Object.fromEntries(lines.map((line) => [line, `t${line}`]))).trimEnd(),
      );
      expect(allObjects()).not.toMatch(/^mine$/m);
    },
    300_000,
  );

  longTest('a detached HEAD, and a shallow clone', async () => {
    begin([changes]);
    const origin = join(field.folder, 'origin');
    field.git('stash', '-q', '-u');
    field.git('clone', '-q', '--bare', '.', origin);
    rmSync(field.project, { recursive: true });
    mkdirSync(field.project);
    field.git('clone', '-q', '--depth', '1', `file://${origin}`, '.');
    field.git('checkout', '-q', '--detach');
    put('code.txt', text({ 2: 'mine' }));
    expect((await field.run('--base', 'working')).status).toBe(0);
    expect(field.onBranch('code.txt')).toBe(text({ 18: 'agent' }).trimEnd());
    field.git('fsck', '--strict');
  });

  test('another base than the open run began with is refused, naming --new', async () => {
    begin([changes]);
    expect((await field.run()).status).toBe(0);
    const refused = await field.run('--base', 'working', '--again');
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/began with base head, and keeps it\.[\s\S]*--new begins another run, with base working/),
    ]);
    const wrong = await field.run('--base', 'index');
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('it takes head or working')]);
  });

  test('a folder without git is taken as it is, whatever the base', async () => {
    field = makeField({ agents: AGENTS, tasks: [task('a', [['write', 'a.txt', 'a\n']])], isGit: false });
    put('large.bin', Buffer.alloc(2 * 1024 * 1024, 'x'));
    expect((await field.run('--base', 'working')).status).toBe(0);
    expect((await field.run('--base', 'head')).status).toBe(0);
    expect(field.changedOnBranch()).toEqual(['a.txt']);
  });

  test('git that cannot merge trees is refused before an agent is paid', async () => {
    begin([changes]);
    const folder = join(field.folder, 'bin');
    const git = field.git('--exec-path');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'git'),
      `#!/bin/sh\n[ "$1" = version ] && echo git version 2.37.1 && exit\nexec ${git}/git "$@"\n`,
    );
    chmodSync(join(folder, 'git'), 0o755);
    const { status, stderr } = await field.runWith({ PATH: `${folder}:${process.env.PATH}` }, '--base', 'working');
    expect([status, stderr, field.ledger()]).toEqual([3, expect.stringContaining('Install git 2.38 or newer'), []]);
  });
});
