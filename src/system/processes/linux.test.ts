import { expect, test } from 'vitest';
import { entryIn } from './linux.ts';

const stat = (name: string, foreground: number, state = 'S') =>
  `12 (${name}) ${state} 1 12 12 34816 ${foreground} 4194304 0 0 0 0 0 0 0 0 20 0 1 0 7177 0\n`;

test('a program that the agent started has the terminal, whatever its name', () => {
  const entry = { pid: 12, group: 12, start: 7177, isZombie: false, isStopped: false, hasForeground: true };
  expect(entryIn(12, stat('my (odd) agent', 12))).toEqual(entry);
  expect(entryIn(12, stat('agent', 12, 'T'))).toEqual({ ...entry, isStopped: true });
  expect(entryIn(12, stat('agent', 99))).toEqual({ ...entry, hasForeground: false });
});

test('a process that ended and was not asked for its status is a zombie', () => {
  expect(entryIn(12, stat('agent', 12, 'Z'))?.isZombie).toBe(true);
  expect(entryIn(12, '')).toBeUndefined();
});
