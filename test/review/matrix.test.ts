// Every state of a task × every command that a person can type, on the built command: what it answers, what it says to do instead,
// and that a refusal changes neither the task nor a byte of the repository.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Claim, Task } from '../../src/kernel/task.ts';
import { type Lease, openLeases } from '../../src/runs/workplaces/lease.ts';
import { isoAt, record, task as sample } from '../../src/stores/contract/samples.ts';
import { runPlaces } from '../../src/system/files/project-state.ts';
import { ownerName } from '../../src/system/processes/owner.ts';
import { temporaryFolder } from '../bundle.ts';
import { everything } from '../checkouts/field.ts';
import { foreword } from '../foreword.ts';
import { type ReviewField, RUN, reviewField } from './field.ts';

const AGENT = join(import.meta.dirname, '../agents/scripted.mjs');
const DAY = 24 * 60 * 60 * 1000;

let folder: string;
let field: ReviewField;
let living: Claim;
let lease: Lease;

const task = (id: string): Task => ({
  ...sample(id),
  acceptance_criteria: [{ text: 'it is there', check: { file_exists: `done-${id}.txt` } }],
});
const run = (...args: string[]) =>
  foreword([...args, '--config', join(folder, 'config.json')], { cwd: field.person.root, env: field.env });
const statuses = async () =>
  Object.fromEntries((await field.stores.tasks.list()).map(({ task_id, status }) => [task_id, status]));
/** Of the person: files, index, HEAD. Refs and objects are looked at by name. */
const files = () => [
  everything(field.person.root, /^\.git\/(objects|refs|packed-refs)/),
  field.person.run('rev-parse', 'main'),
];

beforeAll(async () => {
  folder = temporaryFolder('matrix');
  field = await reviewField(
    folder,
    ({ person, env }) => {
      person.write('a', 'a\n');
      person.commit();
      writeFileSync(join(env.HOME ?? '', '.gitconfig'), '[user]\n\tname = Me\n\temail = me@example.invalid\n');
    },
    { isProgram: true },
  );
  const oneshot = { command: [process.execPath, AGENT, 'works', join(folder, 'ledger.jsonl')], prompt: 'stdin' };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ lineup: ['first'], agents: { first: { oneshot } } }));
  const { tasks, runs } = field.stores;
  const more = (id: string) => ({ task: task(id), updated_at: new Date().toISOString() });
  const base = await field.tip();
  const add = (id: string, status: 'queued' | 'blocked') =>
    tasks.add({ ...record(id, status), ...more(id), run: RUN, start: base });
  await add('queued', 'queued');
  await add('living', 'queued');
  await add('dead', 'queued');
  await add('blocked', 'blocked');
  const now = Date.now();
  const claim = async (id: string, owner: string) => {
    const taken = await tasks.claim(id, { owner, now, leaseMs: DAY });
    return taken ?? expect.fail(`${id} cannot be claimed`);
  };
  living = await claim('living', ownerName());
  const [host, boot, , , machine] = ownerName().split(' ');
  await claim('dead', `${host} ${boot} 4194304 1 ${machine}`);
  for (const id of ['review', 'review-too', 'rejected']) await field.attempt(id, { [`${id}.txt`]: 'x\n' }, more(id));
  for (const id of ['failed', 'failed-too'])
    await field.attempt(id, { [`${id}.txt`]: 'x\n' }, { ...more(id), status: 'failed' });
  for (const id of ['completed', 'undone']) await field.complete(id, { [`${id}.txt`]: 'x\n' }, more(id));
  const merged = { at: isoAt(0), commit: base, how: 'merge' } as const;
  await runs.put(
    'r0',
    { ...(await field.run()), id: 'r0', taskFile: 'old.yaml', tip: base, state: 'merged', merged },
    0,
  );
  await tasks.add({ ...record('merged', 'completed'), ...more('merged'), run: 'r0', commit: base, merged: isoAt(0) });
  await field.stores.attempts.append('merged', {
    ...(await field.stores.attempts.list('review'))[0],
    commit: base,
  } as never);
  expect(await run('undo', 'undone')).toMatchObject({ status: 0 });
  expect(await run('reject', 'rejected', '--because', 'not like this')).toMatchObject({ status: 0 });
  const places = runPlaces(field.places, join(folder, 'runs'), folder);
  lease = await openLeases(places, { name: ownerName(), isAlive: () => true }).take({ run: RUN, task: 'living' });
});
afterAll(async () => {
  await field.stores.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a refusal says, or that it is allowed (`null`: tried further down). */
const WORK = /being worked on\.[\s\S]*If it was cut off, foreword run goes on with it/;
const TABLE: Record<string, Record<'diff' | 'accept' | 'reject' | 'undo', RegExp | null>> = {
  queued: {
    diff: /no work to show: it is queued/,
    accept: /nothing to accept[\s\S]*foreword run works on it/,
    reject: /nothing to reject[\s\S]*foreword run works on it/,
    undo: /not completed: it is queued/,
  },
  living: { diff: /no work to show: it is running/, accept: WORK, reject: WORK, undo: /not completed: it is running/ },
  dead: { diff: /no work to show: it is running/, accept: WORK, reject: WORK, undo: /not completed: it is running/ },
  completed: {
    diff: null,
    accept: /completed already[\s\S]*foreword diff completed/,
    reject: /foreword undo completed takes its commit back/,
    undo: null,
  },
  merged: { diff: null, accept: /completed already/, reject: /foreword undo merged prints the command/, undo: null },
  review: { diff: null, accept: null, reject: null, undo: /foreword reject review --because TEXT/ },
  failed: { diff: null, accept: null, reject: null, undo: /foreword reject failed --because TEXT/ },
  blocked: {
    diff: /no work to show: it is blocked/,
    accept: /is blocked[\s\S]*foreword run tries it again/,
    reject: /is blocked[\s\S]*foreword run tries it again/,
    undo: /not completed: it is blocked/,
  },
  undone: {
    diff: null,
    accept: /nothing to accept[\s\S]*foreword run works on it/,
    reject: /nothing to reject[\s\S]*foreword run works on it/,
    undo: /not completed: it is queued/,
  },
  rejected: {
    diff: null,
    accept: /nothing to accept[\s\S]*foreword run works on it/,
    reject: /sent back already[\s\S]*foreword run works on it/,
    undo: /not completed: it is queued/,
  },
};

describe('nothing is changed by', () => {
  test.each(Object.entries(TABLE))('what is refused or only looks at a task that is %s', async (id, cells) => {
    const before = [everything(field.person.root), await statuses()];
    const ask = (name: string) => (name === 'reject' ? run(name, id, '--because', 'x') : run(name, id));
    const cellsOf = Object.entries(cells).filter(([name, cell]) => cell !== null || name === 'diff');
    const [history, ...answers] = await Promise.all([run('history', id), ...cellsOf.map(([name]) => ask(name))]);
    expect(history).toMatchObject({ status: 0, stderr: '' });
    for (const [index, [name, cell]] of cellsOf.entries()) {
      const answer = answers[index];
      if (cell === null) expect([name, answer?.status, answer?.stderr]).toEqual([name, 0, '']);
      else expect([name, answer?.status, answer?.stderr]).toEqual([name, 1, expect.stringMatching(cell)]);
    }
    expect([everything(field.person.root), await statuses()]).toEqual(before);
  });

  test('status, merge while a task is running, and undo after a merge', async () => {
    const before = [everything(field.person.root), await statuses()];
    const { status, stdout } = await run('status');
    expect(status).toBe(0);
    for (const id of Object.keys(TABLE)) expect(stdout).toContain(id);
    expect(await run('merge')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /still at work on living \(running\), dead \(running\)\.[\s\S]*foreword run goes on with it/,
      ),
    });
    expect(await run('merge', 'r0')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/merged already[\s\S]*Run the task file again: it begins another run/),
    });
    expect(await run('undo', 'merged')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ {2}git revert [0-9a-f]{40}$/m),
    });
    expect([everything(field.person.root), await statuses()]).toEqual(before);
  });
});

