// What comes along into a checkout beside the commit: shared folders, what run.prepare made, local files of agents. And what does
// not, which is named before an agent is paid.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { everything } from '../checkouts/field.ts';
import { foreword } from '../foreword.ts';
import { everydayRows, longTest } from '../long.ts';
import { type Field, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const AS = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
let field: Field;
afterEach(() => field.remove());

type Deed = readonly [string, ...(string | number)[]];

/** What an agent did is judged by a check of a shell, which runs in the checkout. */
function task(id: string, deeds: readonly Deed[] = [], checks: readonly string[] = []): object {
  return {
    task_id: id,
    intent: `Make ${id}`,
    instructions: `do: ${JSON.stringify([...deeds, ['write', `${id}.txt`, 'done\n']])}`,
    acceptance_criteria: [
      { text: 'it is done', check: { file_exists: `${id}.txt` } },
      ...checks.map((line) => ({ text: line, check: { command: ['sh', '-c', line] } })),
    ],
    retry_policy: { max_retries: 0 },
  };
}

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(field.project, path)), { recursive: true });
  writeFileSync(join(field.project, path), text);
};

function commit(): void {
  field.git('add', '.');
  field.git(...AS, 'commit', '-qm', 'more');
}

function make(tasks: readonly object[], run: object = {}, agent = 'first'): void {
  field = makeField({ agents: { [agent]: ['follows'] }, tasks, settings: { run } });
}

const events = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('run.share', () => {
  test('brings ignored folders of that name at any depth and single files, as before after each task', async () => {
    const spoil = [
      ['shell', 'echo spoilt > deps/a; rm packages/one/deps/b; echo x > config.env; touch deps/more'],
    ] as const;
    const isWhole = 'test "$(cat deps/a packages/one/deps/b config.env; ls deps)" = "$(printf "a\\nb\\nkey\\na")"';
    make([task('one', [...spoil]), task('two', [], [isWhole])], { share: ['deps', 'config.env'] });
    put('.gitignore', 'deps/\nconfig.env\nother/\n');
    put('packages/one/x', 'x\n');
    commit();
    put('deps/a', 'a\n');
    put('packages/one/deps/b', 'b\n');
    put('config.env', 'key\n');
    put('other/c', 'c\n');
    const before = everything(field.project, /^\.git$/);
    const { status, stderr } = await field.run();
    expect([status, stderr]).toEqual([0, '']);
    expect(everything(field.project, /^\.git$/)).toEqual(before);
    expect(field.changedOnBranch()).toEqual(['one.txt', 'two.txt']);
    expect((await field.attempts('one'))[0]?.observed).toEqual([
      'files in shared folders changed, which are not part of the commit: config.env (1), deps (2), packages/one/deps (1)',
    ]);
  });

  longTest('a folder that was installed again, and a file that was edited, are copied again', async () => {
    const says = (text: string) => `test "$(cat deps/lock deps/p/index config.env)" = "$(printf "${text}")"`;
    make([task('one', [], [says('1\\n1\\n1')]), task('two', [], [says('2\\n2\\n2')])], {
      share: ['deps', 'config.env'],
    });
    put('.gitignore', 'deps/\nconfig.env\n');
    commit();
    for (const text of ['1\n', '2\n']) {
      for (const path of ['deps/lock', 'deps/p/index', 'config.env']) put(path, text);
      expect((await field.run('--only', text === '1\n' ? 'one' : 'two')).status).toBe(0);
    }
  });

  test('a tracked folder is refused before anything runs; one of the default names is not', async () => {
    make([task('one')], { share: ['vendor', 'lib', 'packages/a'] });
    put('vendor/v', 'v\n');
    put('lib/l', 'l\n');
    put('packages/a/p', 'p\n');
    commit();
    const { status, stderr } = await field.run();
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('run.share names lib, packages/a, which are tracked by git.'),
    ]);
    expect(field.ledger()).toEqual([]);
  });

  test('a path that leaves the project is refused when the configuration is read', async () => {
    make([task('one')], { share: ['../other', '/etc', ''] });
    const { status, stderr } = await field.run();
    expect([status, [...new Set(stderr.match(/run\.share\[\d\]/g))]]).toEqual([
      2,
      ['run.share[0]', 'run.share[1]', 'run.share[2]'],
    ]);
  });

  longTest('without git, folders of these names are not part of the base, in sub-projects too', async () => {
    field = makeField({
      agents: { first: ['follows'] },
      tasks: [task('one', [['shell', 'echo x > sub/node_modules/y']], ['test "$(cat sub/node_modules/m)" = m'])],
      isGit: false,
    });
    put('sub/node_modules/m', 'm\n');
    expect((await field.run()).status).toBe(0);
    expect(field.changedOnBranch()).toEqual(['one.txt']);
    expect(field.onBranch('sub/node_modules/m')).toBeUndefined();
  });
});

