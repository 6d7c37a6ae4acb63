import { expect, test } from 'vitest';
import { keyIn } from './keys.ts';

test.each([
  ['y', 'y'],
  ['Y', 'y'],
  // The Enter behind it is a habit.
  ['y\r', 'y'],
  ['d', 'd'],
  ['n', 'n'],
  ['q', 'n'],
  ['\r', 'n'],
  ['\u001b', 'n'],
  ['\u0004', 'n'],
  ['\u0003', undefined],
  // An arrow, and a key that means nothing here.
  ['\u001b[A', 'unknown'],
  ['x', 'unknown'],
])('the bytes %j mean %j', (bytes, key) => {
  expect(keyIn(bytes, 'yd')).toBe(key);
});
