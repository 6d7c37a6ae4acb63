import { expect, test } from 'vitest';
import type { ForewordEvent } from '../kernel/events.ts';
import { complianceRows, readCount } from './compliance.ts';

const base = { id: 'evt_1', at: '2026-01-01T00:00:00.000Z', session: 's', agent: 'codex' };
const FILES = ['.context/CONSTITUTION.md', '.context/TASKS.md'];
const gate: ForewordEvent = {
  ...base,
  kind: 'gate-spoken',
  mode: 'directive',
  context: 'fw_1',
  files: FILES,
  chars: 10,
  durationMs: 1,
  isSubagent: false,
  cut: [],
};
const read = (names: readonly string[], unclear?: string): ForewordEvent => ({
  ...base,
  kind: 'context-files-read',
  read: names.map((path) => ({ path, isBeforeOther: true })),
  unread: [],
  otherCalls: 0,
  ...(unclear === undefined ? {} : { unclear }),
});
const rowOf = (...events: readonly ForewordEvent[]) => {
  const [row = expect.fail()] = complianceRows([gate, ...events]);
  return { count: readCount(row), inTime: row.inTime, why: row.why };
};

test('before the transcript was read, what was read is unknown, and why', () => {
  expect(rowOf()).toEqual({
    count: 'unknown',
    inTime: 'unknown',
    why: expect.stringContaining('not seen the end of a turn'),
  });
});

test('what was read is counted, and nothing read is said as that', () => {
  expect(rowOf(read(FILES))).toEqual({ count: '2 of 2', inTime: 'yes', why: undefined });
  expect(rowOf(read([]))).toEqual({ count: '0 of 2', inTime: 'no', why: undefined });
});

test('a program that was given the folder leaves it unknown, until all files were read for sure', () => {
  expect(rowOf(read([], 'rg'))).toEqual({
    count: 'unknown',
    inTime: 'unknown',
    why: expect.stringMatching(/^rg was given the folder/),
  });
  expect(rowOf(read(FILES.slice(1), 'rg'))).toMatchObject({ count: '1 of 2 or more', inTime: 'unknown' });
  expect(rowOf(read(FILES, 'rg'))).toEqual({ count: '2 of 2', inTime: 'yes', why: undefined });
});

test('files that the text only named are not counted as given', () => {
  const inline = { ...gate, mode: 'inline', whole: FILES.slice(0, 1) } as const;
  const countOf = (event: ForewordEvent) => complianceRows([event]).map(readCount);
  expect(countOf(inline)).toEqual(['1 given in full, 1 named']);
  expect(countOf({ ...inline, whole: FILES })).toEqual(['2 given in full']);
  expect(countOf({ ...gate, mode: 'inline' })).toEqual(['2 given or named']);
});
