import { expect, test } from 'vitest';
import type { Task } from '../kernel/task.ts';
import { buildHeader, type HeaderFacts } from './header.ts';

const NOW = 1_800_000_000_000;
const SECOND = 1000;
const DAY = 86_400 * SECOND;

function task(task_id: string, more: Partial<Task> = {}): Task {
  return {
    task_id,
    intent: `Do ${task_id}`,
    instructions: '',
    acceptance_criteria: [],
    depends_on: [],
    priority: 1000,
    targets: [],
    retry_policy: { max_retries: 3 },
    timeout_s: 1800,
    options: {},
    ...more,
  };
}

function facts(more: Partial<HeaderFacts> = {}): HeaderFacts {
  return {
    now: NOW,
    recentSec: 180,
    repo: { branch: 'main', head: '57507e3' },
    notes: { pending: [], pendingTotal: 0, recent: [] },
    tasks: [],
    taken: new Set(),
    completed: new Set(),
    policy: undefined,
    targets: [],
    mode: 'propose',
    ...more,
  };
}

test('an empty project has every key, the default policy and noop', () => {
  expect(buildHeader(facts({ repo: { branch: null, head: null } }))).toEqual({
    repo: { branch: null, head: null, recent_window: '180s' },
    pending: [],
    backlog: [],
    hotspots: [],
    targets: [],
    policy: ['minimal diff', 'respect targets'],
    next_work: ['noop'],
    mode: 'propose',
  });
});

test('a full project reads as a person would write it', () => {
  const header = buildHeader(
    facts({
      notes: {
        pending: [
          { id: 'task-217', path: 'ready_for_review/a.md', modifiedAt: NOW - 2 * DAY, targets: ['src/auth.ts'] },
        ],
        pendingTotal: 1,
        recent: [{ path: 'scratch/2025-10-29__exp.md', modifiedAt: NOW - SECOND }],
      },
      tasks: [task('fact-001', { intent: 'Build src/factorial.py' })],
      policy: {
        rules: ['patch-only', 'minimal diff'],
        allow: ['src/**'],
        deny: ['secrets/**'],
        limits: { max_lines_added: 800, max_lines_removed: 800, max_files: 10 },
      },
    }),
  );
  expect(header).toEqual({
    repo: { branch: 'main', head: '57507e3', recent_window: '180s' },
    pending: [{ id: 'task-217', age: '2d ago', files: ['src/auth.ts'] }],
    backlog: [{ id: 'fact-001', summary: 'Build src/factorial.py' }],
    hotspots: [{ path: 'scratch/2025-10-29__exp.md', age: 'just now' }],
    targets: [],
    policy: ['patch-only', 'minimal diff', 'allow:src/**', 'deny:secrets/**', '+<=800 -<=800 lines, files<=10'],
    next_work: [
      'review task-217 (2d ago)',
      'pick fact-001: Build src/factorial.py',
      'look at scratch/2025-10-29__exp.md',
    ],
    mode: 'propose',
  });
});

test('lists end at seven and what is cut is counted', () => {
  const pending = Array.from({ length: 7 }, (_, index) => ({
    id: `n${index}`,
    path: `ready_for_review/${index}.md`,
    modifiedAt: NOW - index * DAY,
    targets: ['a', 'b', 'c', 'd', 'e'],
  }));
  const recent = Array.from({ length: 10 }, (_, index) => ({
    path: `scratch/${index}`,
    modifiedAt: NOW - index * SECOND,
  }));
  const header = buildHeader(
    facts({
      notes: { pending, pendingTotal: 9, recent },
      tasks: Array.from({ length: 12 }, (_, index) => task(`t${index}`)),
      policy: {
        rules: Array.from({ length: 9 }, (_, index) => `rule ${index}`),
        deny: ['x/**'],
        limits: { max_files: 3 },
      },
    }),
  );
  expect([header.pending.length, header.backlog.length, header.hotspots.length, header.policy.length]).toEqual([
    7, 7, 7, 7,
  ]);
  expect(header.more).toEqual({ pending: 2, backlog: 5, hotspots: 3, policy: 4 });
  expect(header.pending[0]).toEqual({ id: 'n6', age: '6d ago', files: ['a', 'b', 'c', '+2 more'] });
  expect(header.policy.slice(-2)).toEqual(['deny:x/**', 'files<=3']);
});

test('a note without targets shows its path', () => {
  const note = { id: 'n', path: 'ready_for_review/n.md', modifiedAt: NOW, targets: [] };
  expect(buildHeader(facts({ notes: { pending: [note], pendingTotal: 1, recent: [] } })).pending[0]?.files).toEqual([
    note.path,
  ]);
});

test('the backlog is sorted by priority and id, without what is taken', () => {
  const tasks = [task('b', { priority: 5 }), task('a', { priority: 5 }), task('z', { priority: 1 }), task('done')];
  const header = buildHeader(facts({ tasks, taken: new Set(['done']) }));
  expect(header.backlog.map((entry) => entry.id)).toEqual(['z', 'a', 'b']);
});

test('the task to pick is the first whose dependencies are completed', () => {
  const tasks = [task('first', { priority: 1, depends_on: ['base'] }), task('base', { priority: 2 })];
  expect(buildHeader(facts({ tasks })).next_work).toEqual(['pick base: Do base']);
  expect(buildHeader(facts({ tasks, taken: new Set(['base']), completed: new Set(['base']) })).next_work).toEqual([
    'pick first: Do first',
  ]);
});

test('hotspots are within the window, once per path, newest first', () => {
  const recent = [
    { path: 'scratch/old', modifiedAt: NOW - 181 * SECOND },
    { path: 'scratch/a', modifiedAt: NOW - 100 * SECOND },
    { path: 'scratch/a', modifiedAt: NOW - 20 * SECOND },
    { path: 'scratch/b', modifiedAt: NOW - 60 * SECOND },
  ];
  expect(buildHeader(facts({ notes: { pending: [], pendingTotal: 0, recent } })).hotspots).toEqual([
    { path: 'scratch/a', age: '20s ago' },
    { path: 'scratch/b', age: '1m ago' },
  ]);
});

test('any mode but review becomes propose', () => {
  expect(['review', 'propose', 'REVIEW', '', 'x'].map((mode) => buildHeader(facts({ mode })).mode)).toEqual([
    'review',
    'propose',
    'propose',
    'propose',
    'propose',
  ]);
});

test('a broken source is named where the header is made without it', () => {
  expect(buildHeader(facts({ unavailable: ['.foreword/tasks.yaml'] })).unavailable).toEqual(['.foreword/tasks.yaml']);
});

test('many denied paths are merged into few entries rather than dropped', () => {
  const deny = Array.from({ length: 40 }, (_, index) => `secret-${index}/**`);
  const header = buildHeader(facts({ policy: { deny, rules: ['patch-only'] } }));
  expect(header.policy.length).toBeLessThanOrEqual(7);
  expect(deny.filter((glob) => !header.policy.join(',').includes(glob))).toEqual([]);
});

test('names of any length stay bounded', () => {
  const long = 'x'.repeat(100_000);
  const header = buildHeader(
    facts({ tasks: [task(long, { intent: long })], targets: [long], repo: { branch: long, head: 'a' } }),
  );
  expect(JSON.stringify(header).length).toBeLessThan(2000);
});
