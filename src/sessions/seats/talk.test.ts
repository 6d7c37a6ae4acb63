import { expect, test } from 'vitest';
import type { TranscriptText } from '../../kernel/transcript.ts';
import { followTalk } from './talk.ts';

const text = (kind: TranscriptText['kind'], words: string, more: Partial<TranscriptText> = {}): TranscriptText => ({
  kind,
  role: kind === 'answer' ? 'assistant' : 'user',
  text: words,
  evidence: 'log:1',
  ...more,
});
const talkOf = (...texts: readonly TranscriptText[]) => followTalk({}, texts, ['fw_1']);

test('the last prompt is what the person wrote, not what we or the agent put there', () => {
  const talk = talkOf(
    text('given', 'fix the door'),
    text('answer', 'done'),
    text('given', 'and the window'),
    text('given', '[fw_1]\nread this'),
    text('given', '<system-reminder>remember</system-reminder>'),
    text('given', 'of a tool', { role: 'tool' }),
    text('given', 'of a helper', { isSubagent: true }),
    text('given', 'said before', { isRetold: true }),
    text('given', 'by the agent itself', { isHuman: false }),
    text('printed', 'of a hook'),
  );
  expect(talk).toEqual({ prompt: 'and the window' });
  expect(talkOf()).toEqual({});
});

test('a limit holds until the model says something, and other faults are none', () => {
  const limit = text('fault', 'Request rejected (429)', { status: 429, role: 'assistant' });
  expect(talkOf(limit)).toEqual({ limit: 'limit' });
  const at = '2027-01-15T13:00:00.000Z';
  const named = text('fault', "You've hit your usage limit. Try again in 30 minutes.", { status: 429, at });
  expect(talkOf(named)).toEqual({
    limit: 'limit until 13:30 UTC',
    limitUntil: Date.parse('2027-01-15T13:30:00.000Z'),
  });
  expect(talkOf(named, limit)).toEqual({ limit: 'limit' });
  expect(talkOf(named, text('answer', 'here I am'))).toEqual({});
  expect(talkOf(limit, text('given', 'again'))).toEqual({ limit: 'limit', prompt: 'again' });
  expect(talkOf(limit, text('answer', 'here I am'))).toEqual({});
  expect(talkOf(limit, text('reply', ''))).toEqual({});
  expect(talkOf(text('fault', 'overloaded', { status: 529 }))).toEqual({});
});
