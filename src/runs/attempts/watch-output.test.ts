import { expect, test } from 'vitest';
import { watchOutput } from './watch-output.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('the last line that can be read stays when nothing new can be read', () => {
  const watched = watchOutput({ format: 'text' }, (text) => text.replaceAll('secret', '[redacted]'));
  expect(watched.lastLine()).toBeUndefined();
  watched.take(bytes('one\ntwo secret\n'));
  expect(watched.lastLine()).toBe('two [redacted]');
  watched.take(bytes('\n \n'));
  expect(watched.lastLine()).toBe('two [redacted]');
});

test('of a flood only the end is kept', () => {
  const watched = watchOutput({ format: 'text' }, (text) => text);
  for (let count = 0; count < 1000; count += 1) watched.take(bytes(`${'x'.repeat(60_000)}\n`));
  watched.take(bytes('the end\n'));
  expect(watched.lastLine()).toBe('the end');
});
