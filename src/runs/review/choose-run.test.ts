import { expect, test } from 'vitest';
import { isoAt, run } from '../../stores/contract/samples.ts';
import { chooseRun } from './choose-run.ts';

const at = (id: string, state: 'open' | 'merged' | 'left', ms: number) => ({ ...run(id), state, startedAt: isoAt(ms) });

test('the newest open run is meant, else the newest that was left, never a merged one', () => {
  const [old, open, left, merged] = [at('a', 'open', 1), at('b', 'open', 2), at('c', 'left', 3), at('d', 'merged', 4)];
  expect(chooseRun([old, open, left, merged], undefined)).toBe(open);
  expect(chooseRun([left, merged], undefined)).toBe(left);
  expect(chooseRun([merged], undefined)).toBeUndefined();
});

test('a run is named by its id or its branch', () => {
  const merged = at('d', 'merged', 4);
  expect(chooseRun([merged], 'd')).toBe(merged);
  expect(chooseRun([merged], 'foreword/d')).toBe(merged);
  expect(chooseRun([merged], 'x')).toBeUndefined();
});
