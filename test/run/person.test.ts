// Whatever an agent does, the person's files, index, HEAD, stash, branches, configuration and hooks are as they were: the repository
// gets the branch of the run and one ref that keeps its base, and nothing else.

import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { everything } from '../checkouts/field.ts';
import { everydayRows, longTest } from '../long.ts';
import { type Field, makeField } from './field.ts';

const AGENTS = { first: ['follows'] } as const;
const AS = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
let field: Field;
afterEach(() => field.remove());

type Deed = readonly [string, ...(string | number)[]];

/** Done when its file says so. */
function task(id: string, deeds: readonly Deed[] = [], more: object = {}): object {
  return {
    task_id: id,
    intent: `Make ${id}`,
    instructions: `do: ${JSON.stringify([...deeds, ['write', `${id}.txt`, 'done\n']])}`,
    acceptance_criteria: [{ text: 'it is done', check: { file_contains: { path: `${id}.txt`, pattern: '^done$' } } }],
    retry_policy: { max_retries: 0 },
    ...more,
  };
}

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(field.project, path)), { recursive: true });
  writeFileSync(join(field.project, path), text);
};

/** All that a person can have in a repository and lose. */
function fill(): void {
  const { git } = field;
  put('.gitignore', 'ignored.txt\ncache/\n.env\n');
  put('both.txt', 'committed\n');
  git('add', '.');
  git(...AS, 'commit', '-qm', 'second');
  git('branch', 'other');
  put('both.txt', 'stashed\n');
  git(...AS, 'stash', 'push', '-q');
  put('both.txt', 'staged\n');
  put('staged.txt', 'new and staged\n');
  git('add', 'both.txt', 'staged.txt');
  put('both.txt', 'not staged\n');
  put('draft/untracked.txt', 'hours of work\n');
  put('ignored.txt', 'ignored\n');
  put('.env', 'KEY=1\n');
  put('cache/x', 'x\n');
  put('.git/hooks/pre-commit', '#!/bin/sh\nexit 0\n');
  git('config', 'my.setting', 'mine');
  git('remote', 'add', 'origin', 'https://example.invalid/x.git');
  // A file whose time moved: git status would write the index anew.
  git('status');
}

/** Everything but objects and what a run may add. */
function personal(): Record<string, string> {
  const refs = field.git('for-each-ref', '--format=%(refname) %(objectname)').split('\n');
  const theirs = refs.filter((ref) => !/^refs\/(heads\/foreword\/|foreword\/)/.test(ref)).join('\n');
  const files = everything(field.project, /^\.git\/(objects|refs\/heads\/foreword|refs\/foreword)(\/|$)/);
  return { ...files, refs: theirs };
}

describe('an agent that runs', () => {
  const commands = {
    checkout: 'git checkout . && git clean -fdx',
    reset: 'git reset --hard HEAD',
    stash: 'git stash push -u; git stash clear',
    branches: 'git branch -D other; git branch -m main gone; git checkout -b mine',
    config: 'git config my.setting theirs; git config core.hooksPath /tmp; git config --unset remote.origin.url',
    hooks:
      'mkdir -p .git/hooks; printf "#!/bin/sh\\ntouch /tmp/never" > .git/hooks/post-checkout; chmod +x .git/hooks/*',
    commit: 'git add -A; git -c user.name=x -c user.email=x@x commit -qm theirs',
    refs: 'git update-ref -d HEAD; git tag evil; git pack-refs --all',
    gc: 'git reflog expire --expire=now --all; git gc -q --prune=now',
    remove: 'rm -rf .git',
    everything: 'rm -rf ./* .gitignore',
    worktree: 'git worktree add -q ../mine; git worktree add -q --detach "$HOME/theirs"; git worktree prune',
    push: 'git push --force; git push --force origin HEAD:main; git push --mirror origin; git fetch --all; git pull',
    inside:
      'git init -q; git init -q inner; git -C inner -c user.name=x -c user.email=x@x commit -q --allow-empty -m x',
    rewrite: 'git -c user.name=x -c user.email=x@x commit -q --amend -m x; git filter-branch -f --msg-filter cat HEAD',
    objects: 'find .git/objects/ -type f -delete; rm -rf .git/objects/*; echo > .git/objects/info/alternates',
    exchange: 'rm -rf .git; git init -q; git -c user.name=x -c user.email=x@x commit -q --allow-empty -m theirs',
  };

  test(`${Object.values(commands).length} commands that destroy work: the person's work is as it was, whether tasks pass or fail`, async () => {
    const passing = Object.entries(commands).map(([id, command]) => task(id, [['shell', command]]));
    const failing = everydayRows(Object.entries(commands), 0, 7, 9, 14).map(([id, command]) =>
      task(`${id}-fails`, [['shell', command]], {
        acceptance_criteria: [{ text: 'never', check: { file_exists: 'never.txt' } }],
      }),
    );
    field = makeField({ agents: AGENTS, tasks: [...passing, ...failing] });
    fill();
    const before = personal();
    const { status, stderr } = await field.run('--concurrency', '3');
    expect([status, stderr]).toEqual([1, '']);
    const statuses = await field.statuses();
    for (const id of Object.keys(commands)) expect([id, statuses[id]]).toEqual([id, 'completed']);
    expect(personal()).toEqual(before);
    expect(field.git('stash', 'list', '--format=%gd')).toBe('stash@{0}');
    field.git('fsck', '--strict');
    expect(field.subjects()).toHaveLength(passing.length);
  }, 120_000);

  test('changes of hooks, configuration and refs of its git directory are recorded', async () => {
    field = makeField({
      agents: AGENTS,
      tasks: [
        task('a', [['shell', `${commands.hooks}; ${commands.config}; git tag mine`]]),
        task('b', [['shell', 'rm -rf .git']]),
      ],
    });
    expect((await field.run()).status).toBe(0);
    expect((await field.attempts('b'))[0]?.observed).toEqual(['its git directory was removed or replaced']);
    const [attempt] = await field.attempts('a');
    expect(attempt?.observed).toEqual([
      expect.stringMatching(/^hooks of its git directory changed: hooks\/post-checkout/),
      expect.stringMatching(/^configuration of its git directory changed: config/),
      expect.stringMatching(/^refs of its git directory changed: .*refs\/tags\/mine/),
    ]);
  });
});

