import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['contxt', 'context'],
  ['conetxt', 'context'],
  ['promt', 'prompt'],
  ['laod', 'load'],
  ['xyz', undefined],
  ['', undefined],
])('%j is nearest to %j', (word, expected) => {
  expect(nearest(word, ['context', 'prompt', 'save', 'load', 'search'])).toBe(expected);
});
