import { expect, test } from 'vitest';
import { eventPrinter } from './event-printer.ts';
import { localClock, localDate } from './local-time.ts';

test('each line begins with the time; the date comes at the start and after midnight', () => {
  const lines: string[] = [];
  const print = eventPrinter((line) => lines.push(line));
  const evening = new Date(2026, 10, 16, 23, 59, 58).getTime();
  print({ kind: 'breaker-closed', agent: 'first' }, evening);
  print({ kind: 'breaker-tried', agent: 'first' }, evening + 1000);
  // It has no line.
  print({ kind: 'state-dump-failed', reason: 'x' }, evening + 3000);
  print({ kind: 'breaker-closed', agent: 'first' }, evening + 3000);
  expect(lines).toEqual([
    '23:59:58 date: 2026-11-16',
    '23:59:58 first: available again',
    '23:59:59 first: trial call',
    '00:00:01 date: 2026-11-17',
    '00:00:01 first: available again',
  ]);
});

test('the day when a clock is put back has its hour twice, and one date', () => {
  const at = Date.parse('2026-10-25T00:30:00Z');
  expect(localDate(at)).toMatch(/^2026-10-2[45]$/);
  expect(localClock(at)).toMatch(/^\d\d:\d\d:\d\d$/);
});
