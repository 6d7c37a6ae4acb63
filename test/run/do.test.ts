// One task without a file.

import { afterEach, expect, test } from 'vitest';
import { everydayRows } from '../long.ts';
import { type Field, makeField } from './field.ts';

let field: Field | undefined;
afterEach(() => field?.remove());

const TEXT = 'Write the greeting\ndo: [["write", "hello.txt", "hello\\n"]]';

test('one task without a file is done, checked and committed on a branch of its words; the same words again do nothing', async () => {
  field = makeField({ agents: { first: ['follows'] }, tasks: [] });
  const words = [
    'run',
    '--do',
    TEXT,
    '--check',
    'grep -q hello hello.txt',
    '--check',
    'test "$(wc -l < hello.txt)" = 1',
  ];
  const { status, stdout, stderr } = await field.command(...words);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^On branch foreword\/write-the-greeting-[0-9a-f]{4}: 1 commit\./m);
  expect([field.subjects(), field.onBranch('hello.txt')]).toEqual([['Write the greeting'], 'hello']);
  const again = await field.command(...words);
  expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('It was completed before; --again does')]);
  expect(field.ledger()).toHaveLength(1);
  // Another check is another task.
  expect(await field.command('run', '--do', TEXT, '--check', 'true')).toMatchObject({ status: 0 });
  expect(field.ledger()).toHaveLength(2);
});

test('a run leaves one record for the next session, however many attempts it had', async () => {
  field = makeField({ agents: { first: ['follows'] }, tasks: [] });
  await field.command('run', '--do', TEXT, '--check', 'grep -q hello hello.txt');
  const { stdout } = await field.command('load');
  expect(stdout.match(/^A run of first, which ended just now:$/gm)).toHaveLength(1);
  expect(stdout).toMatch(/^Edited: hello\.txt$/m);
  expect(stdout).toMatch(/^- [0-9a-f]{9} Write the greeting$/m);
  expect(stdout).toMatch(/^Tasks: do-[0-9a-f]{8} \(completed\)$/m);
});

test('without a check it needs review, and that is said before', async () => {
  field = makeField({ agents: { first: ['follows'] }, tasks: [] });
  const { status, stdout, stderr } = await field.command('run', '--do', TEXT);
  expect(status).toBe(1);
  expect(stderr).toContain('without --check only a helper agent can find out whether it is done');
  expect(stdout).toMatch(/^ {2}do-[0-9a-f]{8}: needs-review: .*\n {4}foreword diff do-/m);
});

test.each(
  everydayRows(
    [
      [[], 'foreword run needs a task file.'],
      [['tasks.json', '--do', 'x'], 'takes a task file or --do, not both'],
      [['tasks.json', '--check', 'x'], '--check belongs to --do'],
      [['--do', ' '], '--do and --check need a text'],
    ] as const,
    0,
    2,
  ),
)('foreword run %j is refused', async (words, message) => {
  field = makeField({ agents: { first: ['works'] }, tasks: [] });
  expect(await field.command('run', ...words)).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
});