test.each(
  everydayRows(
    [
      ['.git is a file that names another repository', (victim: string) => put('.git', `gitdir: ${victim}/.git\n`)],
      [
        '.git is a link to another repository',
        (victim: string) => symlinkSync(`${victim}/.git`, join(field.project, '.git')),
      ],
      [
        'its refs are those of another repository',
        (victim: string) => {
          cpSync(join(victim, '.git'), join(field.project, '.git'), { recursive: true });
          rmSync(join(field.project, '.git/refs'), { recursive: true });
          symlinkSync(`${victim}/.git/refs`, join(field.project, '.git/refs'));
        },
      ],
    ],
    0,
    2,
  ),
)('no branch is made in somebody else’s repository: %s', async (_, plant) => {
  field = makeField({ agents: AGENTS, tasks: [task('a')] });
  const victim = join(field.folder, 'victim');
  cpSync(field.project, victim, { recursive: true });
  rmSync(join(field.project, '.git'), { recursive: true });
  plant(victim);
  const before = everything(victim);
  const { status, stderr } = await field.run();
  expect([status, stderr]).toEqual([2, expect.stringContaining('which does not belong to')]);
  expect([everything(victim), field.ledger()]).toEqual([before, []]);
});

describe('policy', () => {
  const denies = (...globs: string[]) => put('.foreword/policy.yaml', `deny: ${JSON.stringify(globs)}\n`);

  test('an ignored file that the policy denies fails the attempt, and is not there for the next one', async () => {
    const writes = task('a', [['write', '.env', 'KEY=2\n']]);
    field = makeField({ agents: AGENTS, tasks: [writes] });
    fill();
    denies('.env');
    expect((await field.run()).status).toBe(1);
    expect((await field.attempts('a'))[0]?.validationErrors).toEqual(['policy: denied by the policy: .env']);
    denies('other');
    expect((await field.run()).status).toBe(0);
    // Ignored files are never committed.
    expect(field.changedOnBranch()).toEqual(['a.txt']);
  });

  longTest('a denied file of a failed task is in nobody else’s way', async () => {
    const bad = task('bad', [['write', 'secret.txt', 'x\n']]);
    const checks = { acceptance_criteria: [{ text: 'not there', check: { not_file_exists: 'secret.txt' } }] };
    field = makeField({ agents: AGENTS, tasks: [bad, task('good', [], checks)] });
    denies('secret.txt');
    expect((await field.run()).status).toBe(1);
    expect(await field.statuses()).toEqual({ bad: 'failed', good: 'completed' });
    expect(field.changedOnBranch()).toEqual(['good.txt']);
  });

  test('files that the person makes meanwhile are not the agent’s', async () => {
    // The agent makes it in place of the person, which it cannot in a box.
    field = makeField({ agents: AGENTS, tasks: [], settings: { run: { confine: 'off' } } });
    const log = join(field.project, 'run.log');
    const tasks = [task('a', [['write', log, 'the output of this run\n']], { targets: ['a.txt'] })];
    writeFileSync(join(field.folder, 'tasks.json'), JSON.stringify(tasks));
    expect((await field.run()).status).toBe(0);
    expect((await field.attempts('a'))[0]).toMatchObject({ files_created: ['a.txt'], files_updated: [] });
    expect(field.changedOnBranch()).toEqual(['a.txt']);
  });
});

