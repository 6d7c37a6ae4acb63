import { expect, test } from 'vitest';
import { compilePattern, makeMatcher } from './linear.ts';

test('is found anywhere in a line, upper and lower case alike', () => {
  const matches = makeMatcher();
  expect([matches('RATE.?limit', 'a Rate-Limit b'), matches('^b', 'ab'), matches('you.ve', 'You’ve hit')]).toEqual([
    true,
    false,
    true,
  ]);
});

test.each([
  ['(a', 'missing closing ): `(a`'],
  ['a(?=b)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['x'.repeat(2001), 'longer than 2000 characters'],
])('%.20s is refused', (pattern, fault) => {
  expect(compilePattern(pattern)).toEqual({ fault });
  expect(makeMatcher()(pattern, 'xab')).toBe(false);
});

test('what takes others for ever takes no time', () => {
  const startedAt = performance.now();
  expect(makeMatcher()('^(a+)+$', `${'a'.repeat(20_000)}b`)).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(2000);
});