describe('run.prepare', () => {
  /** Counts its runs in a file outside, and makes what a package manager would. */
  const script = (more = '') =>
    `#!/bin/sh\necho run >> "$HOME/ledger/prepared"\nmkdir -p deps/.bin\nln -s /bin/sh deps/.bin/tool\necho made > deps/a\n${more}`;
  const runs = () =>
    existsSync(join(field.folder, 'ledger/prepared'))
      ? readFileSync(join(field.folder, 'ledger/prepared'), 'utf8')
      : '';
  const prepared = (text: string) => {
    put('.gitignore', 'deps/\nnode_modules/\n');
    put('setup.sh', text);
    chmodSync(join(field.project, 'setup.sh'), 0o755);
    commit();
  };

  test('runs once in a checkout, instead of copies, and what it made stays from task to task', async () => {
    const isWhole = 'test "$(cat deps/a)" = made && deps/.bin/tool -c true && test ! -e node_modules';
    const spoil: Deed = ['shell', 'echo x > deps/a; rm deps/.bin/tool; echo > deps/b'];
    make([task('one', [spoil], []), task('two', [spoil], []), task('three', [], [isWhole, 'test ! -e deps/b'])], {
      prepare: ['./setup.sh'],
    });
    prepared(script());
    put('node_modules/x', 'x\n');
    const { status, stderr } = await field.run();
    expect([status, stderr]).toEqual([0, '']);
    expect(runs()).toBe('run\n');
    expect(field.changedOnBranch()).toEqual(['one.txt', 'three.txt', 'two.txt']);
    expect((await field.attempts('one'))[0]?.observed).toEqual([
      'files in shared folders changed, which are not part of the commit: deps (3)',
    ]);
    expect(existsSync(join(field.project, 'deps'))).toBe(false);
    // Another run goes on in the same checkout; one that was removed is prepared again.
    await field.run('--again', '--only', 'three');
    expect(runs()).toBe('run\n');
    await field.command('clean');
    expect((await field.run('--again', '--only', 'three')).status).toBe(0);
    expect(runs()).toBe('run\nrun\n');
  });

  test('what it changes of the commit, adds to it, or does to the git directory is not the agent’s work', async () => {
    make([task('one')], { prepare: ['./setup.sh'] });
    prepared(script('echo changed > readme.txt\ntouch new-file\ngit config core.hooksPath .husky\n'));
    expect((await field.run()).status).toBe(0);
    expect(field.changedOnBranch()).toEqual(['one.txt']);
    expect((await field.attempts('one'))[0]).toMatchObject({ files_created: ['one.txt'], files_updated: [] });
    expect((await field.attempts('one'))[0]).not.toHaveProperty('observed');
  });

  test.each(
    everydayRows(
      [
        [
          'fails',
          script('echo "no network" >&2\nexit 7\n'),
          1,
          /run\.prepare failed.*\.\/setup\.sh exited with 7\..*\n {2}no network/,
        ],
        ['takes too long', script('sleep 60\n'), 1, /took longer than 1 s \(run\.prepareTimeoutS\)/],
        ['cannot be started', '#!/no/such/shell\n', 3, /run\.prepare did not start/],
      ],
      0,
    ),
  )('that %s stops the run before an agent is paid', async (_, text, exit, message) => {
    make([task('one'), task('two')], { prepare: ['./setup.sh'], prepareTimeoutS: 1 });
    prepared(text);
    const { status, stderr } = await field.run();
    expect([status, stderr]).toEqual([exit, expect.stringMatching(message)]);
    expect([field.ledger(), await field.statuses()]).toEqual([[], { one: 'queued', two: 'queued' }]);
  });

  test('of a repository’s own configuration runs only when the person agreed to it, and as they agreed to it', async () => {
    make([task('one'), task('two')]);
    prepared(script());
    const config = JSON.parse(readFileSync(join(field.folder, 'config.json'), 'utf8'));
    put('.foreword/config.json', JSON.stringify({ ...config, run: { ...config.run, prepare: ['./setup.sh'] } }));
    commit();
    const at = { cwd: field.project, env: { HOME: field.folder } };
    const run = (...more: string[]) => foreword(['run', join(field.folder, 'tasks.json'), ...more], at);
    const trust = () =>
      spawnSync('script', ['-qec', `${process.execPath} ${MAIN} trust --yes`, '/dev/null'], {
        cwd: field.project,
        env: { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder, TERM: 'dumb' },
        encoding: 'utf8',
      }).stdout;
    const first = await run('--dry-run');
    expect(first.stderr).toContain(
      'lineup, agents, run.prepare, run.allow in .foreword/config.yaml are ignored until you agree',
    );
    expect(runs()).toBe('');
    expect(trust()).toMatch(/setup\.sh/);
    expect((await run('--only', 'one')).status).toBe(0);
    expect(runs()).toBe('run\n');
    // The commit that a run builds on may have another script than the person read.
    await field.command('clean');
    put('setup.sh', script('echo evil >> "$HOME/ledger/evil"\n'));
    commit();
    put('setup.sh', script());
    writeFileSync(join(field.folder, 'more.json'), JSON.stringify([task('three')]));
    const other = await foreword(['run', join(field.folder, 'more.json')], at);
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('setup.sh changed. Run foreword trust')]);
    expect(existsSync(join(field.folder, 'ledger/evil'))).toBe(false);
  });
});

