import { expect, test } from 'vitest';
import { estimateTokens } from './tokens.ts';

test('four characters count as a token, and a begun one counts whole', () => {
  expect(['', 'a', 'abcd', 'abcde', 'x'.repeat(4000)].map(estimateTokens)).toEqual([0, 1, 1, 2, 1000]);
});
