import { expect, test } from 'vitest';
import type { TranscriptText } from '../kernel/transcript.ts';
import { askedProofs } from './asked-proofs.ts';

const ID = 'fw_0123456789ab';
const text = (kind: TranscriptText['kind'], words = '', more: Partial<TranscriptText> = {}): TranscriptText => ({
  kind,
  role: 'tool',
  text: words,
  sessionId: 's1',
  log: 'log',
  evidence: 'log:1',
  ...more,
});
const answer = text('given', `[foreword mcp ${ID}] facts`);
const open = new Set([ID]);

test('an answer in the conversation is submitted, and served when the model goes on', () => {
  expect(askedProofs({}, [answer], open).proofs).toEqual([{ id: ID, proof: 'submitted', session: 's1' }]);
  expect(askedProofs({}, [answer, text('reply')], open).proofs).toEqual([{ id: ID, proof: 'served', session: 's1' }]);
});

test('what the model said before proves nothing, and a fault of the service is the reason', () => {
  expect(askedProofs({}, [text('reply'), answer], open).proofs).toMatchObject([{ proof: 'submitted' }]);
  const failed = askedProofs({}, [answer, text('fault', 'overloaded', { status: 529 })], open).proofs;
  expect(failed).toMatchObject([{ id: ID, proof: 'submitted', reason: expect.stringContaining('529') }]);
});

test('it goes on from one look to the next', () => {
  const first = askedProofs({}, [answer], open);
  expect(askedProofs(first.conversations, [text('reply')], open).proofs).toEqual([{ id: ID, proof: 'served' }]);
});

test('a sub-agent that asked is proved by its own answer, not by that of its parent', () => {
  const own = { isSubagent: true, subagent: 'a1' } as const;
  const asked = text('given', ID, own);
  expect(askedProofs({}, [asked, text('reply')], open).proofs).toMatchObject([{ proof: 'submitted' }]);
  expect(askedProofs({}, [asked, text('reply', '', own)], open).proofs).toMatchObject([{ proof: 'served' }]);
});

test('ids that nobody asked for are left alone', () => {
  expect(askedProofs({}, [answer, text('reply')], new Set()).proofs).toEqual([]);
});
