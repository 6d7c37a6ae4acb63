import { expect, test } from 'vitest';
import type { ForewordEvent } from '../kernel/events.ts';
import { memoryStores } from '../stores/memory.ts';
import { backingOf, type DashboardFacts, type DashboardProject } from './backing.ts';
import { openReader } from './reader.ts';

const PROJECT: DashboardProject = {
  root: '/projects/shop',
  config: { project: 'shop', lineup: ['claude'] },
  clock: { now: () => Date.UTC(2026, 10, 15) },
  trust: { isAgreed: false, parts: { agents: {} } },
  redact: (text) => text.replaceAll('hunter2', '[redacted]'),
};
const supervisor: DashboardFacts['supervisor'] = (owner) => ({ state: 'gone', pid: 41, host: owner });
const FACTS: DashboardFacts = {
  agents: ['claude'],
  sessions: async () => [],
  installed: () => new Map(),
  measured: () => [],
  supervisor,
};

function field(project: Partial<DashboardProject> = {}) {
  const stores = memoryStores();
  const { redact } = PROJECT;
  const reader = openReader({ identity: () => '', open: async () => stores, spooled: () => [], redact });
  return { stores, backing: backingOf({ ...PROJECT, ...project }, reader, FACTS) };
}

const prompt = (id: string, task: string, attempt: number, original: string) =>
  ({
    id,
    at: '2026-11-15T12:00:00.000Z',
    kind: 'prompt-composed',
    task,
    attempt,
    original,
    handover: '',
  }) as ForewordEvent;

test('the page shows which settings wait for agreement, as long as they do', async () => {
  expect((await field().backing.shown()).needs.rows).toEqual([expect.objectContaining({ todo: 'foreword trust' })]);
  const agreed = field({ trust: { isAgreed: true, parts: { agents: {} } } });
  expect((await agreed.backing.shown()).needs.rows).toEqual([]);
});

test('the last prompt of an attempt is shown, and an attempt without one is unknown', async () => {
  const { stores, backing } = field();
  for (const [id, task, attempt, text] of [
    ['e1', 'a', 1, 'first'],
    ['e2', 'a', 2, 'another'],
    ['e3', 'b', 1, 'of b'],
    ['e4', 'a', 1, 'begun again'],
  ] as const)
    await stores.journal.append(prompt(id, task, attempt, text));
  expect((await backing.prompt('a', 1)).parts.map(({ text }) => text)).toEqual(['begun again']);
  await expect(backing.prompt('a', 3)).rejects.toMatchObject({ code: 'unknown-task' });
  await expect(backing.delivery('fw_1')).rejects.toMatchObject({ code: 'unknown-session' });
});

test('metrics end with one line end', async () => {
  expect(await field().backing.metrics()).toMatch(/\S\n$/);
});

test('the figures have the workers of a fleet', async () => {
  const { stores, backing } = field();
  const counts = { jobs: 3, claims: 2, completed: 1, takeovers: 0, spooled: 0, dropped: 0 };
  const about = { host: 'h', pid: 1, version: '0', agents: [], concurrency: 1, state: 'open' } as const;
  const at = new Date().toISOString();
  await stores.fleet?.sign({ id: 'h-1-ab', ...about, startedAt: at, seenAt: at, tasks: [], counts });
  expect(await backing.metrics()).toContain('\nforeword_worker_claims_total{worker="h-1-ab"} 2\n');
});
