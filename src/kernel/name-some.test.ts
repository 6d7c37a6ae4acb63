import { expect, test } from 'vitest';
import { nameSome } from './name-some.ts';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
])('%j is named as "%s"', (names, text) => {
  expect(nameSome(names, 2)).toBe(text);
});
