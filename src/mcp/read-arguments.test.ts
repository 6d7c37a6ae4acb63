import { expect, test } from 'vitest';
import { argumentsOf, limitArgument, notesArgument, textArgument } from './read-arguments.ts';

test('arguments of another kind are refused in words', () => {
  for (const value of ['x', 7, true, ['a']]) expect(() => argumentsOf(value)).toThrow('must be an object');
  expect(argumentsOf(undefined)).toEqual({});
  expect(argumentsOf(null)).toEqual({});
  expect(() => textArgument({ task: { a: 1 } }, 'task')).toThrow('task must be a string, and it is object.');
  expect(() => textArgument({ task: 'x'.repeat(1001) }, 'task')).toThrow('at most 1000');
  for (const limit of [0, -1, 1.5, '3', Number.NaN, []])
    expect(() => limitArgument({ limit }, 5)).toThrow('a whole number from 1 to 20');
});

test('blank, null and unknown arguments count as absent', () => {
  expect(textArgument({ task: '  ' }, 'task')).toBeUndefined();
  expect(textArgument({ task: null }, 'task')).toBeUndefined();
  expect(textArgument({}, 'constructor')).toBeUndefined();
  expect(limitArgument({ limit: null }, 50)).toBe(20);
  expect(limitArgument({ limit: 1_000_000 }, 5)).toBe(20);
  expect(notesArgument({ summary: 'a', other: 'b', done: null })).toBe('{"summary":"a"}');
});
