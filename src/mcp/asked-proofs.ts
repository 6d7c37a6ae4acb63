// What the agent's own transcript proves about answers of our server: that they stand in the conversation, and that the model
// went on after them. The answer alone proves nothing about a model. Pure.

import type { TranscriptText } from '../kernel/transcript.ts';
import { type Conversations, followConversations } from '../sessions/transcripts/conversation.ts';

export interface AskedProof {
  readonly id: string;
  readonly proof: 'submitted' | 'served';
  /** The agent's own id of the session. */
  readonly session?: string;
  /** Why no answer of the model followed. */
  readonly reason?: string;
}

export interface AskedNews {
  readonly conversations: Conversations;
  readonly proofs: readonly AskedProof[];
}

/** `texts` come after those that led to `before`; `open` are the ids that are not served yet. */
export function askedProofs(
  before: Conversations,
  texts: readonly TranscriptText[],
  open: ReadonlySet<string>,
): AskedNews {
  const { conversations, given, answered, failed } = followConversations(before, texts.map(inItsLog));
  const served = new Set(answered.map(({ id }) => id));
  const sessionOf = (id: string) => {
    const session = texts.find(({ text }) => text.includes(id))?.sessionId;
    return session === undefined ? {} : { session };
  };
  const reasons = new Map(failed.map(({ id, reason }) => [id, reason]));
  const submitted = new Set([...given.map(({ id }) => id), ...reasons.keys()].filter((id) => !served.has(id)));
  const proofs = [
    ...[...submitted].map((id): AskedProof => {
      const reason = reasons.get(id);
      return { id, proof: 'submitted', ...sessionOf(id), ...(reason === undefined ? {} : { reason }) };
    }),
    ...[...served].map((id): AskedProof => ({ id, proof: 'served', ...sessionOf(id) })),
  ];
  return { conversations, proofs: proofs.filter(({ id }) => open.has(id)) };
}

/** A sub-agent that asked has a conversation of its own. */
function inItsLog({ isSubagent, ...text }: TranscriptText): TranscriptText {
  return isSubagent === true ? { ...text, log: `${text.log ?? ''} ${text.subagent ?? ''}` } : text;
}
