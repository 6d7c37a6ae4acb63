import { expect, test } from 'vitest';
import type { AttemptRecord } from '../kernel/attempt.ts';
import type { DashboardRecords } from './records.ts';
import { tasksOf } from './tasks.ts';

const AT = '2026-11-15T12:00:00.000Z';

function marksOf(attempt: Partial<AttemptRecord>) {
  const files = { files_created: [], files_updated: [], files_deleted: [] };
  const ended = { timestamp: AT, validationErrors: [], durationMs: 1000, status: 'completed' } as const;
  const records = {
    tasks: [{ task_id: 'a', status: 'completed', intent: 'do a', updated_at: AT }],
    runs: [],
    events: [],
    supervisors: new Map(),
    attempts: new Map([['a', [{ attemptNumber: 1, provider: 'claude', ...files, ...ended, ...attempt }]]]),
  };
  return tasksOf(records as unknown as DashboardRecords).rows[0]?.marks;
}

test('an attempt shows its box, tokens and cost, and the verdict of its review', () => {
  const review = { agent: 'codex', asked: [], verdict: 'reject', findings: [] } as const;
  const marks = marksOf({
    box: { level: 'bubblewrap', refused: ['it tried to write ~/.ssh/config'] },
    usage: { input: 12_000, output: 300, costUsd: 0.25 },
    verdict: { outcome: 'failed', results: [], review, spent: [{ agent: 'codex', usage: { input: 1000, output: 5 } }] },
  } as Partial<AttemptRecord>);
  expect(marks).toMatchObject([
    {
      box: { word: 'in a box (bubblewrap), 1 refused', tone: 'good' },
      used: '13,000 tokens in, 305 out, $0.25 (unknown for 1 of 2 agent runs)',
      detail: 'rejected by codex',
    },
  ]);
});

test('an attempt without a box says why, and what its record does not have is not shown', () => {
  expect(marksOf({ box: { level: 'none', why: 'run.confine is off' } })).toMatchObject([
    { box: { word: 'no box: run.confine is off', tone: 'waiting' } },
  ]);
  const [bare] = marksOf({}) ?? [];
  expect(bare).not.toHaveProperty('box');
  expect(bare).not.toHaveProperty('used');
});
