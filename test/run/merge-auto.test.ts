// run.merge: auto.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Field, fileTask, makeField } from './field.ts';

let field: Field | undefined;
afterEach(() => field?.remove());

const settings = { run: { merge: 'auto' } };

test('a run whose tasks are all completed is merged at its end, by a command that is printed', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a'), fileTask('b')], settings });
  const part = await field.run('--only', 'a');
  expect([part.status, part.stderr]).toEqual([0, expect.stringContaining('since b is new.')]);
  const { status, stdout, stderr } = await field.run();
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^\$ git merge --no-edit foreword\/tasks-[0-9a-f]{4}$/m)]);
  expect(stdout).toMatch(/^Merged tasks-[0-9a-f]{4}: a, b\.$/m);
  expect(field.git('ls-files')).toContain('done-b.txt');
});

test('nothing is merged while a task needs review', async () => {
  const open = { task_id: 'b', instructions: 'x', acceptance_criteria: ['it is beautiful'] };
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a'), open], settings });
  const { status, stderr } = await field.run();
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('not merged (run.merge: auto), since b is needs-review.'),
  ]);
  expect(field.git('ls-files')).not.toContain('done-a.txt');
});

test('uncommitted work in the way refuses the merge, and stays as it is', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')], settings });
  writeFileSync(join(field.project, 'done-a.txt'), 'mine\n');
  const { status, stderr } = await field.run();
  expect([status, stderr]).toEqual([1, expect.stringContaining('uncommitted work: done-a.txt')]);
  expect(field.git('status', '--porcelain')).toContain('?? done-a.txt');
});

test('every line of run --json has a time, that of the merge too', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')], settings });
  const { status, stdout } = await field.run('--json');
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly at?: string });
  expect([status, events.at(-1)?.kind]).toEqual([0, 'run-merged']);
  const times = events.map(({ at }) => at);
  expect(times).toEqual(events.map(() => expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)));
  expect(times).toEqual(times.toSorted());
});
