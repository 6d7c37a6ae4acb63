import { expect, test } from 'vitest';
import type { RunRecord } from '../../kernel/run.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import { type StoredFacts, storedLive } from './stored-state.ts';

const NOW = Date.parse('2026-11-16T22:00:00Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
const run = (id: string, seconds: number): RunRecord => ({
  id,
  taskFile: 'tasks.json',
  base: { mode: 'head', commit: 'c' },
  tip: 'c',
  startedAt: ago(seconds),
  updatedAt: ago(seconds),
  state: 'open',
});
const task = (task_id: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
  task_id,
  status: 'queued',
  intent: '',
  updated_at: ago(50),
  ...more,
});
const current = { attempt: 2, agent: 'first', startedAt: ago(40), before: 'x', promptHash: 'y' };
const FACTS: StoredFacts = {
  title: 't',
  tasks: [],
  runs: [run('old-1', 9000), run('new-1', 100)],
  breakers: [
    { agent: 'third', state: 'open', reason: 'quota', openedAt: ago(9), until: ago(-60) },
    { agent: 'due', state: 'open', reason: 'quota', openedAt: ago(99), until: ago(1) },
    { agent: 'fine', state: 'closed', failures: [] },
  ],
  supervisors: new Map(),
  waiting: new Map(),
  lines: new Map(),
};

test('what each running task does, and whose supervisor is gone', () => {
  const state = storedLive(
    {
      ...FACTS,
      tasks: [
        task('works', { status: 'running', run: 'new-1', current }),
        task('gone', { status: 'running', run: 'new-1', current }),
        task('checks', {
          status: 'running',
          run: 'new-1',
          current: {
            ...current,
            ended: { at: ago(1), durationMs: 1, after: 'z', result: { kind: 'answered', answer: '' } },
          },
        }),
        task('waits', { status: 'running', run: 'new-1' }),
        task('begins', { status: 'running' }),
        task('next'),
        task('done', { status: 'completed', run: 'new-1' }),
        task('another', { status: 'completed', run: 'old-1' }),
      ],
      supervisors: new Map([['gone', { state: 'gone', pid: 7, host: 'h' }]]),
      waiting: new Map([
        ['waits', { reason: 'third: quota', until: NOW + 60_000, since: NOW - 5000 }],
        ['works', { reason: 'third: quota', until: NOW + 60_000, since: NOW - 5000 }],
      ]),
      lines: new Map([['works', 'Edit a.ts']]),
    },
    NOW,
  );
  const who = { agent: 'first', attempt: 2 };
  expect(Object.fromEntries(state.tasks)).toEqual({
    works: { status: 'running', since: NOW - 40_000, now: { phase: 'working', ...who, line: 'Edit a.ts' } },
    gone: { status: 'running', since: NOW - 40_000, now: { phase: 'working', ...who }, goneSupervisor: 7 },
    checks: { status: 'running', since: NOW - 40_000, now: { phase: 'checking', phaseSince: NOW - 1000, ...who } },
    waits: {
      status: 'running',
      since: NOW - 5000,
      now: { phase: 'waiting', waitsFor: 'third: quota', until: NOW + 60_000 },
    },
    begins: { status: 'running', since: NOW - 50_000, now: { phase: 'preparing' } },
    next: { status: 'queued', since: NOW - 50_000 },
    done: { status: 'completed', since: NOW - 50_000 },
  });
  expect({ ...state, tasks: undefined }).toEqual({
    title: 't',
    startedAt: NOW - 100_000,
    branch: 'foreword/new-1',
    tasks: undefined,
    resets: new Map([['third', { until: NOW + 60_000, reason: 'quota' }]]),
  });
});

test('when nobody works, the newest run is shown; without one, nothing', () => {
  const tasks = [task('a', { status: 'completed', run: 'old-1' }), task('b', { status: 'failed', run: 'new-1' })];
  expect([...storedLive({ ...FACTS, tasks }, NOW).tasks.keys()]).toEqual(['b']);
  expect(storedLive({ ...FACTS, runs: [], breakers: [] }, NOW)).toEqual({
    title: 't',
    startedAt: NOW,
    tasks: new Map(),
    resets: new Map(),
  });
});
