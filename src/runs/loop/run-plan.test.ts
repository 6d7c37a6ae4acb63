import { expect, test } from 'vitest';
import type { Task, TaskRecord, TaskStatus } from '../../kernel/task.ts';
import { planRun, unblocked } from './run-plan.ts';

function task(task_id: string, depends_on: readonly string[] = [], priority = 1000): Task {
  return {
    task_id,
    intent: '',
    instructions: 'x',
    acceptance_criteria: [],
    depends_on,
    priority,
    targets: [],
    retry_policy: { max_retries: 3 },
    timeout_s: 1,
    options: {},
  };
}

function records(statuses: Readonly<Record<string, TaskStatus>>): ReadonlyMap<string, TaskRecord> {
  return new Map(
    Object.entries(statuses).map(([task_id, status]) => [
      task_id,
      { task_id, status, intent: '', updated_at: '2026-01-01T00:00:00Z' },
    ]),
  );
}

const ids = (tasks: readonly Task[]) => tasks.map((each) => each.task_id);

test('ready tasks come by priority, those of equal priority in the order of the file; open dependencies wait', () => {
  const plan = planRun(
    [task('b', [], 5), task('c', [], 5), task('a', [], 5), task('z', [], 1), task('later', ['a'])],
    records({ a: 'queued', b: 'queued', c: 'queued', z: 'queued', later: 'queued' }),
  );
  expect([ids(plan.ready), ids(plan.waiting)]).toEqual([['z', 'b', 'c', 'a'], ['later']]);
});

test('tasks under way are looked at in the order of the file too', () => {
  const plan = planRun([task('b'), task('a')], records({ a: 'running', b: 'running' }));
  expect(ids(plan.running)).toEqual(['b', 'a']);
});

test('what depends on a failed, blocked or unreviewed task cannot be done, nor what depends on that', () => {
  const plan = planRun(
    [task('a'), task('b', ['a']), task('c', ['b']), task('d', ['gone']), task('e')],
    records({ a: 'needs-review', b: 'queued', c: 'queued', d: 'queued', e: 'completed' }),
  );
  expect(plan.impossible.map((each) => [each.task.task_id, each.reason])).toEqual([
    ['b', 'depends on a, which needs review: foreword accept a, or reject it'],
    ['c', 'depends on b, which cannot be done'],
    ['d', 'depends on gone, which does not exist'],
  ]);
  expect(plan.ready).toEqual([]);
});

test('tasks under way are known as such', () => {
  const plan = planRun([task('a'), task('b', ['a'])], records({ a: 'running', b: 'queued' }));
  expect([ids(plan.running), ids(plan.waiting), ids(plan.ready)]).toEqual([['a'], ['b'], []]);
});

test('what was blocked by a task is free when that one is open or completed again, and so is what waits for it', () => {
  const tasks = [task('a'), task('b', ['a']), task('c', ['b']), task('d', ['a']), task('e', ['x']), task('f', ['a'])];
  const why = (reason: string) => ({ status: 'blocked' as const, reason });
  const known = new Map<string, Pick<TaskRecord, 'status' | 'reason'>>([
    ['b', why('depends on a, which needs review: foreword accept a, or reject it')],
    ['c', why('depends on b, which is blocked')],
    ['d', why('agents could not work 3 times')],
    ['e', why('depends on x, which does not exist')],
    ['f', { status: 'completed' }],
  ]);
  const freed = (status: TaskStatus) => ids(unblocked(tasks, new Map(known).set('a', { status })));
  expect(freed('completed')).toEqual(['b', 'c']);
  expect(freed('queued')).toEqual(['b', 'c']);
  expect(freed('needs-review')).toEqual([]);
  expect(freed('failed')).toEqual([]);
});
