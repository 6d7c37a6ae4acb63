// What the agent's own log proves about texts of ours: that they stand in the conversation, and that a model answered to
// them. Kept from one turn to the next. Pure but for the agents' data.

import { TRANSCRIPTS } from '../agents/transcripts.ts';
import { type TranscriptText, textsInRecord } from '../kernel/transcript.ts';
import { type Conversations, followConversations, idsIn } from '../sessions/transcripts/conversation.ts';

export interface SeenProofs {
  readonly conversations: Conversations;
  /** Ids of ours that stand in the conversation. */
  readonly submitted: readonly string[];
  /** Those of them that a model answered to. */
  readonly served: readonly string[];
  /** Why the others got no answer, as far as the agent says it. */
  readonly unanswered: Readonly<Record<string, string>>;
}

export const NOTHING_PROVED: SeenProofs = { conversations: {}, submitted: [], served: [], unanswered: {} };

const MOST_IDS = 500;

/** Whether its log shows what a model answered to; of another agent only that a text stands in it. */
export function canShowAnswers(agent: string): boolean {
  return TRANSCRIPTS[agent]?.store === 'lines';
}

/** Whether it writes into a database: time is the place in its log. */
export function keepsDatabase(agent: string): boolean {
  return TRANSCRIPTS[agent]?.store === 'database';
}

/** Something of the session's own model. */
export function isReply(record: unknown, agent: string): boolean {
  const spec = TRANSCRIPTS[agent];
  if (spec === undefined) return false;
  return textsInRecord(spec, record, '').some(isOwnReply);
}

export function isOwnReply({ kind, isSubagent, isRetold }: TranscriptText): boolean {
  return kind === 'reply' && isSubagent !== true && isRetold !== true;
}

/** `records` come after those that led to `before`, from the log at `path`. */
export function followProofs(
  before: SeenProofs,
  records: readonly unknown[],
  { agent, path }: { readonly agent: string; readonly path: string },
): SeenProofs {
  const spec = TRANSCRIPTS[agent];
  if (spec?.store !== 'lines') return before;
  return followTexts(
    before,
    records.flatMap((record) => textsInRecord(spec, record, path)),
    path,
  );
}

/** The same for texts of the log at `path`. */
export function followTexts(before: SeenProofs, found: readonly TranscriptText[], path: string): SeenProofs {
  const texts = found.map((text) => inItsLog(text, path));
  const { conversations, given, answered, failed } = followConversations(before.conversations, texts);
  const served = [...new Set([...before.served, ...answered.map(({ id }) => id)])].slice(-MOST_IDS);
  const taken = texts.flatMap(({ kind, text }) => (kind === 'taken' ? idsIn(text) : []));
  const submitted = [...new Set([...before.submitted, ...given.map(({ id }) => id), ...taken])].slice(-MOST_IDS);
  const reasons = { ...before.unanswered, ...Object.fromEntries(failed.map(({ id, reason }) => [id, reason])) };
  const unanswered = Object.fromEntries(
    Object.entries(reasons)
      .filter(([id]) => !served.includes(id))
      .slice(-MOST_IDS),
  );
  return { conversations, submitted, served, unanswered };
}

/** A sub-agent is told things of its own, in a conversation of its own. */
function inItsLog({ isSubagent, ...text }: TranscriptText, path: string): TranscriptText {
  return { ...text, log: isSubagent === true ? `${path} ${text.subagent ?? ''}` : path };
}
