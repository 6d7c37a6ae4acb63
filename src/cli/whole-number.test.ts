import { expect, test } from 'vitest';
import { wholeNumber } from './whole-number.ts';

const given = (text: string | undefined, range: { from: number; to?: number } = { from: 1, to: 32 }) =>
  wholeNumber({ text: () => text }, 'last', range);

test('a whole number in the range, or nothing', () => {
  expect([given(undefined), given('1'), given('32'), given('0', { from: 0 })]).toEqual([undefined, 1, 32, 0]);
});

test.each(['', '0', '33', '-5', '1.5', '1e1', ' 2', 'abc', '9999999999'])(
  '"%s" is refused with what is taken',
  (text) => {
    expect(() => given(text)).toThrow(`--last was given "${text}"; it takes a whole number from 1 to 32.`);
  },
);

test('a range without an end says so', () => {
  expect(() => given('x', { from: 1 })).toThrow('a whole number from 1 up.');
});
