// Two runs at once in one repository, as two terminals start them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Field, makeField } from './field.ts';

let field: Field;
afterEach(() => field.remove());

const IDS = ['a', 'b', 'c'];

function taskFile(name: string): string {
  const path = join(field.folder, `${name}.json`);
  const tasks = IDS.map((id) => ({
    task_id: `${name}-${id}`,
    intent: `Make ${name}-${id}`,
    instructions: `do: ${JSON.stringify([
      ['sleep', 100],
      ['write', `${name}-${id}.txt`, `${id}\n`],
    ])}`,
    acceptance_criteria: [{ text: 'it is there', check: { file_exists: `${name}-${id}.txt` } }],
  }));
  writeFileSync(path, JSON.stringify(tasks));
  return path;
}

const branches = () =>
  field.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/foreword/').split('\n').filter(Boolean);
const subjects = (branch: string) => field.git('log', '--format=%s', branch).split('\n').toSorted();

test('two task files at once: both finish, each on a branch of its own, and both can be merged and cleaned', async () => {
  field = makeField({ agents: { first: ['follows'] }, tasks: [] });
  field.git('config', 'user.name', 'me');
  field.git('config', 'user.email', 'me@example.invalid');
  const before = [field.git('rev-parse', 'HEAD'), field.git('status', '--porcelain')];
  const run = (name: string) => field.command('run', taskFile(name), '--concurrency', '2');
  const ran = await Promise.all([run('one'), run('two')]);
  expect(ran.map(({ status, stderr }) => [status, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(ran.map(({ stdout }) => stdout).join('')).not.toMatch(/lock/i);
  const [one = '', two = '', ...more] = branches();
  expect([one, two, more]).toEqual([
    expect.stringMatching(/^foreword\/one-[0-9a-f]{4}$/),
    expect.stringMatching(/^foreword\/two-[0-9a-f]{4}$/),
    [],
  ]);
  expect(subjects(one)).toEqual([...IDS.map((id) => `Make one-${id}`), 'first']);
  expect(subjects(two)).toEqual([...IDS.map((id) => `Make two-${id}`), 'first']);
  expect([field.git('rev-parse', 'HEAD'), field.git('status', '--porcelain')]).toEqual(before);
  for (const branch of [one, two]) expect(await field.command('merge', branch)).toMatchObject({ status: 0 });
  expect(field.git('ls-files').split('\n')).toEqual([
    ...IDS.map((id) => `one-${id}.txt`),
    'readme.txt',
    ...IDS.map((id) => `two-${id}.txt`),
  ]);
  expect(await field.command('clean')).toMatchObject({ status: 0, stderr: '' });
  expect(branches()).toEqual([]);
});

test('the same task file twice at once: every task once, on one branch', async () => {
  field = makeField({ agents: { first: ['follows'] }, tasks: [] });
  const path = taskFile('same');
  const run = () => field.command('run', path, '--concurrency', '2');
  const ran = await Promise.all([run(), run()]);
  expect(ran.map(({ status, stderr }) => [status, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  const [branch = '', ...more] = branches();
  expect(more).toEqual([]);
  expect(subjects(branch)).toEqual([...IDS.map((id) => `Make same-${id}`), 'first']);
  expect(field.ledger()).toHaveLength(IDS.length);
  for (const id of IDS) expect(await field.attempts(`same-${id}`)).toHaveLength(1);
});

test('clean in the middle of a run takes nothing that it needs', async () => {
  field = makeField({ agents: { first: ['follows'] }, tasks: [] });
  const running = field.command('run', taskFile('busy'), '--concurrency', '2');
  let isOver = false;
  void running.then(() => {
    isOver = true;
  });
  while (!isOver) expect(await field.command('clean')).toMatchObject({ status: 0, stderr: '' });
  expect(await running).toMatchObject({ status: 0, stderr: '' });
  expect(subjects(branches()[0] ?? '')).toEqual([...IDS.map((id) => `Make busy-${id}`), 'first']);
});
