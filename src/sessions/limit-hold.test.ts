import { expect, test } from 'vitest';
import type { TranscriptText } from '../kernel/transcript.ts';
import { followHold, heldByLimit } from './limit-hold.ts';

const NOW = Date.parse('2027-01-15T13:00:00Z');
const text = (kind: TranscriptText['kind'], words: string, more: Partial<TranscriptText> = {}): TranscriptText => ({
  kind,
  role: kind === 'answer' ? 'assistant' : 'user',
  text: words,
  evidence: 'log:1',
  ...more,
});
const heldAt = (now: number, ...texts: readonly TranscriptText[]) =>
  heldByLimit(followHold(undefined, texts, { ours: ['fw_1'], now: NOW }), now);

const at = '2027-01-15T13:00:00.000Z';
const named = text('fault', "You've hit your usage limit. Try again in 30 minutes.", { status: 429, at });
const unnamed = text('fault', 'Request rejected (429)', { status: 429, at });

test('a text waits until the time that the limit named', () => {
  expect(heldAt(NOW + 1, named)).toBe('limit until 13:30 UTC');
  expect(heldAt(NOW + 30 * 60_000, named)).toBeUndefined();
});

test('where no time is named it waits for a minute, and for another one after a try in vain', () => {
  expect(heldAt(NOW + 59_000, unnamed)).toBe('limit; tried again after a minute');
  expect(heldAt(NOW + 60_000, unnamed)).toBeUndefined();
  const again = { ...unnamed, at: '2027-01-15T13:01:02.000Z' };
  expect(heldAt(NOW + 90_000, unnamed, text('given', '[fw_1]\nthe note'), again)).toContain('limit');
  // A host that reads an old log does not begin the wait anew; a log without times begins it now.
  expect(heldAt(NOW, { ...unnamed, at: '2027-01-15T12:00:00.000Z' })).toBeUndefined();
  const { at: _, ...untimed } = unnamed;
  expect(heldAt(NOW + 1, untimed)).toContain('limit');
});

test('an answer of the model or a prompt of the person ends the wait, our own text and other faults do not', () => {
  expect(heldAt(NOW, named, text('answer', 'here'))).toBeUndefined();
  expect(heldAt(NOW, named, text('reply', ''))).toBeUndefined();
  expect(heldAt(NOW, named, text('given', 'try again'))).toBeUndefined();
  expect(heldAt(NOW, named, text('given', '[fw_1]\nread this'))).toBe('limit until 13:30 UTC');
  expect(heldAt(NOW, named, text('given', 'of a tool', { role: 'tool' }))).toBe('limit until 13:30 UTC');
  expect(heldAt(NOW, named, text('answer', 'of a helper', { isSubagent: true }))).toBe('limit until 13:30 UTC');
  expect(heldAt(NOW, named, text('fault', 'connection refused'))).toBe('limit until 13:30 UTC');
  expect(heldAt(NOW, text('fault', 'connection refused'))).toBeUndefined();
});
