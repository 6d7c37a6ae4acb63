import { expect, test } from 'vitest';
import { watchRetries } from './watch-retries.ts';

const LINES = { retryLine: 'Reconnecting', limitLine: 'come back in' };
const matches = (pattern: string, line: string) => line.includes(pattern);
const watch = (now?: () => number) => watchRetries(LINES, matches, now) ?? expect.fail('nothing to watch');

test('one retry is a hiccup, the second soon after it ends the agent', () => {
  const { onLine } = watch(() => 0);
  expect(onLine('Reconnecting 1/5', 'stdout')).toBeUndefined();
  expect(onLine('a word of the model', 'stdout')).toBeUndefined();
  expect(onLine('Reconnecting 2/5', 'stderr')).toBe('retrying');
});

test('two retries an hour apart are two hiccups', () => {
  let now = 0;
  const { onLine } = watch(() => now);
  expect(onLine('Reconnecting 1/5', 'stdout')).toBeUndefined();
  now += 3_600_000;
  expect(onLine('Reconnecting 1/5', 'stdout')).toBeUndefined();
  now += 119_000;
  expect(onLine('Reconnecting 2/5', 'stdout')).toBe('retrying');
});

test('a long wait that it reports ends the agent at once', () => {
  expect(watch().onLine('limit: come back in 3600 s', 'stdout')).toBe('limit');
});

test('a retry announces a wait; a line of many kilobytes is no message of the program', () => {
  const { waits, onLine } = watch();
  expect(waits.isWait('Reconnecting 1/5')).toBe(true);
  expect(waits.isWait('hello')).toBe(false);
  const long = `Reconnecting ${'x'.repeat(5000)}`;
  expect(waits.isWait(long)).toBe(false);
  expect([onLine(long, 'stdout'), onLine(long, 'stdout')]).toEqual([undefined, undefined]);
});

test('an agent without such lines is not watched', () => {
  expect(watchRetries({}, matches)).toBeUndefined();
});
