import { expect, test, vi } from 'vitest';
import type { TranscriptText } from '../kernel/transcript.ts';
import type { AskedProof } from './asked-proofs.ts';
import { AnswerFollower } from './follow.ts';

const ID = 'fw_0123456789ab';
const given: TranscriptText = { kind: 'given', role: 'tool', text: ID, sessionId: 's1', log: 'l', evidence: 'l:1' };
const reply: TranscriptText = { kind: 'reply', role: '', text: '', sessionId: 's1', log: 'l', evidence: 'l:2' };

function field(...polls: (readonly TranscriptText[])[]) {
  const proofs: AskedProof[] = [];
  const reader = { poll: async () => polls.shift() ?? [], close: vi.fn() };
  return {
    proofs,
    reader,
    follower: new AnswerFollower(
      () => reader,
      (proof) => proofs.push(proof),
    ),
  };
}

test('each proof is reported once, under the session that the transcript names', async () => {
  vi.useFakeTimers();
  try {
    const { follower, proofs } = field([given], [], [given], [reply], [reply]);
    follower.follow(ID);
    await vi.advanceTimersByTimeAsync(3000);
    expect(proofs).toEqual([
      { id: ID, proof: 'submitted', session: 's1' },
      { id: ID, proof: 'served', session: 's1' },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('at the end it looks once more, and stops when everything is served', async () => {
  const { follower, proofs, reader } = field([given, reply]);
  follower.follow(ID);
  await follower.end();
  expect(proofs.map(({ proof }) => proof)).toEqual(['served']);
  expect(reader.close).toHaveBeenCalledTimes(2);
});