describe('local files of agents', () => {
  test('that git does not track come along, are as before after each task, and are never committed', async () => {
    const all = 'cat CLAUDE.local.md .claude/settings.local.json packages/a/CLAUDE.local.md';
    const isWhole = `test "$(${all})" = "$(printf "mine\\n{}\\ninner")"`;
    make(
      [task('one', [['shell', 'echo x > CLAUDE.local.md; rm -r .claude']]), task('two', [], [isWhole])],
      {},
      'claude',
    );
    put('.gitignore', '.claude/settings.local.json\n');
    put('packages/a/x', 'x\n');
    commit();
    // One untracked, one ignored, one in a sub-project, one that is a link out.
    put('CLAUDE.local.md', 'mine\n');
    put('.claude/settings.local.json', '{}\n');
    put('packages/a/CLAUDE.local.md', 'inner\n');
    const { status, stdout, stderr } = await field.run('--json');
    expect([status, stderr]).toEqual([0, '']);
    expect(events(stdout).find(({ kind }) => kind === 'run-opened')).toMatchObject({ uncommitted: [] });
    expect(field.changedOnBranch()).toEqual(['one.txt', 'two.txt']);
    expect((await field.attempts('one'))[0]).toMatchObject({ files_created: ['one.txt'], files_updated: [] });
    expect(readFileSync(join(field.project, 'CLAUDE.local.md'), 'utf8')).toBe('mine\n');
  });

  test('that are links out of the project are named, and not written through', async () => {
    make([task('one', [['write', 'CLAUDE.local.md', 'agent\n']])], {}, 'claude');
    writeFileSync(join(field.folder, 'notes.md'), 'mine\n');
    symlinkSync(join(field.folder, 'notes.md'), join(field.project, 'CLAUDE.local.md'));
    const { status, stdout } = await field.run();
    expect(status).toBe(0);
    expect(stdout).toContain(
      'run: not in the checkouts: links that lead out of the project, and files that cannot be read: CLAUDE.local.md\n',
    );
    expect(readFileSync(join(field.folder, 'notes.md'), 'utf8')).toBe('mine\n');
    expect(field.changedOnBranch()).toEqual(['one.txt']);
  });
});

