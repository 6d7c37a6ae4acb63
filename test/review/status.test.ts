// What a person sees of the work of a run, and what they did with it: status, history, and the events of it.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../bundle.ts';
import { foreword } from '../foreword.ts';
import { type ReviewField, RUN, reviewField } from './field.ts';

let folder: string;
let field: ReviewField;
beforeEach(async () => {
  folder = temporaryFolder('review-status');
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

test('status names the branch, what is not merged, what needs the person, and each command for it', async () => {
  const commit = await field.complete('done', { a: 'new\n' });
  await field.attempt('open', { b: 'new\n' }, { reason: 'nobody decided it' });
  const base = (await field.run()).base.commit.slice(0, 7);
  const { stdout } = await run('status');
  const age = /\S+ ago|just now/;
  expect(stdout.replaceAll(new RegExp(age, 'g'), 'AGE').replaceAll(/ {2,}/g, '  ')).toBe(
    [
      'task  status  attempts  used  changed  commit  detail',
      `done  completed  1  unknown  AGE  ${commit.slice(0, 7)}  by its checks, not merged`,
      'open  needs-review  1  unknown  AGE  nobody decided it',
      '',
      'Needs you:',
      '  open: needs-review: nobody decided it',
      '  foreword diff open',
      '  foreword accept open',
      '  foreword reject open --because TEXT',
      '',
      `Branch foreword/${RUN}, from main at ${base}: 1 commit, not merged yet`,
      '  foreword diff',
      '  foreword merge',
      '',
      'Left by runs: 1 checkout that no run uses. foreword clean removes it.',
      '',
    ].join('\n'),
  );
  const shown = JSON.parse((await run('status', '--json')).stdout);
  expect(shown).toMatchObject({
    tasks: [
      { task_id: 'done', status: 'completed', by: 'checks', commit, merged: null, commands: [] },
      { task_id: 'open', status: 'needs-review', reason: 'nobody decided it', commands: { length: 3 } },
    ],
    runs: [{ id: RUN, branch: `foreword/${RUN}`, state: 'open', commits: 1, commands: { length: 2 } }],
    left: { checkouts: 1 },
  });
});

test('what was rejected and undone is in the queue with the reason, and what was merged is shown as that', async () => {
  await field.complete('done', { a: 'new\n' });
  await field.complete('back', { b: 'new\n' });
  await field.attempt('open', { b: 'other\n' });
  await run('undo', 'back');
  await run('reject', 'open', '--because', 'use the other name');
  await run('merge');
  const { tasks, runs } = JSON.parse((await run('status', '--json')).stdout);
  const { at } = (await field.run()).merged ?? {};
  expect(tasks).toMatchObject([
    { task_id: 'done', status: 'completed', merged: at },
    { task_id: 'back', status: 'queued', reason: 'undone: a person took its commit back' },
    { task_id: 'open', status: 'queued', reason: 'rejected by a person: use the other name' },
  ]);
  expect(runs).toMatchObject([{ id: RUN, state: 'merged', commits: 0, commands: [] }]);
  const { stdout } = await run('status');
  expect(stdout).toContain('by its checks, merged');
  expect(stdout).not.toContain('Branch');
});

test('what a person did is in the journal and in the metrics, its text bounded', async () => {
  await field.complete('back', { b: 'new\n' });
  await field.attempt('open', { b: 'other\n' });
  await field.attempt('taken', { a: 'taken\n' });
  await run('undo', 'back');
  await run('reject', 'open', '--because', `no ${'x'.repeat(2000)} end`);
  await run('accept', 'taken');
  await run('merge');
  // Refused: nothing happened, so nothing is in the journal.
  await run('accept', 'taken');
  const lines = (await run('export')).stdout.trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'event');
  const [undone, rejected, accepted, merged] = events.map(({ record }) => record);
  expect(events).toHaveLength(4);
  expect(undone).toMatchObject({ kind: 'task-undone', task: 'back', run: RUN });
  expect(rejected).toMatchObject({
    kind: 'task-rejected',
    task: 'open',
    because: expect.stringMatching(/^no x.* end$/),
  });
  expect(rejected.because).toHaveLength(400);
  expect(accepted).toMatchObject({ kind: 'task-accepted', task: 'taken', attempt: 1, agent: 'codex', overruled: 1 });
  expect(merged).toMatchObject({ kind: 'run-merged', run: RUN, how: 'merge', tasks: 1 });
  const { stdout } = await run('metrics');
  for (const line of [
    'reviews_total{action="accepted"} 1',
    'reviews_total{action="undone"} 1',
    'merges_total{how="merge"} 1',
  ])
    expect(stdout).toContain(`foreword_${line}`);
});
