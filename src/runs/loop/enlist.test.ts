import { expect, test } from 'vitest';
import type { RunState } from '../../kernel/run.ts';
import type { Task, TaskRecord, TaskStatus } from '../../kernel/task.ts';
import { attempt, NOON, record, run as runRecord, task } from '../../stores/contract/samples.ts';
import { memoryStores } from '../../stores/memory.ts';
import { enlistTasks } from './enlist.ts';

/** A task with one attempt, as a run left it. */
async function left(status: TaskStatus, more: Partial<TaskRecord> = {}, state: RunState = 'open') {
  const stores = memoryStores();
  await stores.runs.put('r1', { ...runRecord('r1'), state }, 0);
  await stores.attempts.append('a', { ...attempt(1), commit: 'c1' });
  await stores.tasks.add({ ...record('a', status), task: task('a'), run: 'r1', start: 's1', origin: 'o1', ...more });
  const enlist = (run: string, tasks: readonly Task[] = [task('a')], isAgain = false) =>
    enlistTasks(tasks, { stores, now: NOON, redact: (text) => text, isAgain, run });
  return { stores, enlist, get: () => stores.tasks.get('a') };
}

test('work that waits for review is not paid for again: the task stays as it is', async () => {
  const { enlist, get } = await left('needs-review');
  const before = await get();
  expect(await enlist('r1')).toEqual([]);
  expect(await get()).toEqual(before);
});

test('with --again a task that needs review is done once more, from the end of the branch', async () => {
  const { enlist, get, stores } = await left('needs-review');
  await enlist('r1', [task('a')], true);
  const { start, origin, status, countedFrom } = (await get()) ?? {};
  expect({ start, origin, status, countedFrom }).toEqual({ status: 'queued', countedFrom: 1 });
  expect(await stores.attempts.open('a')).toEqual([]);
});

test('a task of which nothing was kept needs no review: it is done again', async () => {
  const { enlist, get } = await left('needs-review', { countedFrom: 1 });
  await enlist('r1');
  expect((await get())?.status).toBe('queued');
});

test('a blocked task goes on where it was in the same run', async () => {
  const { enlist, get, stores } = await left('blocked', { reason: 'why', result: 'why' });
  await enlist('r1');
  const { reason, result, ...kept } = (await get()) ?? {};
  expect([reason, result]).toEqual([undefined, undefined]);
  expect(kept).toMatchObject({ status: 'queued', run: 'r1', start: 's1', origin: 'o1', countedFrom: 1 });
  expect(await stores.attempts.open('a')).toHaveLength(1);
});

test('a failed task begins again without the files that may be why it failed, and with its errors in the hand-over', async () => {
  const { enlist, get, stores } = await left('failed', { reason: 'why', result: 'why', completed_at: 't' });
  await enlist('r1');
  const { status, run, start, origin, reason, completed_at, countedFrom } = (await get()) ?? {};
  expect({ status, run, start, origin, reason, completed_at, countedFrom }).toEqual({
    status: 'queued',
    run: 'r1',
    countedFrom: 1,
  });
  expect(await stores.attempts.open('a')).toHaveLength(1);
});

test('a failed task of another run begins at the end of the branch, without a hand-over about files that are not there', async () => {
  const { enlist, get, stores } = await left('failed');
  await enlist('r2');
  const { start, origin, run } = (await get()) ?? {};
  expect({ start, origin, run }).toEqual({});
  expect(await stores.attempts.open('a')).toEqual([]);
});

test('completed tasks stay completed, but for those that only a branch has that nobody merged and no run goes on with', async () => {
  const done = { commit: 'c1', by: 'checks' } as const;
  const seen = async (state: RunState, more: Partial<TaskRecord> = {}) => {
    const { enlist, get } = await left('completed', { ...done, ...more }, state);
    return [await enlist('r2'), (await get())?.status];
  };
  expect(await seen('open')).toEqual([[], 'completed']);
  expect(await seen('merged')).toEqual([[], 'completed']);
  expect(await seen('left', { merged: 'then' })).toEqual([[], 'completed']);
  expect(await seen('left')).toEqual([[{ task: 'a', run: 'r1' }], 'queued']);
});

test('a task that a shared run left in the queue belongs to the run in which it is enqueued again', async () => {
  const stores = memoryStores();
  const how = { stores, now: NOON, redact: (text: string) => text, isAgain: false, isShared: true };
  await enlistTasks([task('a')], { ...how, run: 'one' });
  expect((await stores.tasks.get('a'))?.run).toBe('one');
  await enlistTasks([task('a')], { ...how, run: 'two' });
  expect(await stores.tasks.get('a')).toMatchObject({ status: 'queued', run: 'two' });
});
