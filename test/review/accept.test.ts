// A person's word about the work of a task: accept, reject, undo, and looking at it.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observeCheckout, resetCheckout, updateRef } from '../../src/runs/checkouts/index.ts';
import { accept } from '../../src/runs/review/accept.ts';
import { decideTask, type TaskFacts } from '../../src/runs/review/decide.ts';
import { taskFacts } from '../../src/runs/review/parts.ts';
import { reject, undo } from '../../src/runs/review/send-back.ts';
import { showCommit, showRange } from '../../src/runs/review/show.ts';
import { attempt, isoAt, NOON, record, run as sampleRun } from '../../src/stores/contract/samples.ts';
import { memoryStores } from '../../src/stores/memory.ts';
import { temporaryFolder } from '../bundle.ts';
import { commitOf, everything, makeField, unbornTarget } from '../checkouts/field.ts';
import { longTest } from '../long.ts';
import { allowed, type ReviewField, RUN, refs, reviewField } from './field.ts';

let folder: string;
let field: ReviewField;
beforeEach(async () => {
  folder = temporaryFolder('review');
  field = await reviewField(folder, ({ person }) => {
    person.write('a', '1\n2\n3\n4\n5\n');
    person.write('b', 'b\n');
    person.commit();
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function accepted(id: string) {
  const { facts, act } = await allowed(field, [id, { name: 'accept' }, 'accept']);
  return accept(field.parts, facts, act);
}

async function undone(id: string) {
  const { facts, act } = await allowed(field, [id, { name: 'undo' }, 'undo']);
  return undo(field.parts, facts, act);
}

const OURS = /^\.git\/(objects\/|refs\/heads\/foreword$|refs\/foreword$|refs\/heads\/foreword\/|refs\/foreword\/)/;

test('accepted work is one commit on the branch, by the word of a person, and nothing else of theirs is touched', async () => {
  await field.attempt('t', { a: 'new\n' });
  const before = everything(field.person.root, OURS);
  const outcome = await accepted('t');
  expect(outcome).toEqual({ kind: 'accepted', commit: field.person.run('rev-parse', `foreword/${RUN}`) });
  expect(field.person.run('log', '--format=%s%n%(trailers)', `main..foreword/${RUN}`)).toBe(
    'do t\nForeword-Task: t\nForeword-Agent: codex\nForeword-Attempts: 1\nForeword-By: person',
  );
  expect(field.person.run('show', `foreword/${RUN}:a`)).toBe('new');
  expect(everything(field.person.root, OURS)).toEqual(before);
  expect(await field.task('t')).toMatchObject({
    status: 'completed',
    by: 'person',
    commit: await field.tip(),
    completed_at: isoAt(60_000),
  });
  expect((await field.task('t')).reason).toBeUndefined();
  expect(await field.run()).toMatchObject({ state: 'open', tip: (outcome as { commit: string }).commit });
});

test('work that began before another task was completed is put onto it', async () => {
  const start = await field.tip();
  await field.complete('first', { b: 'first\n' });
  await field.attempt('t', { a: '1\n2\n3\n4\nfive\n' }, { start });
  expect(await accepted('t')).toMatchObject({ kind: 'accepted' });
  expect(field.person.run('show', `foreword/${RUN}:b`)).toBe('first');
  expect(field.person.run('show', `foreword/${RUN}:a`)).toBe('1\n2\n3\n4\nfive');
});

longTest(
  'work of a completed task that was run again is accepted itself, not the commit of the first time',
  async () => {
    const first = await field.complete('t', { a: 'first\n' });
    await field.attempt('again', { a: 'second\n' });
    const task = await field.task('again');
    const attempts = await field.stores.attempts.list('again');
    await field.stores.attempts.append('t', { ...(attempts[0] as (typeof attempts)[0]), attemptNumber: 2 });
    await field.stores.tasks.amend({ ...task, task_id: 't', countedFrom: 1 }, NOON);
    expect(await accepted('t')).toMatchObject({ kind: 'accepted', commit: expect.not.stringContaining(first) });
    expect(field.person.run('show', `foreword/${RUN}:a`)).toBe('second');
  },
);

test('work in conflict with another task is not accepted, and the branch stays', async () => {
  const start = await field.tip();
  const tip = await field.complete('first', { a: 'first\n' });
  await field.attempt('t', { a: 'other\n' }, { start });
  expect(await accepted('t')).toMatchObject({
    kind: 'refused',
    because: expect.stringContaining('completed since it began: a.'),
  });
  expect(field.person.run('rev-parse', `foreword/${RUN}`)).toBe(tip);
  expect((await field.task('t')).status).toBe('needs-review');
});

test('a branch that is checked out, or that somebody rewrote, is not moved, and the next try works', async () => {
  await field.complete('first', { b: 'first\n' });
  const tip = await field.tip();
  await field.attempt('t', { a: 'new\n' });
  field.person.run('switch', '--quiet', `foreword/${RUN}`);
  expect(await accepted('t')).toMatchObject({ kind: 'refused', because: expect.stringContaining('is checked out in') });
  field.person.write('c', 'mine\n');
  field.person.run('add', 'c');
  field.person.run('commit', '--quiet', '--amend', '--message', 'rewritten');
  const mine = field.person.run('rev-parse', 'HEAD');
  field.person.run('switch', '--quiet', 'main');
  expect(await accepted('t')).toMatchObject({ kind: 'refused', because: expect.stringContaining('Somebody rewrote') });
  expect(field.person.run('rev-parse', `foreword/${RUN}`)).toBe(mine);
  expect((await field.task('t')).status).toBe('needs-review');
  field.person.run('branch', '--force', `foreword/${RUN}`, tip);
  expect(await accepted('t')).toMatchObject({ kind: 'accepted' });
});

longTest('a commit of the person on the branch is kept, and the accepted work goes on top of it', async () => {
  await field.complete('first', { b: 'first\n' });
  await field.attempt('t', { a: 'new\n' });
  field.person.run('switch', '--quiet', `foreword/${RUN}`);
  field.person.write('c', 'mine\n');
  const mine = field.person.commit();
  field.person.run('switch', '--quiet', 'main');
  expect(await accepted('t')).toMatchObject({ kind: 'accepted' });
  expect(field.person.run('rev-parse', `foreword/${RUN}^`)).toBe(mine);
  expect(field.person.run('show', `foreword/${RUN}:a`)).toBe('new');
});

test('work in a repository without a commit is accepted as the first commit of the branch', async () => {
  const bare = makeField(join(folder, 'unborn'));
  const source = await bare.open();
  const [stores, run] = [memoryStores(), { ...sampleRun(RUN), base: { mode: 'head', commit: '' }, tip: '' } as const];
  await stores.runs.put(RUN, run, 0);
  await resetCheckout(source, bare.places.checkout(1), await unbornTarget(source));
  bare.write('a', 'first\n');
  const { tree } = await observeCheckout(source, bare.places.checkout(1));
  await stores.tasks.add({ ...record('t', 'needs-review'), run: RUN });
  await stores.attempts.append('t', { ...attempt(1), commit: await commitOf(source, tree) });
  const parts = { source, stores, now: () => NOON };
  const facts = await taskFacts(stores, 't');
  const decision = facts && decideTask({ name: 'accept' }, facts);
  if (decision?.kind !== 'allowed' || decision.act.kind !== 'accept') throw new Error('it was not allowed');
  expect(await accept(parts, facts as TaskFacts, decision.act)).toMatchObject({ kind: 'accepted' });
  expect(bare.person.run('show', `foreword/${RUN}:a`)).toBe('first');
});

test('after a crash between the branch and the record, accepting again makes no second commit', async () => {
  await field.attempt('t', { a: 'new\n' });
  const before = [await field.task('t'), await field.run()] as const;
  const { commit } = (await accepted('t')) as { commit: string };
  // As it was before the records were written.
  await field.stores.tasks.amend(before[0], Date.parse(isoAt(0)));
  const found = await field.stores.runs.get(RUN);
  await field.stores.runs.put(RUN, before[1], found?.version ?? 0);
  expect(await accepted('t')).toEqual({ kind: 'accepted', commit });
  expect(field.person.run('rev-list', '--count', `main..foreword/${RUN}`)).toBe('1');
});

test('after a crash before the branch was moved, it is brought up to the tip', async () => {
  await field.complete('first', { b: 'first\n' });
  const first = await field.tip();
  await field.complete('second', { b: 'second\n' });
  field.person.run('update-ref', refs.branch, first);
  await field.attempt('t', { a: 'new\n' });
  expect(await accepted('t')).toMatchObject({ kind: 'accepted' });
  expect(field.person.run('rev-list', '--count', `main..foreword/${RUN}`)).toBe('3');
});

longTest('a run that was merged and gets another commit is to be merged again', async () => {
  await field.complete('first', { b: 'first\n' });
  await field.attempt('t', { a: 'new\n' });
  const found = await field.stores.runs.get(RUN);
  const merged = { at: isoAt(0), commit: 'c'.repeat(40), how: 'merge' } as const;
  await field.stores.runs.put(RUN, { ...(await field.run()), state: 'merged', merged }, found?.version ?? 0);
  await accepted('t');
  expect((await field.run()).state).toBe('left');
});

test('rejected work is in the queue with the reason, its attempts are kept and no longer count', async () => {
  const made = await field.attempt('t', { a: 'new\n' });
  const { facts, act } = await allowed(field, ['t', { name: 'reject', because: ' wrong name ' }, 'reject']);
  await reject(field.parts, facts, act.because);
  const task = await field.task('t');
  expect(task).toMatchObject({
    status: 'queued',
    rejected: { at: isoAt(60_000), because: 'wrong name' },
    countedFrom: 1,
    run: RUN,
  });
  expect(task.completed_at).toBeUndefined();
  expect((await field.stores.attempts.open('t')).map(({ commit }) => commit)).toEqual([made]);
});

test('an undone task is in the queue, its commit taken back by another', async () => {
  await field.complete('t', { a: '1\n2\n3\n4\nfive\n' });
  await field.complete('later', { b: 'later\n' });
  expect(await undone('t')).toEqual({ kind: 'undone', commit: field.person.run('rev-parse', `foreword/${RUN}`) });
  expect(field.person.run('show', `foreword/${RUN}:a`)).toBe('1\n2\n3\n4\n5');
  expect(field.person.run('show', `foreword/${RUN}:b`)).toBe('later');
  expect(field.person.run('log', '-1', '--format=%s', `foreword/${RUN}`)).toBe('Revert "do t"');
  const task = await field.task('t');
  expect(task).toMatchObject({ status: 'queued', undone: isoAt(60_000) });
  expect([task.commit, task.by, task.completed_at, task.start]).toEqual([undefined, undefined, undefined, undefined]);
  // Accepting new work of it is a new commit, not the one that was taken back.
  await field.stores.tasks.amend({ ...task, status: 'needs-review' }, Date.parse(isoAt(0)));
  await field.attempt('t', { a: 'again\n' });
  await accepted('t');
  expect(field.person.run('show', `foreword/${RUN}:a`)).toBe('again');
});

test('a task whose lines were changed by a later one cannot be undone by itself', async () => {
  await field.complete('t', { a: 'one\n' });
  const tip = await field.complete('later', { a: 'two\n' });
  expect(await undone('t')).toMatchObject({ kind: 'refused', hint: expect.stringContaining('Undo ') });
  expect(field.person.run('rev-parse', `foreword/${RUN}`)).toBe(tip);
  expect((await field.task('t')).status).toBe('completed');
});

test('the change of a task, of an attempt and of the whole run can be seen', async () => {
  const base = await field.tip();
  const made = await field.complete('t', { a: 'new\n', c: 'c\n' });
  const shown = await showCommit(field.source, made);
  expect(shown.files.map(({ path, kind }) => `${kind} ${path}`)).toEqual(['updated a', 'created c']);
  expect(shown.text).toContain('+new');
  const tip = await field.complete('later', { b: 'later\n' });
  const whole = await showRange(field.source, { from: base, to: tip });
  expect(whole.files.map(({ path }) => path)).toEqual(['a', 'b', 'c']);
  const lost = 'e'.repeat(40);
  await expect(showCommit(field.source, lost)).rejects.toMatchObject({
    code: 'conflict',
    hint: expect.stringContaining('after 14 days'),
  });
});

test('two people who accept at the same time both get their commit', async () => {
  await field.attempt('one', { a: 'new\n' });
  await field.attempt('two', { b: 'new\n' });
  const outcomes = await Promise.all([accepted('one'), accepted('two')]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
  expect(field.person.run('rev-list', '--count', `main..foreword/${RUN}`)).toBe('2');
  expect(await updateRef(field.source.own, refs.tip, { from: await field.tip(), to: await field.tip() })).toBe(true);
});
