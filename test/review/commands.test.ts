// What a person types about the work of a run, on the built command.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOON } from '../../src/stores/contract/samples.ts';
import { temporaryFolder } from '../bundle.ts';
import { foreword } from '../foreword.ts';
import { type ReviewField, RUN, reviewField } from './field.ts';

let folder: string;
let field: ReviewField;
beforeEach(async () => {
  folder = temporaryFolder('review-commands');
  const prepare = ({ person, env }: Pick<ReviewField, 'person' | 'env'>) => {
    person.write('a', 'a\n');
    person.write('b', 'b\n');
    person.commit();
    writeFileSync(join(env.HOME ?? '', '.gitconfig'), '[user]\n\tname = Me\n\temail = me@example.invalid\n');
  };
  field = await reviewField(folder, prepare, { isProgram: true });
});
afterEach(async () => {
  await field.stores.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => foreword(args, { cwd: field.person.root, env: field.env });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout) as Record<string, unknown>;

test('a task that needs review is looked at, accepted, merged, and its git revert printed', async () => {
  await field.attempt('t', { a: 'new\n' });
  const shown = await run('diff', 't');
  expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining('-a\n+new\n') });
  expect(await json('diff', 't')).toMatchObject({ task_id: 't', attempt: 1, files: [{ path: 'a', kind: 'updated' }] });
  const accepted = await run('accept', 't');
  const commit = field.person.run('rev-parse', `foreword/${RUN}`);
  expect(accepted).toMatchObject({
    status: 0,
    stdout: `Accepted t: attempt 1 by codex is commit ${commit.slice(0, 12)} on foreword/${RUN}.\noverruled  expected 1 to be 2\n`,
  });
  const { tasks } = await json('status');
  expect(tasks).toMatchObject([{ task_id: 't', status: 'completed', by: 'person', commit }]);
  const merged = await run('merge');
  expect(merged).toMatchObject({ status: 0, stdout: `Merged ${RUN}: t.\n` });
  expect(merged.stderr).toContain(`$ git merge --no-edit foreword/${RUN}\n`);
  expect(field.person.run('rev-parse', 'main')).toBe(commit);
  expect(await run('undo', 't')).toMatchObject({
    status: 0,
    stdout: `t is merged into your branch. To take it back there, run:\n  git revert ${commit}\n`,
  });
});

test('work that an accept had put on the branch when it was cut off is not rejected: it would stay there', async () => {
  await field.attempt('t', { a: 'new\n' });
  const before = await field.task('t');
  await run('accept', 't');
  await field.stores.tasks.amend(before, NOON);
  expect(await run('reject', 't', '--because', 'no')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('foreword accept t ends it; foreword undo t takes it back after that.'),
  });
  expect((await run('accept', 't')).status).toBe(0);
  expect((await run('undo', 't')).status).toBe(0);
  expect(field.person.run('show', `foreword/${RUN}:a`)).toBe('a');
});

test('a task is sent back with a reason, and a completed one undone', async () => {
  await field.attempt('t', { a: 'new\n' });
  expect(await run('reject', 't')).toMatchObject({ status: 2, stderr: expect.stringContaining('--because TEXT') });
  expect(await json('reject', 't', '--because', 'wrong name')).toEqual({
    task_id: 't',
    status: 'queued',
    because: 'wrong name',
  });
  expect(await run('accept', 't')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is nothing to accept'),
  });
  await field.complete('u', { b: 'new\n' });
  expect(await json('undo', 'u')).toMatchObject({ task_id: 'u', status: 'queued', dependents: [], run: RUN });
  expect(field.person.run('show', `foreword/${RUN}:b`)).toBe('b');
  expect(await run('merge')).toMatchObject({ status: 1, stderr: expect.stringContaining('has nothing to merge') });
});

test('a merge with --json prints one document, whatever git prints', async () => {
  await field.complete('t', { a: 'new\n' });
  await field.attempt('open', { b: 'x\n' });
  expect(await json('merge', `foreword/${RUN}`, '--squash')).toMatchObject({
    run: RUN,
    tasks: ['t'],
    without: ['open'],
    kind: 'merged',
    how: 'squash',
    commit: field.person.run('rev-parse', 'HEAD'),
  });
  expect(await json('diff')).toMatchObject({ error: { message: 'Every run of this project is merged.' } });
  expect(await json('diff', '--run', RUN)).toMatchObject({ run: RUN, files: [{ path: 'a' }] });
});

test('what is wrong in a command line is said with the right form', async () => {
  for (const [args, status, text] of [
    [['diff', '--attempt', '1'], 2, 'foreword diff TASK --attempt N'],
    [['diff', 't', '--attempt', 'x'], 2, 'whole number from 1 up'],
    [['merge', 'nothing'], 2, 'There is no run "nothing"'],
    [['accept', 'nobody'], 2, 'There is no task "nobody"'],
  ] as const) {
    expect(await run(...args)).toMatchObject({ status, stderr: expect.stringContaining(text) });
  }
});
