import { expect, test } from 'vitest';
import { countMasters } from './cluster.ts';

test('masters are counted by who they are, however many ranges each has', () => {
  const [one, two] = [
    ['10.0.0.1', 6379, 'a'],
    ['10.0.0.2', 6379, 'b'],
  ];
  const replica = ['10.0.0.3', 6379, 'c'];
  expect(countMasters([[0, 16383, one]])).toBe(1);
  expect(
    countMasters([
      [0, 99, one, replica],
      [100, 199, two],
      [200, 16383, one],
    ]),
  ).toBe(2);
  expect([countMasters([]), countMasters(null), countMasters('x')]).toEqual([0, 0, 0]);
});
