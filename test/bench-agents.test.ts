// What bench/agents.mjs makes of single starts: the bounds it publishes, what counts as served, and what it calls missed.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atLeast, atMost, missed, type Start, section, summarise } from '../bench/agents/summary.mjs';
import { temporaryFolder } from './bundle.ts';

const start = (more: Partial<Start> = {}): Start => ({
  agent: 'claude',
  version: '1.0.0',
  row: 'ladder',
  load: 1,
  served: true,
  servedMs: 1500,
  copies: 1,
  asked: true,
  acknowledged: true,
  attempts: 1,
  channel: 'flag',
  claimed: true,
  interrupted: false,
  ...more,
});
const bound = [start({ row: 'bound', servedMs: 1200 })];
const many = (count: number, more: Partial<Start> = {}) => Array.from({ length: count }, () => start(more));

test.each([
  [50, 50, 0.9418],
  [49, 50, 0.9086],
  [10, 10, 0.7411],
  [5, 10, 0.2224],
  [1, 1, 0.05],
  [0, 50, 0],
])('%i of %i is more than %f with 95 %% confidence', (k, n, expected) => {
  expect(atLeast(k, n)).toBeCloseTo(expected, 4);
});

test('none of fifty is less than 5.8 %, none of none says nothing', () => {
  expect(atMost(0, 50)).toBeCloseTo(0.0582, 4);
  expect([atLeast(0, 0), atMost(0, 0)]).toEqual([0, 1]);
});

test('what was wanted and came about is not called missed', () => {
  expect(missed([summarise(many(50), bound)])).toEqual([]);
});

test.each<[string, Partial<Start>, string]>([
  ['not served', { served: false, acknowledged: false }, 'served 49 of 50'],
  ['by another way than the first', { channel: 'typed' }, 'first attempt 49 of 50'],
  ['at the second attempt', { attempts: 2 }, 'first attempt 49 of 50'],
  ['given twice', { copies: 2 }, 'given twice 1 times'],
  ['typed into a question', { dialogTouched: true }, 'typed into a question 1 times'],
  ['an answer interrupted', { interrupted: true }, 'an answer was interrupted 1 times'],
])('one start %s is named', (_, fault, words) => {
  expect(missed([summarise([...many(49), start(fault)], bound)])).toContain(`claude, ladder: ${words}`);
});

test('an acknowledgement that the model was not asked for does not count', () => {
  const { acknowledged } = summarise([...many(47), ...many(3, { asked: false })], bound);
  expect(acknowledged?.count).toBe(47);
  expect(missed([summarise([...many(47), ...many(3, { asked: false })], bound)])).toEqual([
    'claude, ladder: acknowledged 47 of 50',
  ]);
});

test('more than half a second over the bound is named', () => {
  expect(missed([summarise(many(3, { servedMs: 1701 }), bound)])).toEqual(['claude, ladder: 501 ms over the bound']);
});

test('the table has a line for each row, with counts, bounds and what was claimed in vain', () => {
  const { attempts: _, ...naive } = start({ row: 'naive', served: false, copies: 0 });
  const lost = [naive, { ...naive, served: true }];
  const text = section({ results: [summarise(many(50), bound), summarise(lost, bound)], machine: '2 cores' });
  expect(text).toContain('### claude 1.0.0');
  expect(text).toContain('| ladder | 50 | 50 of 50 (94.1 %) | 50 of 50 (94.1 %) | 50 of 50 (94.1 %) | 0 |');
  expect(text).toMatch(/^\| naive \| 2 \| \| 1 of 2 \(2\.5 %\) \| \| 0 \| \| 1 \|/m);
});

test('npm run bench goes on where no agent is installed: one line names what is missing', () => {
  const folder = temporaryFolder('no-agents');
  const bench = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../bench/agents.mjs'), ...args], {
      env: { PATH: process.env.PATH, HOME: folder, FOREWORD_LAB: folder },
      encoding: 'utf8',
    });
  const [all, alone] = [bench('--if-possible'), bench()];
  rmSync(folder, { recursive: true });
  expect([all.status, alone.status]).toEqual([0, 3]);
  expect(all.stderr).toMatch(/^skipped: starts of real agents, .+\n$/);
});
