// A person goes on working in the repository while a run is under way. What they did stays, to the byte, and the run completes or
// says why it cannot.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { everything } from '../checkouts/field.ts';
import { everydayRows } from '../long.ts';
import { begin, type Ground, makeGround, OURS } from './ground.ts';

let ground: Ground;
afterEach(() => ground.field.remove());

const PERSON = ['[user]', 'name = A Person', 'email = person@example.com'];

/** While the agent of the first task works, the person does `act` in the repository; a copy is made right after it. */
function meanwhile(act: string, then = 'cp -a "$HOME/project" "$HOME/copy"'): void {
  // The agent does it in place of the person, which it cannot in a box.
  ground = makeGround([], {}, { run: { confine: 'off' } });
  begin(ground);
  ground.home(...PERSON);
  ground.write('second.txt', 'second\n');
  ground.commit('second');
  const work = (id: string, ...deeds: readonly string[][]) => ({
    task_id: id,
    intent: `Make ${id}`,
    instructions: `do: ${JSON.stringify([['write', `${id}.txt`, `${id}\n`], ...deeds])}`,
    acceptance_criteria: [{ text: 'it is done', check: { file_exists: `${id}.txt` } }],
    retry_policy: { max_retries: 0 },
  });
  const person = ['shell', `cd "$HOME/project/repo" && { ${act}; }; ${then}`];
  const tasks = [work('a', person), work('b')];
  writeFileSync(join(ground.field.folder, 'tasks.json'), JSON.stringify(tasks));
}

const ACTS: Readonly<Record<string, { readonly act: string; readonly isMergeable?: false }>> = {
  commits: { act: 'echo mine > mine.txt; git add .; git commit -qm mine' },
  'amends, and has the old commit collected': {
    act: 'echo 2 > readme.txt; git commit -qam amended --amend; git reflog expire --expire=now --all; git gc -q --prune=now',
  },
  'switches to another branch with other files': {
    act: 'git checkout -q --orphan other; git rm -qrf .; echo x > x; git add x; git commit -qm other; git checkout -q main; git checkout -q other',
    isMergeable: false,
  },
  'deletes the branch that the run began on': {
    act: 'echo x > x; git checkout -qb other; git branch -qD main; git add x; git commit -qm x',
  },
  'is in the middle of a rebase that stopped at a conflict': {
    act: 'git checkout -qb other; echo 1 > readme.txt; git commit -qam 1; git checkout -q main; echo 2 > readme.txt; git commit -qam 2; git rebase -q other',
    isMergeable: false,
  },
  'edits, stages and stashes': {
    act: 'echo 1 > readme.txt; git stash -q; echo 2 > readme.txt; git add .; echo 3 > readme.txt; echo u > untracked.txt',
  },
  'packs everything, and cleans': {
    act: 'git pack-refs --all --prune; git reflog expire --expire=now --all; git gc -q --prune=now; git clean -fdxq',
  },
};

test.each(everydayRows(Object.entries(ACTS), 1, 4, 6))('a person who %s', async (_, { act, isMergeable }) => {
  meanwhile(act);
  const first = ground.git('rev-parse', 'HEAD');
  const { status, stderr } = await ground.run();
  expect([status, stderr]).toEqual([0, '']);
  const copy = join(ground.field.folder, 'copy');
  expect(everything(ground.field.project, OURS)).toEqual(everything(copy, OURS));
  const theirs = (at: string) =>
    ground.git('-C', at, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/[!f]*', 'refs/stash');
  expect(theirs(ground.repo)).toBe(theirs(join(copy, 'repo')));
  expect(ground.changed()).toEqual({ 'a.txt': '100644 a\n', 'b.txt': '100644 b\n' });
  expect(ground.git('rev-parse', `${ground.branch()}~2`)).toBe(first);
  ground.git('fsck', '--strict', '--no-dangling');
  if (isMergeable === false) return;
  expect(await ground.command('merge')).toMatchObject({ status: 0 });
  expect(readFileSync(join(ground.repo, 'b.txt'), 'utf8')).toBe('b\n');
});

test('a person who moves the repository away: the run says so, and goes on where it is now', async () => {
  meanwhile('test -e ../moved || mv "$HOME/project/repo" "$HOME/project/moved"', ':');
  const { status, stderr } = await ground.run();
  expect([status, stderr]).toEqual([2, expect.stringContaining(`The git repository of ${ground.repo} is gone`)]);
  expect(existsSync(ground.repo)).toBe(false);
  mkdirSync(ground.repo);
  ground.at = 'moved';
  expect(await ground.run()).toMatchObject({ status: 0, stderr: '' });
  expect(ground.changed()).toEqual({ 'a.txt': '100644 a\n', 'b.txt': '100644 b\n' });
});

test('a person who deletes the git directory: the run says so and makes none', async () => {
  meanwhile('rm -rf .git', ':');
  const { status, stderr } = await ground.run();
  expect([status, stderr]).toEqual([2, expect.stringContaining(`The git repository of ${ground.repo} is gone`)]);
  expect(existsSync(join(ground.repo, '.git'))).toBe(false);
  expect(readFileSync(join(ground.repo, 'readme.txt'), 'utf8')).toBe('a project\n');
});

test('a person who makes a branch named foreword: the run says so, and no work is done twice when it is gone', async () => {
  meanwhile('git branch foreword', ':');
  const { status, stderr } = await ground.run();
  expect([status, stderr]).toEqual([2, expect.stringMatching(/The branch foreword is in the way/)]);
  ground.git('branch', '-m', 'foreword', 'mine');
  expect(await ground.run()).toMatchObject({ status: 0, stderr: '' });
  expect(ground.changed()).toEqual({ 'a.txt': '100644 a\n', 'b.txt': '100644 b\n' });
  expect(ground.field.ledger().map(({ task }) => task)).toEqual(['a', 'b']);
});
