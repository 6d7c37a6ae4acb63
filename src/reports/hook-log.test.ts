import { expect, test } from 'vitest';
import { recentComplaints } from './hook-log.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');

test('only the last day counts, and the last line is named', () => {
  const log = [
    '2026-11-16T12:00:00Z stop claude: old',
    '2026-11-18T11:00:00Z prompt claude: given up after 1500 ms',
    'no time',
    '2026-11-18T11:30:00Z stop codex: node ended with 1',
    '',
  ].join('\n');
  expect(recentComplaints(log, NOW)).toEqual({ count: 2, last: 'stop codex: node ended with 1' });
  expect(recentComplaints('2026-11-16T12:00:00Z stop claude: old\n', NOW)).toBe(undefined);
});