describe('the branch of a run', () => {
  beforeEach(() => {
    field = makeField({ agents: AGENTS, tasks: [task('a'), task('b')] });
  });

  test('has one commit a task, with the intent, and trailers that name task, agent and attempts', async () => {
    field.git('config', 'user.name', 'A Person');
    field.git('config', 'user.email', 'person@example.com');
    expect((await field.run()).status).toBe(0);
    expect(field.git('log', '-1', '--format=%an <%ae>%n%B', field.branch())).toBe(
      'A Person <person@example.com>\nMake b\n\nI did it.\n\nForeword-Task: b\nForeword-Agent: first\nForeword-Attempts: 1',
    );
    const { stdout } = await field.command('status', '--json');
    const [one] = JSON.parse(stdout).tasks;
    expect(one).toMatchObject({ task_id: 'a', commit: field.git('rev-parse', `${field.branch()}~1`), by: 'checks' });
  });

  test('is gone on with by the same task file, and another file has another', async () => {
    await field.run('--only', 'a');
    const [first] = [field.branch()];
    await field.run();
    expect([field.branch(), field.subjects()]).toEqual([first, ['Make a', 'Make b']]);
    const other = join(field.folder, 'More tasks.json');
    writeFileSync(other, JSON.stringify([task('c')]));
    const { stdout } = await field.command('run', other);
    expect(stdout).toMatch(/begins on branch foreword\/more-tasks-[0-9a-f]{4}$/m);
    expect(field.git('for-each-ref', '--format=%(refname)', 'refs/heads/foreword/').split('\n')).toHaveLength(2);
  });

  longTest('is merged by git as any other', async () => {
    await field.run();
    field.git(...AS, 'merge', '-q', '--no-edit', field.branch());
    expect(readdirSync(field.project).filter((name) => name.endsWith('.txt'))).toEqual([
      'a.txt',
      'b.txt',
      'readme.txt',
    ]);
    expect(field.git('status', '--porcelain', '--', ':!.foreword')).toBe('');
  });

  test('with commits of the person on it is gone on with on top of them', async () => {
    await field.run('--only', 'a');
    const branch = field.branch();
    const tree = join(field.folder, 'tree');
    field.git('worktree', 'add', '-q', tree, branch.slice('refs/heads/'.length));
    writeFileSync(join(tree, 'mine.txt'), 'mine\n');
    field.git('-C', tree, 'add', '.');
    field.git('-C', tree, ...AS, 'commit', '-qm', 'By the person');
    field.git('worktree', 'remove', tree);
    expect((await field.run()).status).toBe(0);
    expect(field.subjects()).toEqual(['Make a', 'By the person', 'Make b']);
    expect(field.changedOnBranch()).toEqual(['a.txt', 'b.txt', 'mine.txt']);
  });

  test('that is checked out is not moved until it no longer is', async () => {
    await field.run('--only', 'a');
    const branch = field.branch();
    field.git('checkout', '-q', branch.slice('refs/heads/'.length));
    const { status, stdout } = await field.run();
    expect([status, stdout]).toEqual([0, expect.stringContaining(`since it is checked out in ${field.project}`)]);
    expect([field.subjects(), field.git('status', '--porcelain', '--', ':!.foreword')]).toEqual([['Make a'], '']);
    field.git('checkout', '-q', '-');
    expect((await field.run()).stdout).toContain('2 commits');
    expect(field.subjects()).toEqual(['Make a', 'Make b']);
  });

  test('that was deleted is made again', async () => {
    await field.run('--only', 'a');
    field.git('branch', '-q', '-D', field.branch().slice('refs/heads/'.length));
    expect((await field.run()).status).toBe(0);
    expect(field.subjects()).toEqual(['Make a', 'Make b']);
  });

  test('that somebody rewrote is left alone, and the work waits for review', async () => {
    await field.run('--only', 'a');
    const branch = field.branch();
    const other = field.git(...AS, 'commit-tree', '-m', 'rewritten', 'HEAD^{tree}');
    field.git('update-ref', branch, other);
    expect((await field.run()).status).toBe(1);
    expect(await field.statuses()).toEqual({ a: 'completed', b: 'needs-review' });
    expect(field.git('rev-parse', branch)).toBe(other);
  });

  test('whose repository of ours is gone begins again at its base', async () => {
    await field.run('--only', 'a');
    const projects = join(field.folder, '.local/state/foreword/projects');
    const [id = ''] = readdirSync(projects).filter((name) => /^p[0-9a-f]{16}$/.test(name));
    for (const name of ['work.git', 'base-objects', 'checkouts'])
      rmSync(join(projects, id, name), { recursive: true, force: true });
    expect((await field.run()).status).toBe(0);
    expect(field.subjects()).toEqual(['Make a', 'Make b']);
  });
});
