import { expect, test } from 'vitest';
import { wrapped } from './wrapped.ts';

test('a text is broken between words, and its later lines begin where the first does', () => {
  expect(wrapped('- ', 'one two three four five six seven eight', 32)).toBe(
    '- one two three four five six\n  seven eight',
  );
});

test('a pipe gets one line, and a very narrow terminal too', () => {
  const text = 'word '.repeat(50).trim();
  expect(wrapped('- ', text, undefined)).toBe(`- ${text}`);
  expect(wrapped('a long lead of more than twenty: ', text, 10)).not.toContain('\n');
});
