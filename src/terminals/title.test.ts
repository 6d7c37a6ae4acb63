import { expect, test } from 'vitest';
import { readTitle } from './title.ts';

const bytes = (text: string) => Buffer.from(text);

test('the last title that a program gave its terminal, in any portions', () => {
  const reader = readTitle();
  expect(reader.title).toBeUndefined();
  expect(reader.feed(bytes('\x1b[2Jhello \x1b]0;✳ Fix the door\x07 more'))).toBe(true);
  expect(reader.title).toBe('✳ Fix the door');
  expect(reader.feed(bytes('\x1b]2;wor'))).toBe(false);
  expect(reader.isCut).toBe(true);
  expect(reader.feed(bytes('king\x1b'))).toBe(false);
  expect(reader.feed(bytes('\\'))).toBe(true);
  expect([reader.title, reader.isCut]).toEqual(['working', false]);
});

test('other sequences are none, and a cut one or half a character is known', () => {
  const reader = readTitle();
  expect(reader.feed(bytes('\x1b]8;;http://x\x07link\x1b]8;;\x07\x1b[31'))).toBe(false);
  expect([reader.title, reader.isCut]).toEqual([undefined, true]);
  reader.feed(bytes('m'));
  expect(reader.isCut).toBe(false);
  reader.feed(bytes('✳').subarray(0, 2));
  expect(reader.isCut).toBe(true);
  reader.feed(bytes('✳').subarray(2));
  expect(reader.isCut).toBe(false);
  reader.feed(bytes(`\x1b]2;${'x'.repeat(5000)}\x07`));
  expect(reader.title?.length).toBeLessThanOrEqual(512);
});
