// A person's commands on what a real run left.

import { afterEach, expect, test } from 'vitest';
import { type Field, fileTask, makeField } from './field.ts';

let field: Field | undefined;
afterEach(() => field?.remove());

test('work that needs review is accepted, a completed task undone and done again, and all of it merged', async () => {
  field = makeField({
    agents: { first: ['works'] },
    tasks: [
      { task_id: 'a', instructions: 'x', acceptance_criteria: ['it is beautiful'] },
      {
        task_id: 'b',
        instructions: 'x',
        acceptance_criteria: [{ text: 'it is there', check: { file_exists: 'done-b.txt' } }],
      },
    ],
  });
  await field.run();
  expect(await field.statuses()).toEqual({ a: 'needs-review', b: 'completed' });
  expect(await field.command('accept', 'a')).toMatchObject({ status: 0 });
  expect(await field.command('undo', 'b')).toMatchObject({ status: 0 });
  expect([field.onBranch('done-a.txt'), field.onBranch('done-b.txt')]).toEqual(['done', undefined]);
  expect((await field.run()).status).toBe(0);
  expect(field.subjects()).toEqual(['Task b', 'Task a', 'Revert "Task b"', 'Task b']);
  // Alone, the agent is also the helper.
  const work = field.ledger().filter(({ task }) => task !== 'helper');
  expect(work.map(({ task }) => task)).toEqual(['a', 'b', 'b']);
  expect(await field.command('merge')).toMatchObject({ status: 0 });
  expect(field.git('show', 'HEAD:done-b.txt')).toBe('done');
  expect(await field.statuses()).toEqual({ a: 'completed', b: 'completed' });
});

test('work that needs review is not paid for again: the next run names it with its commands, and what depends on it waits', async () => {
  field = makeField({
    agents: { first: ['works'] },
    tasks: [
      { task_id: 'a', instructions: 'x', acceptance_criteria: ['it is beautiful'] },
      fileTask('b', { depends_on: ['a'] }),
    ],
  });
  await field.run();
  const again = await field.run();
  expect(again.status).toBe(1);
  expect(again.stdout).toContain('    foreword diff a\n    foreword accept a\n    foreword reject a --because TEXT\n');
  expect(again.stdout).toContain('b: blocked');
  expect(again.stdout).toContain('depends on a, which needs review: foreword accept a, or reject it');
  expect(field.ledger().filter(({ task }) => task !== 'helper')).toHaveLength(1);
  expect(await field.command('accept', 'a')).toMatchObject({ status: 0 });
  expect((await field.run()).status).toBe(0);
  expect(field.subjects()).toEqual(['Task a', 'Make b']);
});

test('work that a person sent back is gone on with, and the next attempt reads their words as its validation error', async () => {
  field = makeField({
    agents: { first: ['works'] },
    tasks: [{ task_id: 'a', instructions: 'x', acceptance_criteria: ['it is beautiful'] }],
    settings: { run: { holdout: 1 } },
  });
  await field.run();
  const because = 'the file must begin with a capital letter';
  expect(await field.command('reject', 'a', '--because', because)).toMatchObject({ status: 0 });
  expect((await field.command('prompt', 'a')).stdout).toContain(`- ${because}\n`);
  field.change('first', (described) => ({
    oneshot: { ...described.oneshot, command: ['sh', '-c', 'cat > seen.txt; cat done-a.txt >> seen.txt'] },
  }));
  await field.run();
  const [, second] = await field.attempts('a');
  expect(second).toMatchObject({ files_created: ['seen.txt'], preContext: expect.stringContaining(because) });
  expect(second?.preContext).toContain('Attempt #2 - Previous validation failures:');
  // It went on in its state: the first attempt's file is there.
  expect((await field.command('diff', 'a')).stdout).toContain('+++ b/done-a.txt');
});
