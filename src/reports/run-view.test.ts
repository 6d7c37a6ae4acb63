import { expect, test } from 'vitest';
import type { RunRecord } from '../kernel/run.ts';
import type { TaskRecord } from '../kernel/task.ts';
import { isoAt, record, run } from '../stores/contract/samples.ts';
import { openRuns, runLine, runViews } from './run-view.ts';

const COMMIT = 'c0ffee'.padEnd(40, '0');
const made = (id: string, more: Partial<RunRecord> = {}): RunRecord => ({
  ...run(id),
  base: { mode: 'head', commit: 'b'.repeat(40), branch: 'main' },
  tip: COMMIT,
  ...more,
});
const done = (id: string, of: string): TaskRecord => ({ ...record(id, 'completed'), run: of, commit: COMMIT });

test('the newest open run needs no name in its commands, another one does', () => {
  const runs = [made('old', { startedAt: isoAt(0) }), made('new', { startedAt: isoAt(9) })];
  const views = runViews(runs, [done('a', 'old'), done('b', 'new'), done('c', 'new')]);
  expect(openRuns(views).map((view) => [runLine(view), ...view.commands])).toEqual([
    [
      'Branch foreword/old, from main at bbbbbbb: 1 commit, not merged yet',
      'foreword diff --run old',
      'foreword merge old',
    ],
    ['Branch foreword/new, from main at bbbbbbb: 2 commits, not merged yet', 'foreword diff', 'foreword merge'],
  ]);
});

test('while a task runs there is nothing to merge yet', () => {
  const [view] = runViews([made('r')], [done('a', 'r'), { ...record('b', 'running'), run: 'r' }]);
  expect(view).toMatchObject({ commits: 1, statuses: { completed: 1, running: 1 }, commands: [] });
});

test('merged runs are not open; of those that were left only what is not merged is', () => {
  const merged = made('m', { state: 'merged', merged: { at: isoAt(1), commit: COMMIT, how: 'merge' } });
  const [left, empty] = [made('l', { state: 'left' }), made('e', { state: 'left' })];
  const views = runViews([merged, left, empty], [done('a', 'm'), done('b', 'l')]);
  expect(openRuns(views).map(runLine)).toEqual([
    'Branch foreword/l, from main at bbbbbbb: 1 commit, not merged yet (left: another run of its task file, or a merge elsewhere; nothing goes on in it)',
  ]);
});

test('a run without a first commit, and one on uncommitted files', () => {
  const unborn = made('u', { base: { mode: 'head', commit: '' }, tip: '' });
  const working = made('w', { base: { mode: 'working', commit: 'b'.repeat(40) } });
  expect(runViews([unborn, working], []).map(runLine)).toEqual([
    'Branch foreword/u: no commits yet',
    'Branch foreword/w, from bbbbbbb with uncommitted files: no commits yet',
  ]);
});

test('a merged run is not called one without commits', () => {
  const merged = made('m', { state: 'merged' });
  expect(runViews([merged], []).map(runLine)).toEqual([
    'Branch foreword/m, from main at bbbbbbb: no commits left to merge',
  ]);
});
