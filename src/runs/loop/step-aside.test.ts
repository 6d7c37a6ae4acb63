import { expect, test } from 'vitest';
import type { Task } from '../../kernel/task.ts';
import { memoryStores } from '../../stores/memory.ts';
import type { RunPorts, RunSettings } from '../ports.ts';
import { openTaskTurns } from './step-aside.ts';

const NOON = Date.UTC(2026, 10, 16, 12);

function task(task_id: string, ...agents: readonly string[]): Task {
  return { task_id, ...(agents.length === 0 ? {} : { agents }) } as unknown as Task;
}

async function setUp(tasks: readonly Task[]) {
  const stores = memoryStores();
  let reads = 0;
  const { list } = stores.breakers;
  const breakers = {
    ...stores.breakers,
    list: () => {
      reads += 1;
      return list();
    },
  };
  const until = new Date(NOON + 3_600_000).toISOString();
  const openedAt = new Date(NOON).toISOString();
  await stores.breakers.put('codex', { agent: 'codex', state: 'open', reason: 'quota', openedAt, until }, 0);
  const ports = { stores: { ...stores, breakers }, clock: { now: () => NOON + 1 } } as unknown as RunPorts;
  const settings = { lineup: ['codex'], installed: new Set(['codex', 'claude']) } as unknown as RunSettings;
  return { turns: openTaskTurns(ports, settings, tasks), reads: () => reads };
}

test('tasks that somebody can work on come before those that would wait; the order stays otherwise', async () => {
  const tasks = [task('a'), task('b', 'codex'), task('c', 'claude'), task('d', 'codex', 'claude'), task('e')];
  const { turns } = await setUp(tasks);
  expect((await turns.order(tasks)).map(({ task_id }) => task_id)).toEqual(['c', 'd', 'a', 'b', 'e']);
});

test('where no task names its agents, all are alike and nothing is read', async () => {
  const tasks = [task('a'), task('b')];
  const { turns, reads } = await setUp(tasks);
  expect(await turns.order(tasks)).toBe(tasks);
  expect(await turns.mayStepAside(task('a'), [task('b')])).toBe(false);
  expect(reads()).toBe(0);
});

test('a task whose work nobody can look at steps aside for any other, and comes last until somebody is back', async () => {
  const [a, b, c] = [task('a', 'claude'), task('b', 'claude'), task('c', 'claude')] as const;
  const { turns } = await setUp([a, b, c]);
  const ids = async () => (await turns.order([a, b, c])).map(({ task_id }) => task_id);
  expect(await turns.mayStepAside(a, [b], NOON + 1000)).toBe(true);
  turns.ended(a);
  expect(await ids()).toEqual(['b', 'c', 'a']);
  // Those that wait for the same are no reason to step aside.
  expect(await turns.mayStepAside(b, [a], NOON + 1000)).toBe(false);
  expect(await turns.mayStepAside(b, [a, c], NOON)).toBe(true);
  expect(await ids()).toEqual(['b', 'c', 'a']);
  // Once for each time at which somebody should be back: that of a is to come, that of b has passed.
  expect(await turns.mayStepAside(a, [c], NOON + 2000)).toBe(false);
  expect(await turns.mayStepAside(b, [c], NOON + 2000)).toBe(true);
});

test('a task steps aside once for one that can be worked on, and again only after another one is over', async () => {
  const [a, b, c] = [task('a', 'codex'), task('b', 'codex'), task('c', 'claude')] as const;
  const { turns } = await setUp([a, b, c]);
  expect(await turns.mayStepAside(a, [b])).toBe(false);
  expect(await turns.mayStepAside(a, [b, c])).toBe(true);
  turns.ended(a);
  expect(await turns.mayStepAside(a, [c])).toBe(false);
  turns.ended(c);
  expect(await turns.mayStepAside(a, [c])).toBe(true);
});
