import { expect, it } from 'vitest';
import { joinWatchers } from './watch-lines.ts';

it('is nothing when there is nobody to ask', () => {
  expect(joinWatchers()).toBeUndefined();
  expect(joinWatchers(undefined, undefined)).toBeUndefined();
});

it('gives every line to every watcher, and the first reason counts', () => {
  const seen: string[] = [];
  const watch = joinWatchers(
    (line, stream) => void seen.push(`one ${stream} ${line}`),
    undefined,
    () => 'limit',
    (line) => {
      seen.push(`last ${line}`);
      return 'cap';
    },
  );
  expect(watch?.('a line', 'stderr')).toBe('limit');
  expect(seen).toEqual(['one stderr a line', 'last a line']);
});

it('asks a watcher that threw no more, and the others on', () => {
  let asked = 0;
  const watch = joinWatchers(
    () => {
      asked += 1;
      throw new Error('broken');
    },
    (line) => (line === 'end' ? 'cap' : undefined),
  );
  expect(watch?.('go on', 'stdout')).toBeUndefined();
  expect(watch?.('end', 'stdout')).toBe('cap');
  expect(asked).toBe(1);
});
