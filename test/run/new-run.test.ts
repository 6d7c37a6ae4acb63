// Which run a task file goes on in: its open one, a new one after a merge, another one with --new.

import { afterEach, expect, test } from 'vitest';
import { type Field, fileTask, makeField } from './field.ts';

let field: Field | undefined;
afterEach(() => field?.remove());

const branches = (of: Field) =>
  of.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/foreword/').split('\n').filter(Boolean);
const tasksOf = (of: Field) => of.ledger().map(({ task }) => task);

test('--new begins another run: what only the old branch has is named and done again, what was merged is not', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a'), fileTask('b')] });
  await field.run('--only', 'a');
  expect(await field.command('merge')).toMatchObject({ status: 0 });
  // After the merge the same file begins another run, and goes on in it.
  await field.run('--only', 'b');
  // What was merged is not in the list of what was done.
  expect((await field.run()).stdout).toMatch(/\nDone:\n {2}[0-9a-f]{7} b: Make b\nOn branch /);
  expect([branches(field).length, tasksOf(field)]).toEqual([2, ['a', 'b']]);
  const old = branches(field).find((name) => field?.git('ls-tree', '--name-only', name).includes('done-b.txt'));
  const { status, stdout } = await field.run('--new');
  expect(status).toBe(0);
  expect(stdout).toContain(`done again, since completed only on a branch that is not merged: b (${old})\n`);
  expect([branches(field).length, tasksOf(field)]).toEqual([3, ['a', 'b', 'b']]);
  // The new one goes on; nothing is done a third time.
  expect((await field.run()).stdout).toContain('run: goes on on branch');
  expect(tasksOf(field)).toHaveLength(3);
});

test('a branch that the person merged with their own git is merged: the file begins another run and does nothing twice', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a'), fileTask('b')] });
  await field.run('--only', 'a');
  const [first = ''] = branches(field);
  // Looking at the branch is not merging it.
  field.git('checkout', '-q', first);
  expect((await field.run('--only', 'a')).stdout).toContain(`run: goes on on branch ${first}`);
  field.git('checkout', '-q', '-');
  field.git('merge', '-q', first);
  const { stdout } = await field.run('--new');
  expect(stdout).not.toContain('done again');
  expect([branches(field).length, tasksOf(field)]).toEqual([2, ['a', 'b']]);
});
