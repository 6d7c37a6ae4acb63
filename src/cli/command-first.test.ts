import { expect, test } from 'vitest';
import { commandFirst } from './parse.ts';

test('flags of every command may stand before it', () => {
  expect(commandFirst(['--cwd', '/shop', 'init', '--dry-run'])).toEqual(['init', '--cwd', '/shop', '--dry-run']);
  expect(commandFirst(['--cwd=/shop', '--json', 'status'])).toEqual(['status', '--cwd=/shop', '--json']);
  expect(commandFirst(['status', '--json'])).toEqual(['status', '--json']);
  expect(commandFirst(['--help', 'init'])).toEqual(['--help', 'init']);
  expect(commandFirst(['-h'])).toEqual(['-h']);
  expect(commandFirst([])).toEqual([]);
});

test('another flag before the command is refused with the place where it goes', () => {
  expect(() => commandFirst(['--agents', 'claude', 'init'])).toThrow('There is no flag --agents before the command.');
  expect(() => commandFirst(['--cwd', '/shop'])).toThrow('A command is missing behind --cwd /shop.');
});
