// Looks once more, from a later command, for the proof of answers whose server was ended before it saw it.

import type { TranscriptReader } from '../kernel/transcript.ts';
import { type AskedProof, askedProofs } from './asked-proofs.ts';
import type { OpenCalls } from './open-calls.ts';
import type { McpParts } from './serve.ts';

export interface SettleParts extends Pick<McpParts, 'recordProof'> {
  readonly root: string;
  /** `undefined` where nobody knows the agent's transcript. */
  openTranscript(agent: string, startedAt: number): Pick<TranscriptReader, 'poll' | 'close'> | undefined;
}

/** A transcript is read in pieces. */
const MOST_POLLS = 50;

/** Returns what it recorded; only what is served, since anything less may still change. Never rejects. */
export async function settleCalls(calls: readonly OpenCalls[], parts: SettleParts): Promise<readonly AskedProof[]> {
  const found: AskedProof[] = [];
  for (const { agent, session, startedAt, ids } of calls) {
    const reader = parts.openTranscript(agent, startedAt);
    if (reader === undefined) continue;
    const open = new Set(ids);
    let conversations: Parameters<typeof askedProofs>[0] = {};
    let own: string | undefined;
    for (let polls = 0; polls < MOST_POLLS && open.size > 0; polls += 1) {
      const texts = await reader.poll();
      if (texts.length === 0) break;
      const news = askedProofs(conversations, texts, open);
      conversations = news.conversations;
      for (const proof of news.proofs) {
        // The answer of the model does not name our id any more.
        own = proof.session ?? own;
        if (proof.proof !== 'served' || !open.delete(proof.id)) continue;
        const whole = own === undefined ? proof : { ...proof, session: own };
        parts.recordProof({ root: parts.root, agent, session, context: proof.id }, whole);
        found.push(whole);
      }
    }
    reader.close();
  }
  return found;
}