describe('a check that cannot start', () => {
  const checked = (...command: string[]) => ({
    ...task('one'),
    acceptance_criteria: [{ text: 'it builds', check: { command } }],
  });
  const program = (path: string) => {
    put(path, '#!/bin/sh\nexit 0\n');
    chmodSync(join(field.project, path), 0o755);
  };

  test.each(
    everydayRows(
      [
        [
          'a path in an ignored folder',
          ['./tools/check'],
          'This line of .foreword/config.yaml brings tools/ along: run: { share: [node_modules, vendor, tools] }',
        ],
        [
          'a name that the shell does not find',
          ['sh', '-c', 'checker'],
          'brings tools/ along: run: { share: [node_modules, vendor, tools] }',
        ],
        ['a file that is not committed', ['./fresh.sh'], 'Commit ./fresh.sh: checkouts have what is committed.'],
        ['a virtual environment', ['.venv/bin/pytest'], 'set run.prepare to the command that makes it'],
      ],
      0,
      3,
    ),
  )('stops the run before an agent is paid: %s', async (_, command, hint) => {
    const last = { ...checked(...command), priority: 2000 };
    make(command[0] === 'sh' ? [checked(...command), task('other')] : [task('other'), last]);
    put('.gitignore', 'tools/\n.venv/\n.env\n');
    commit();
    for (const path of ['tools/check', 'tools/bin/checker', 'fresh.sh', '.venv/bin/pytest']) program(path);
    put('.venv/pyvenv.cfg', 'home = /usr/bin\n');
    put('.env', 'KEY=1\n');
    const { status, stderr } = await field.run();
    expect([status, stderr]).toEqual([3, expect.stringContaining('The check "it builds" of task one cannot start: ')]);
    expect(stderr).toContain(hint);
    expect([field.ledger(), await field.statuses()]).toEqual([[], { one: 'queued', other: 'queued' }]);
  });

  test('is no obstacle when the line of run.share is there, nor when the task makes the program', async () => {
    make([checked('./tools/check')], { share: ['tools'] });
    put('.gitignore', 'tools/\n');
    commit();
    program('tools/check');
    expect((await field.run()).status).toBe(0);
    field.remove();
    const makes = [
      ['write', 'check.sh', '#!/bin/sh\n'],
      ['executable', 'check.sh'],
    ] as const;
    make([{ ...task('one', [...makes]), acceptance_criteria: [{ text: 'x', check: { command: ['./check.sh'] } }] }]);
    expect((await field.run()).status).toBe(0);
  });
});

test('what could not come along is named once, however many tasks there are, as an event too', async () => {
  make([task('one'), task('two')]);
  put('.gitignore', 'node_modules/\n');
  put('.gitattributes', '*.bin filter=crypt\n');
  put('a.bin', 'a\n');
  commit();
  put('node_modules/a', 'a\n');
  symlinkSync(field.folder, join(field.project, 'node_modules/out'));
  const { status, stdout } = await field.run('--json');
  expect(status).toBe(0);
  expect(events(stdout).filter(({ kind }) => kind === 'files-left-out')).toEqual([
    expect.objectContaining({
      missing: [
        { what: 'filter', name: 'crypt' },
        { what: 'shared', name: 'node_modules/out' },
      ],
      more: 0,
    }),
  ]);
});
