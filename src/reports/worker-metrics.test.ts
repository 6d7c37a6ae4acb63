import { expect, test } from 'vitest';
import type { WorkerSign } from '../kernel/fleet.ts';
import { renderPrometheus } from './prometheus.ts';
import { MOST_WORKER_SERIES, newestQueue, workerFamilies } from './worker-metrics.ts';

const NOW = Date.UTC(2026, 10, 18);
const counts = { jobs: 9, claims: 8, completed: 7, takeovers: 6, spooled: 5, dropped: 4 };

function sign(id: string, { silentMs = 0, ...more }: Partial<WorkerSign> & { silentMs?: number } = {}): WorkerSign {
  const at = new Date(NOW - silentMs).toISOString();
  const about = { host: 'h', pid: 1, version: '0', agents: ['first'], concurrency: 2, state: 'open' } as const;
  return { id, ...about, startedAt: at, seenAt: at, tasks: ['a', 'b'], counts, lagMs: 120, ...more };
}

function series(signs: readonly WorkerSign[]): Readonly<Record<string, number>> {
  const lines = renderPrometheus(workerFamilies(signs, NOW))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const pairs = lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))] as const);
  expect(new Set(pairs.map(([name]) => name)).size).toBe(pairs.length);
  return Object.fromEntries(pairs);
}

test('each worker has its counts, its tasks, its lag and its silence', () => {
  const queue = { waiting: 3, active: 2, delayed: 1 };
  expect(series([sign('w-1', { queue })])).toEqual({
    'foreword_workers{state="open"}': 1,
    'foreword_workers{state="draining"}': 0,
    'foreword_workers{state="silent"}': 0,
    'foreword_queue_jobs{state="waiting"}': 3,
    'foreword_queue_jobs{state="active"}': 2,
    'foreword_queue_jobs{state="delayed"}': 1,
    'foreword_worker_jobs_total{worker="w-1"}': 9,
    'foreword_worker_claims_total{worker="w-1"}': 8,
    'foreword_worker_takeovers_total{worker="w-1"}': 6,
    'foreword_worker_completed_total{worker="w-1"}': 7,
    'foreword_worker_dropped_jobs_total{worker="w-1"}': 4,
    'foreword_worker_tasks{worker="w-1"}': 2,
    'foreword_worker_spooled_results{worker="w-1"}': 5,
    'foreword_worker_lag_seconds{worker="w-1"}': 0.12,
    'foreword_worker_silent_seconds{worker="w-1"}': 0,
  });
});

test('a worker without a sign for half a minute is silent', () => {
  const states = series([sign('a', { silentMs: 31_000 }), sign('b', { state: 'draining' }), sign('c')]);
  expect(['open', 'draining', 'silent'].map((state) => states[`foreword_workers{state="${state}"}`])).toEqual([
    1, 1, 1,
  ]);
  expect(states['foreword_worker_silent_seconds{worker="a"}']).toBe(31);
});

test('any number of workers makes a bounded number of series, and nothing is lost in their sum', () => {
  const many = Array.from({ length: 1000 }, (_, index) => sign(`w-${index}`, { silentMs: index }));
  const found = series(many);
  expect(Object.keys(found)).toHaveLength(MOST_WORKER_SERIES);
  const claims = Object.entries(found).filter(([name]) => name.startsWith('foreword_worker_claims_total'));
  expect(claims.reduce((sum, [, value]) => sum + value, 0)).toBe(8000);
  expect(found['foreword_worker_claims_total{worker="w-0"}']).toBe(8);
  expect(found['foreword_worker_lag_seconds{worker="other"}']).toBe(0.12);
});

test('ids that were made by hand are added up and never double a series', () => {
  const found = series([sign('other'), sign('a b'), sign('a"}\nb'), sign('x'.repeat(101)), sign('same'), sign('same')]);
  expect(found['foreword_worker_claims_total{worker="other"}']).toBe(32);
  expect(found['foreword_worker_claims_total{worker="same"}']).toBe(8);
});

test('the queue is as the newest sign with it says', () => {
  const [old, young] = [
    { waiting: 1, active: 0, delayed: 0 },
    { waiting: 2, active: 0, delayed: 0 },
  ];
  const signs = [sign('a', { silentMs: 9000, queue: old }), sign('b', { silentMs: 5000, queue: young }), sign('c')];
  expect(newestQueue(signs)).toMatchObject(young);
  expect(newestQueue([sign('c')])).toBeUndefined();
});
