import { expect, test } from 'vitest';
import type { Continuity } from '../kernel/continuity.ts';
import { memoryStores } from '../stores/memory.ts';
import { lastContinuity, treeMark } from './tree-continuity.ts';

const record = (id: string, tree: string): Continuity => ({
  id,
  savedAt: '2026-11-16T00:00:00.000Z',
  by: 'person',
  done: [],
  inProgress: [],
  blocked: [],
  decisions: [],
  questions: [],
  files: [],
  nextSteps: [],
  ...treeMark(tree),
});

test('each working tree reads its own notes, however many the others wrote since', async () => {
  const { continuity } = memoryStores();
  const last = async (tree: string) => (await lastContinuity(continuity, tree))?.id;
  expect(await last('main')).toBeUndefined();
  await continuity.append(record('old', 'main'));
  for (let number = 0; number < 250; number++) await continuity.append(record(`second-${number}`, 'second'));
  expect([await last('main'), await last('second'), await last('third')]).toEqual(['old', 'second-249', undefined]);
});

test('a record of the main working tree looks as those from before there were trees', () => {
  expect(record('a', 'main')).not.toHaveProperty('tree');
});
