import { expect, test } from 'vitest';
import { watchedLine } from './event-lines.ts';
import { eventLine } from './every-event-line.ts';

test('an event that nobody watches has a line too', () => {
  const event = {
    kind: 'run-finished',
    completed: 2,
    failed: 1,
    blocked: 0,
    needsReview: 0,
    durationMs: 1500,
    isInterrupted: false,
  } as const;
  expect(watchedLine(event)).toBeUndefined();
  expect(eventLine(event)).toBe('run: ended after 1.5 s: 2 completed, 1 failed, 0 blocked, 0 to review');
  expect(eventLine({ kind: 'import-finished', added: 3, kept: 1 })).toBe('import: 3 record(s) added, 1 kept');
});

test('an event that is watched has the same line, with times as the caller writes them', () => {
  const event = { kind: 'breaker-opened', agent: 'mine', reason: 'quota', until: '2026-01-01T00:00:00Z' } as const;
  expect(eventLine(event, () => 'midnight')).toBe('mine: not available until midnight (quota)');
});

test('an event of a newer version is named, and what is no event is refused', () => {
  expect(eventLine({ kind: 'moon-landed' } as never)).toBe('moon-landed');
  expect(() => eventLine({} as never)).toThrow(expect.objectContaining({ code: 'bad-usage' }));
});