test('clean changes no task, whatever its state', async () => {
  const before = [files(), await statuses(), field.person.run('for-each-ref')];
  expect(await run('clean')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('a run is going on'),
  });
  expect([files(), await statuses(), field.person.run('for-each-ref')]).toEqual(before);
});

test('what is allowed is done, on the branch of the run alone', async () => {
  const before = files();
  for (const [id, args, after] of [
    ['review', [], 'completed'],
    ['failed', [], 'completed'],
    ['review-too', ['--because', 'x'], 'queued'],
    ['failed-too', ['--because', 'x'], 'queued'],
  ] as const) {
    expect(await run(args.length === 0 ? 'accept' : 'reject', id, ...args)).toMatchObject({ status: 0, stderr: '' });
    expect([id, (await statuses())[id]]).toEqual([id, after]);
  }
  expect(await run('undo', 'completed')).toMatchObject({ status: 0, stderr: '' });
  expect((await statuses()).completed).toBe('queued');
  expect(files()).toEqual(before);
});

test('run does what is in the queue, goes on with what was cut off, waits for what another works on, and then all is merged', async () => {
  const ids = ['queued', 'living', 'dead', 'merged', 'blocked', 'undone', 'rejected', 'review', 'failed', 'failed-too'];
  field.person.write('tasks.yaml', JSON.stringify(ids.map(task)));
  const before = files();
  const running = run('run', 'tasks.yaml', '--concurrency', '4');
  await pause(1000);
  lease.release();
  await field.stores.tasks.update(living, { ...(await field.task('living')), status: 'completed' });
  expect(await running).toMatchObject({ status: 0, stderr: '' });
  const all = await statuses();
  expect(ids.filter((id) => all[id] !== 'completed')).toEqual([]);
  expect(files()).toEqual(before);
  // Done by somebody else, or before.
  const done = ids.filter((id) => !['living', 'merged', 'review', 'failed'].includes(id));
  const paths = field.person.run('ls-tree', '--name-only', `foreword/${RUN}`).split('\n');
  expect(done.filter((id) => !paths.includes(`done-${id}.txt`))).toEqual([]);
  expect(await run('merge')).toMatchObject({ status: 0, stdout: expect.stringContaining(`Merged ${RUN}: `) });
  expect(field.person.run('status', '--porcelain')).toBe('?? tasks.yaml');
  expect(await run('clean')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`branch foreword/${RUN}: removed`),
  });
  expect(await statuses()).toEqual(all);
});
