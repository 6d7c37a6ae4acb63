import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['contxt', 'context'],
  ['conetxt', 'context'],
  ['promt', 'prompt'],
  ['laod', 'load'],
  ['sear', 'search'],
  ['xyz', undefined],
  ['', undefined],
])('%j is nearest to %j', (word, expected) => {
  expect(nearest(word, ['context', 'prompt', 'save', 'load', 'search'])).toBe(expected);
});

test('the beginning of one word is that word, and of several the nearest of them', () => {
  expect(nearest('stat', ['start', 'status'])).toBe('status');
  expect(nearest('star', ['start', 'stark'])).toBe('start');
});
