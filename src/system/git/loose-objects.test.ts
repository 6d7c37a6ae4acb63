import { expect, test } from 'vitest';
import { isStale } from './loose-objects.ts';

const NOW = 1_700_000_000_000;

test.each([
  { what: 'that a killed process left', mtimeMs: NOW - 2000, is: true },
  { what: 'from before the clock was set back', mtimeMs: NOW + 3_600_000, is: true },
  { what: 'of a moment ago', mtimeMs: NOW - 5, is: false },
])('a lock $what is stale: $is', ({ mtimeMs, is }) => {
  expect(isStale({ mtimeMs }, NOW)).toBe(is);
});

test('a lock that was given back meanwhile is not stale: the next one there is another process’s', () => {
  expect(isStale(undefined, NOW)).toBe(false);
});
